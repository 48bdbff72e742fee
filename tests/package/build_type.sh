#!/usr/bin/env bash
# Kernels are optimised where no build type says how, which is told once; what the user says of -O holds.
source "$(dirname "$0")/common.sh"
unset CXXFLAGS CUDAFLAGS

languages=CXX
[[ -z $CUDACXX ]] || languages="CXX CUDA"
mkdir project
for spec in a b c d; do
  printf '#include <foldwise/spec.hpp>\nauto %s = foldwise::vectorize([](float x) { return 2 * x; });\n' $spec \
    > project/$spec.kernels.cpp
done
echo 'int main() {}' > project/main.cpp
cat > project/CMakeLists.txt <<TEXT
cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES $languages)
find_package(Foldwise CONFIG REQUIRED)
add_executable(app main.cpp)
foldwise_add_kernels(TARGET app SOURCES a.kernels.cpp)
foldwise_add_kernels(TARGET app SOURCES b.kernels.cpp \${KEYWORDS})
if(TARGET Foldwise::simulator)
  set_source_files_properties(d.kernels.cpp PROPERTIES COMPILE_OPTIONS -O1)
  foldwise_add_kernels(TARGET app SOURCES c.kernels.cpp d.kernels.cpp BACKENDS cpu simulator \${KEYWORDS})
endif()
target_compile_options(app PRIVATE \${APP_OPTIONS})
TEXT

configure() {  # configure OPTION...: without those of the time before; what CMake knows of the compilers stays
  env -u CMAKE_BUILD_TYPE cmake -S project -B build -G "${cmake_generator:-Ninja}" -DFoldwise_DIR="$BUILD" \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -U CMAKE_BUILD_TYPE -U CMAKE_CXX_FLAGS -U APP_OPTIONS -U KEYWORDS \
    -U FOLDWISE_SIMULATOR_OPTIONS "$@" > log.txt 2>&1 || { cat log.txt >&2; fail "configure $*"; }
}

# levels FILE: the -O options of the file's command, in their order.
levels() { grep '"command"' build/compile_commands.json | grep -F " $1" | grep -oE -- '(-Xcompiler=)?-O[0-9a-z]+' | xargs; }

# compiled FILE LEVELS
compiled() { [[ $(levels "$1") == "$2" ]] || fail "$1 is compiled with '$(levels "$1")' instead of '$2'"; }

told() { grep -c 'CMAKE_BUILD_TYPE is empty; kernels are compiled with -O2' log.txt || true; }

cpu=-c\ $WORK/build/app_kernels/a.kernels.cpu.cpp
configure
compiled "$cpu" -O2
compiled "-c $WORK/build/app_kernels/b.kernels.cpu.cpp" -O2
compiled "-c $WORK/project/main.cpp" ""
[[ -z $CUDACXX ]] || compiled "-c $WORK/build/app_kernels/a.kernels.cu" -Xcompiler=-O2
[[ $(told) == 1 ]] || { cat log.txt >&2; fail "told $(told) times"; }

# The target's own options have the last word, and DEBUG has its own.
configure -DAPP_OPTIONS=-O1 -DKEYWORDS=DEBUG
compiled "$cpu" "-O2 -O1"
compiled "-c $WORK/build/app_kernels/b.kernels.cpu.cpp" "-O1 -O0"

for flags in -O0 "-g -O3"; do
  configure -DCMAKE_CXX_FLAGS="$flags"
  compiled "$cpu" "${flags#-g }"
  [[ $(told) == 0 ]] || fail "told with CMAKE_CXX_FLAGS=$flags"
done
configure -DCMAKE_BUILD_TYPE=Debug
compiled "$cpu" ""
configure -DCMAKE_BUILD_TYPE=Release
compiled "$cpu" -O3
[[ $(told) == 0 ]] || fail "told of a Release build"

# Kernels on the simulator are optimised little, unless the user says otherwise of all or of a spec.
if [[ -f $BUILD/FoldwiseSimulatorTargets.cmake ]]; then
  simulated() { compiled "-c $WORK/build/app_kernels/$1.kernels.simulator.cpp" "$2"; }
  configure -DCMAKE_BUILD_TYPE=Release
  simulated c "-O3 -Og"
  simulated d "-O3 -Og -O1"
  compiled "-c $WORK/build/app_kernels/d.kernels.cpu.cpp" "-O3 -O1"
  configure -DCMAKE_BUILD_TYPE=Release -DFOLDWISE_SIMULATOR_OPTIONS=
  simulated c -O3
  simulated d "-O3 -O1"
  for options in -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_BUILD_TYPE=Debug -DFOLDWISE_SIMULATOR_OPTIONS=-O1"; do
    configure $options
    simulated c ""
  done
  configure -DCMAKE_BUILD_TYPE=Release -DKEYWORDS=DEBUG
  simulated c "-O3 -O0"
fi
