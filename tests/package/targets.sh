#!/usr/bin/env bash
# What decides how and when a target's sources are compiled decides it for its kernels.
# usage: targets.sh CMAKE_GENERATOR
source "$(dirname "$0")/common.sh"
share_compilations
cmake_generator=$1

use() {  # use BUILD BACKENDS
  quietly cmake -S "$SOURCE/tests/package/targets" -B "$1" -G "$cmake_generator" -DFoldwise_DIR="$BUILD" \
    -DBACKENDS="$2" -DCMAKE_BUILD_TYPE=Release
  quietly cmake --build "$1" --parallel 4
  expect "2321010 2321010 7" env FOLDWISE_EXECUTOR=cpu "$1/app"
  expect "2 7" env FOLDWISE_EXECUTOR=cpu "$1/strict"
}

use build "cpu;simulator"
for executor in cpu simulator; do
  expect "done noticed done noticed" env FOLDWISE_EXECUTOR=$executor build/both
done
! cmake --build build --target sloppy_kernels > log.txt 2>&1 || fail "no warning of the user's own text"
grep -q 'sloppy.kernels.cpp:4:.*unused' log.txt || { cat log.txt >&2; fail "nothing is said of what is unused"; }
! grep -q 'limit.hpp' log.txt || { cat log.txt >&2; fail "a warning of a library's text"; }
if [[ $cmake_generator == Ninja ]]; then
  ninja -C build -t commands app | grep 'seen.kernels.cpu.cpp.o ' | grep -q -- '-std=c++' || fail "another dialect"
fi

# Clang gives warnings of its own.
if [[ -n $CLANG && $cmake_generator == Ninja ]]; then CXX=$CLANG use clang cpu; fi

# nvcc's files, too, are compiled for what the target says in the end, and a standard that is required is no obstacle.
if [[ -n $CUDACXX && $cmake_generator == Ninja ]]; then
  use cuda "cpu;cuda"
  ninja -C cuda -t commands app | grep 'kernels.cu.o ' > commands.txt || true
  [[ $(grep -c 'compute_80.*compute_90' commands.txt) == 2 ]] || { cat commands.txt >&2; fail "other architectures"; }
  [[ $(grep -c -- '-Xfatbin=-compress-all' commands.txt) == 2 ]] || { cat commands.txt >&2; fail "not compressed"; }
  # Kernels have no handles for <<<>>>, which take up to half of an object.
  find cuda -name '*.kernels.cu.o' -exec nm -u {} + > undefined.txt
  grep -q cudaLaunchKernelExC undefined.txt || fail "no objects of kernels"
  ! grep -q __cudaGetKernel undefined.txt || fail "kernels have handles"
  # Whoever links for the GPU has kernels that are compiled for that; and compressed as the user says.
  quietly cmake cuda -DCMAKE_CUDA_SEPARABLE_COMPILATION=ON -DCMAKE_CUDA_ARCHITECTURES="$real_architecture" \
    -DCMAKE_CUDA_FLAGS="-Werror=all-warnings -Xcompiler=-Wall,-Wextra -compress-mode=speed"
  quietly cmake --build cuda
  [[ $(ninja -C cuda -t commands app | grep -c -- '-rdc=true') == 2 ]] || fail "not separable"
  ! ninja -C cuda -t commands app | grep -e '-compress-all' || fail "compressed in two ways"
  expect "2321010 2321010 7" env FOLDWISE_EXECUTOR=cpu cuda/app
  # There is one runtime library of CUDA's in a program, the one that the program asks for.
  runtimes() {  # runtimes: which ones are in the program
    nm cuda/app > symbols.txt
    readelf -d cuda/app > needed.txt
    ! grep -q ' [Tt] cudaLaunchKernel' symbols.txt || echo -n static
    ! grep -q 'NEEDED.*libcudart' needed.txt || echo -n shared
  }
  expect static runtimes
  quietly cmake cuda -DCMAKE_CUDA_RUNTIME_LIBRARY=Shared
  quietly cmake --build cuda
  expect shared runtimes
  expect "2321010 2321010 7" env FOLDWISE_EXECUTOR=cpu cuda/app
fi
