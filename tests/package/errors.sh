#!/usr/bin/env bash
# Wrong calls of foldwise_add_kernels: each is refused when it is configured, and told why.
source "$(dirname "$0")/common.sh"

mkdir -p project/a project/b
echo 'int main() {}' > project/main.cpp
for spec in a/x b/x y; do echo '#include <foldwise/spec.hpp>' > "project/$spec.kernels.cpp"; done
echo '#include <foldwise/spec.hpp>' > x.kernels.cpp  # outside of the project
cp x.kernels.cpp project/x.kernels.cpp

configure() {  # configure CODE [option...]: a project that finds Foldwise, has the targets app and other, and runs the code
  cat > project/CMakeLists.txt <<TEXT
cmake_minimum_required(VERSION 3.25)
project(wrong LANGUAGES ${languages:-CXX})
find_package(Foldwise CONFIG REQUIRED)
add_executable(app main.cpp)
add_executable(other main.cpp)
$1
TEXT
  cmake -S project -B build -G Ninja -DFoldwise_DIR="$BUILD" "${@:2}" > log.txt 2>&1
}

refused() {  # refused MESSAGE CODE [option...]
  ! configure "${@:2}" || fail "accepted: $2"
  # CMake breaks long lines.
  tr -s ' \n' ' ' < log.txt | grep -qF -- "$1" || { cat log.txt >&2; fail "no '$1' for: $2"; }
}

accepted() { configure "$@" || { cat log.txt >&2; fail "refused: $1"; }; }

accepted 'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp)'
for name in n no off false ignore 0; do  # to if(), these are false
  accepted "add_executable($name main.cpp)
    foldwise_add_kernels(TARGET $name SOURCES y.kernels.cpp)"
done
refused "unknown keyword 'BACKEND' (did you mean BACKENDS?); it takes TARGET, SOURCES" \
  'foldwise_add_kernels(BACKEND cpu TARGET app SOURCES y.kernels.cpp)'
refused "the target has a keyword: write TARGET app" 'foldwise_add_kernels(app SOURCES y.kernels.cpp)'
refused "the target has a keyword: write TARGET app" 'foldwise_add_kernels(app y.kernels.cpp)'
refused "specs have a keyword: write SOURCES y.kernels.cpp" 'foldwise_add_kernels(TARGET app y.kernels.cpp)'
refused "specs have a keyword: write SOURCES y.kernels.cpp" 'foldwise_add_kernels(TARGET app BACKENDS CHECKED y.kernels.cpp)'
refused "unknown keyword 'y.kernels.cpp'; it takes" 'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp CHECKED y.kernels.cpp)'
refused "'ON' follows a keyword without a value: CHECKED alone switches it on, and it is off without" \
  'foldwise_add_kernels(TARGET app CHECKED ON SOURCES y.kernels.cpp LINE_INFO ON)'
refused "'1' follows a keyword without a value: FAST_MATH alone" 'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp FAST_MATH 1)'
for value in OFF FALSE off No N 0 IGNORE NOTFOUND Qt-NOTFOUND '""' '"${nothing}"'; do
  told=$value
  [[ $value != \"* ]] || told=""
  refused "'$told' follows a keyword without a value: CHECKED alone switches it on, and it is off without" \
    "foldwise_add_kernels(TARGET app CHECKED $value SOURCES y.kernels.cpp)"
  refused "'$told' follows a keyword without a value: DEBUG and JAX alone switch things on, which are off without" \
    "foldwise_add_python_module(NAME stats SOURCES y.kernels.cpp DEBUG JAX $value)"
done
refused "unknown keyword ''; it takes TARGET, SOURCES" 'foldwise_add_kernels("" TARGET app SOURCES y.kernels.cpp)'
refused "TARGET is missing" 'foldwise_add_kernels(SOURCES y.kernels.cpp)'
refused "there is no target 'nobody'; call add_executable or add_library before" \
  'foldwise_add_kernels(TARGET nobody SOURCES y.kernels.cpp)'
refused "'custom' is not an executable or library of this build" \
  'add_custom_target(custom)
   foldwise_add_kernels(TARGET custom SOURCES y.kernels.cpp)'
refused "SOURCES is missing or empty" 'foldwise_add_kernels(TARGET app BACKENDS cpu)'
refused "SOURCES is missing or empty" 'foldwise_add_kernels(TARGET app SOURCES)'
refused "there is no file 'missing.kernels.cpp'" 'foldwise_add_kernels(TARGET app SOURCES missing.kernels.cpp)'
refused "there is no file 'FASTMATH', and no such keyword (did you mean FAST_MATH?); it takes TARGET, SOURCES" \
  'foldwise_add_kernels(TARGET app SOURCES x.kernels.cpp FASTMATH)'
refused "there is no file 'FASTER', and no such keyword; it takes TARGET, SOURCES" \
  'foldwise_add_kernels(TARGET app SOURCES x.kernels.cpp FASTER)'
refused "'CHEKED' is no backend, and no such keyword (did you mean CHECKED?); it takes TARGET" \
  'foldwise_add_kernels(TARGET app SOURCES x.kernels.cpp BACKENDS cpu CHEKED)'
refused "there is no file 'a'" 'foldwise_add_kernels(TARGET app SOURCES a)'
refused "unknown backend 'CPU'; there are cuda, cpu and simulator" \
  'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp BACKENDS CPU)'
refused "unknown backend 'gpu'; there are cuda, cpu and simulator" \
  'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp BACKENDS cpu gpu)'
refused "BACKENDS is empty" 'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp BACKENDS)'
refused "the cuda backend needs the CUDA language; add enable_language(CUDA)" \
  'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp BACKENDS cuda)'
refused "INCLUDE_PREFIX '../up' must be a relative folder" \
  'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp INCLUDE_PREFIX ../up)'
refused "INCLUDE_PREFIX is empty" 'foldwise_add_kernels(TARGET app INCLUDE_PREFIX SOURCES y.kernels.cpp)'
for keyword in CONTRACT LINE_INFO; do
  for value in MAYBE on 0; do
    refused "$keyword takes ON or OFF, not '$value'" "foldwise_add_kernels(TARGET app $keyword $value SOURCES y.kernels.cpp)"
  done
  refused "$keyword takes ON or OFF, not ''" "foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp $keyword)"
done
refused "FOLDWISE_SOURCE_PATHS is ABSOLUTE or RELATIVE, not 'SHORT'" \
  'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp)' -DFOLDWISE_SOURCE_PATHS=SHORT
refused "OPTIONS are the generator's, which reads C++ alone; give them without \$<COMPILE_LANGUAGE:...>" \
  'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp OPTIONS $<$<COMPILE_LANGUAGE:CXX>:-Werror>)' \
  -DFOLDWISE_SOURCE_PATHS=RELATIVE
refused "PRIVATE kernels are for a target's own sources, and the interface library 'headers' has none" \
  'add_library(headers INTERFACE)
   foldwise_add_kernels(TARGET headers PRIVATE SOURCES y.kernels.cpp)'
refused "FAST_MATH fuses multiplications with additions, which CONTRACT OFF forbids" \
  'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp FAST_MATH CONTRACT OFF)'
for keywords in 'CONTRACT ON' 'CONTRACT OFF' FAST_MATH 'FAST_MATH CONTRACT ON VECTOR_MATH'; do
  accepted "foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp $keywords)"
done
refused "y.kernels.cpp' is given twice" 'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp ./y.kernels.cpp)'
refused "y.kernels.cpp' is given twice" \
  'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp)
   foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp)'
refused "y.kernels.cpp' is a spec of target 'app' already; link one library of kernels to both instead" \
  'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp)
   foldwise_add_kernels(TARGET other SOURCES y.kernels.cpp)'
for checked in ON OFF; do  # the cache keeps the last
  accepted 'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp)
            foldwise_add_kernels(TARGET other SOURCES y.kernels.cpp CHECKED)' -DFOLDWISE_CHECKED=$checked
done
# A header has its spec's file name, so two specs of one name need prefixes.
clash="would both have the header x.kernels.hpp; rename one of them, or give one to a call of its own with another"
for pair in a/x.kernels.cpp:b/x.kernels.cpp a/x.kernels.cpp:x.kernels.cpp x.kernels.cpp:../x.kernels.cpp; do
  first=$(realpath -m "project/${pair%:*}") second=$(realpath -m "project/${pair#*:}")
  refused "'$first' and '$second' $clash" "foldwise_add_kernels(TARGET app SOURCES ${pair/:/ })"
  refused "'$first' and '$second' $clash" "foldwise_add_kernels(TARGET app SOURCES ${pair%:*} INCLUDE_PREFIX same)
                                           foldwise_add_kernels(TARGET app SOURCES ${pair#*:} INCLUDE_PREFIX same)"
done
accepted 'foldwise_add_kernels(TARGET app SOURCES a/x.kernels.cpp INCLUDE_PREFIX a)
          foldwise_add_kernels(TARGET app SOURCES b/x.kernels.cpp INCLUDE_PREFIX b)
          foldwise_add_kernels(TARGET other SOURCES x.kernels.cpp)'
accepted 'foldwise_add_kernels(TARGET app SOURCES x.kernels.cpp)
          foldwise_add_kernels(TARGET app SOURCES ../x.kernels.cpp INCLUDE_PREFIX outer)'
for name in 'no#spec' 'a<spec' 'a>spec' 'a[spec'; do
  cp project/y.kernels.cpp "project/$name.kernels.cpp"
  refused "in its name, which CMake" "foldwise_add_kernels(TARGET app SOURCES \"$name.kernels.cpp\")"
done
accepted 'file(COPY_FILE y.kernels.cpp "${CMAKE_CURRENT_BINARY_DIR}/a[spec].kernels.cpp")
          foldwise_add_kernels(TARGET app SOURCES "${CMAKE_CURRENT_BINARY_DIR}/a[spec].kernels.cpp")'

# The component of an archive that not all libraries have.
refused "COMPONENT is for kernels of object and interface libraries, which are installed as an archive of their own; 'app'" \
  'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp COMPONENT development)'
refused "COMPONENT is empty" 'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp COMPONENT)'
accepted 'add_library(object OBJECT main.cpp)
          foldwise_add_kernels(TARGET object SOURCES y.kernels.cpp COMPONENT development)'

# Modules for Python.
module='foldwise_add_python_module(NAME stats SOURCES y.kernels.cpp'
refused "the module's name has a keyword: write NAME stats" 'foldwise_add_python_module(stats SOURCES y.kernels.cpp)'
refused "specs have a keyword: write SOURCES y.kernels.cpp" 'foldwise_add_python_module(NAME stats y.kernels.cpp)'
for keyword in TARGET PRIVATE INCLUDE_PREFIX; do
  refused "$keyword is a keyword of foldwise_add_kernels alone" "$module $keyword app)"
done
refused "unknown keyword 'TORCHED'; it takes NAME, SOURCES" 'foldwise_add_python_module(TORCHED NAME stats SOURCES y.kernels.cpp)'
refused "there is no file 'TORCHED', and no such keyword; it takes NAME, SOURCES" "$module TORCHED)"
refused "there is no file 'BACKEND', and no such keyword (did you mean BACKENDS?); it takes NAME, SOURCES" "$module BACKEND cpu)"
refused "unknown keyword 'SOURCE' (did you mean SOURCES?); it takes NAME, SOURCES" \
  'foldwise_add_python_module(NAME stats SOURCE y.kernels.cpp)'
refused "NAME is missing or empty" 'foldwise_add_python_module(SOURCES y.kernels.cpp)'
refused "SOURCES is missing or empty" 'foldwise_add_python_module(NAME stats)'
refused "the package has a keyword: write NAME stats PACKAGE pkg.sub" \
  'foldwise_add_python_module(NAME pkg.sub.stats SOURCES y.kernels.cpp)'
refused "NAME '1st' is no module's name" 'foldwise_add_python_module(NAME 1st SOURCES y.kernels.cpp)'
refused "PACKAGE is empty" "$module PACKAGE)"
for package in pkg-sub pkg..sub .pkg pkg. pkg/sub 1st; do
  refused "PACKAGE '$package' is no package's name, such as pkg or pkg.sub" "$module PACKAGE $package)"
done
refused "GRADIENTS is empty" "$module GRADIENTS)"
for pair in f f= =f 'f=f.backward' 'f=g=h'; do
  refused "GRADIENTS takes <function>=<gradient>, not '$pair'" "$module GRADIENTS f=g $pair)"
done
refused "COMPONENT is for a module that is installed; add DESTINATION" "$module COMPONENT python)"
# Modules hide their kernels, so they may have the spec of another target.
accepted "foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp)
  $module)
  foldwise_add_python_module(NAME more SOURCES y.kernels.cpp)"
refused "y.kernels.cpp' is given twice" "$module ./y.kernels.cpp)"
refused "there is a target 'app' already" 'foldwise_add_python_module(NAME app SOURCES y.kernels.cpp)'
refused "a module needs Python 3.10 or later, and /usr/bin/old is 3.9.18; choose another one with -DPython_EXECUTABLE=" \
  "macro(find_package)
     set(Python_Development.Module_FOUND TRUE)
     set(Python_EXECUTABLE /usr/bin/old)
     set(Python_VERSION 3.9.18)
   endmacro()
   $module)"

# Another generator than the package's own.
printf '#!/bin/sh\necho foldwisdom 1.0\n' > other-tool
chmod +x other-tool
for tool in "$WORK/missing" "$WORK/project"; do
  refused "FOLDWISE_GENERATOR_EXECUTABLE is '$tool', and there is no such file" \
    'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp)' -DFOLDWISE_GENERATOR_EXECUTABLE="$tool"
done
for tool in /bin/false "$WORK/other-tool" "$WORK/project/main.cpp"; do
  refused "FOLDWISE_GENERATOR_EXECUTABLE is '$tool', which is not a generator that runs here" \
    'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp)' -DFOLDWISE_GENERATOR_EXECUTABLE="$tool"
done
accepted 'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp)' -DFOLDWISE_GENERATOR_EXECUTABLE="$GENERATOR"
accepted 'add_executable(generator main.cpp)
          set(FOLDWISE_GENERATOR_EXECUTABLE generator)
          foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp)' -UFOLDWISE_GENERATOR_EXECUTABLE

# A program where the generated files are to lie, made before or after.
taken="its kernels are generated in the folder '$WORK/build/app_kernels', which is where the executable"
refused "$taken 'app_kernels' is to be written" \
  'add_executable(app_kernels main.cpp)
   foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp)'
refused "$taken 'late' is to be written" \
  'foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp)
   add_executable(late main.cpp)
   set_target_properties(late PROPERTIES OUTPUT_NAME app_kernels)'
accepted 'add_executable(app_kernels main.cpp)
          set_target_properties(app_kernels PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
          foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp)'

# Languages that a directory does not have.
languages=C
rm -rf build
refused "Foldwise is C++, which is not enabled here: add CXX to the LANGUAGES of project()" ''
mkdir -p project/below
echo 'enable_language(CXX)
find_package(Foldwise CONFIG REQUIRED)' > project/below/CMakeLists.txt
cat > project/CMakeLists.txt <<TEXT
cmake_minimum_required(VERSION 3.25)
project(wrong LANGUAGES C)
add_subdirectory(below)
add_library(above INTERFACE)
foldwise_add_kernels(TARGET above SOURCES y.kernels.cpp)
TEXT
! cmake -S project -B build -G Ninja -DFoldwise_DIR="$BUILD" > log.txt 2>&1 || fail "C++ of another directory"
tr -s ' \n' ' ' < log.txt | grep -q "kernels are C++, which is not enabled here" || { cat log.txt >&2; fail "C++"; }
languages=CXX
rm -rf build

accepted 'find_package(Foldwise CONFIG REQUIRED COMPONENTS runtime OPTIONAL_COMPONENTS nothing)'
refused "there is no Foldwise::nothing here; there are python, runtime" 'find_package(Foldwise CONFIG REQUIRED COMPONENTS runtime nothing)'
if [[ -n $CUDACXX ]]; then
  # Where .cu files cannot include generated headers, a line says so; and only there.
  echo > project/solver.cu
  for standard in 17 20 ""; do
    for source in solver.cu ""; do
      languages="CXX CUDA" accepted "target_sources(app PRIVATE $source)
        ${standard:+set_target_properties(app PROPERTIES CUDA_STANDARD $standard)}
        foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp)"
      told=$(grep -c "the .cu files of target 'app' are compiled as C++17" log.txt || true)
      expected=0
      [[ $standard$source != 17solver.cu ]] || expected=1
      [[ $told == "$expected" ]] || { cat log.txt >&2; fail "told $told times with '$standard' and '$source'"; }
    done
  done
  refused "no Foldwise::cuda here: Foldwise was built without CUDA, or this machine has no CUDA toolkit" \
    'enable_language(CUDA)
     foldwise_add_kernels(TARGET app SOURCES y.kernels.cpp BACKENDS cuda)' -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON
fi
