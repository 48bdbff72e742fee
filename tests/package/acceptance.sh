#!/usr/bin/env bash
# The programs of tests/acceptance, a user's project: built for every backend by GCC and by Clang, and run on those that
# need no GPU.
# usage: acceptance.sh PROGRAM...
source "$(dirname "$0")/common.sh"

cuda_level=-O3
if ! nvidia-smi --list-gpus > /dev/null 2>&1; then
  cuda_level=-O0
fi

# What all main files include takes most of their time, and is parsed once. The generated header of one that is checked
# has other macros.
cat > precompile.cmake <<'TEXT'
function(precompile)
  target_precompile_headers(elementwise PRIVATE <foldwise/runtime.hpp> <cstdint> <numeric> <string> <vector>)
  foreach(program reduce scan forall blocks scatter random guvectorize stencil)
    target_precompile_headers(${program} REUSE_FROM elementwise)
  endforeach()
endfunction()
cmake_language(DEFER CALL precompile)
TEXT

use() {  # use COMPILER BACKENDS PROGRAM...
  local compiler=$1 backends=$2
  shift 2
  rm -rf build
  quietly cmake -S "$SOURCE/tests/acceptance" -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DFoldwise_DIR="$BUILD" \
    -DCMAKE_CXX_FLAGS_RELEASE="-O0 -DNDEBUG" -DCMAKE_CUDA_FLAGS_RELEASE="$cuda_level -DNDEBUG" \
    -DCMAKE_CXX_COMPILER="$compiler" -DBACKENDS="$backends" -DFOLDWISE_SIMULATOR_OPTIONS= \
    -DCMAKE_PROJECT_INCLUDE="$WORK/precompile.cmake"
  quietly cmake --build build --target "$@"
  for program in "$@"; do
    for executor in cpu simulator; do
      expect "${program%_checked}: 0 failed" env FOLDWISE_EXECUTOR=$executor "build/$program"
    done
  done
}

# That both compilers take all of it and that it computes what it should is tested here; kernels as users compile them, with
# -O3 and -Og, are those of tests/run and of matrix.sh.
use "$CXX" "$backends" "$@"
use clang++-22 "cpu;simulator" "$@"
