# What the scripts of this folder share. From the environment: SOURCE, Foldwise's source tree; BUILD, its build tree;
# GENERATOR, its tool; CXX, CUDACXX and CLANG (the latter two empty: there is none); WORK, a folder of the test's own,
# empty when it starts.
set -euo pipefail

rm -rf "$WORK"
mkdir -p "$WORK"
cd "$WORK"
unset FOLDWISE_EXECUTOR

fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

# Runs a command, whose output only matters if it fails.
quietly() { "$@" > "$WORK/log.txt" 2>&1 || { cat "$WORK/log.txt" >&2; fail "$*"; }; }

# expect TEXT COMMAND...: the command succeeds and its output is the text.
expect() {
  local text=$1 output
  shift
  output=$("$@") || fail "$*"
  [[ $output == "$text" ]] || fail "$* printed '$output' instead of '$text'"
}

# Backends that the consumer is built for. Kernels for a GPU are compiled where there is an nvcc, and not run.
backends="cpu;simulator"
[[ -z $CUDACXX ]] || backends="cuda;$backends"
export CUDAARCHS=${CUDAARCHS:-90}
[[ $CUDAARCHS != native ]] || CUDAARCHS=90
real_architecture=${CUDAARCHS%%[-;]*}

# What these projects compute does not depend on optimisation, so there is none unless a build type asks for it. Where
# there is no GPU, nvcc only checks what is for one, unless a test links device code.
export CXXFLAGS=-O0
if ! nvidia-smi --list-gpus > /dev/null 2>&1; then
  export CUDAFLAGS=-fdevice-syntax-only CUDAARCHS=$real_architecture-virtual
fi

# Compiles what is the same in several projects of one test, or of this test with other generators of CMake, once, if
# there is ccache: what is below a test's folder is the same file in all of them.
share_compilations() {
  command -v ccache > /dev/null || return 0
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache
  export CCACHE_DIR=$BUILD/tests/package/ccache CCACHE_BASEDIR=$WORK CCACHE_MAXSIZE=2G
  unset CCACHE_DISABLE CCACHE_CONFIGPATH
}

# What Python modules have in common takes long to compile. Sets `compiled` to options of CMake for a project that takes
# it as package.python_inline has compiled it, of an installed copy, if that was after the last change of the sources.
take_python_library() {
  local library
  library=$(compgen -G "$(dirname "$WORK")/python_inline/cache/build/*/libfoldwise_python.a" | head -n 1 || true)
  compiled=()
  [[ -n $library && -z $(find "$SOURCE"/{python,runtime/include,cmake} -type f -newer "$library") ]] || return 0
  cat > compiled.cmake <<TEXT
if(NOT TARGET foldwise_python)
  add_library(foldwise_python STATIC IMPORTED GLOBAL)
  set_target_properties(foldwise_python PROPERTIES
    IMPORTED_LOCATION "$library" INTERFACE_LINK_LIBRARIES "Foldwise::runtime;\${CMAKE_DL_LIBS}")
endif()
TEXT
  compiled=(-DCMAKE_PROJECT_INCLUDE="$WORK/compiled.cmake")
}
