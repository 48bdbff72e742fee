#!/usr/bin/env bash
# What decides how and when a target's sources are compiled decides it for its kernels.
# usage: targets.sh CMAKE_GENERATOR
source "$(dirname "$0")/common.sh"
cmake_generator=$1

use() {  # use BUILD BACKENDS
  quietly cmake -S "$SOURCE/tests/package/targets" -B "$1" -G "$cmake_generator" -DFoldwise_DIR="$BUILD" \
    -DBACKENDS="$2" -DCMAKE_BUILD_TYPE=Release
  quietly cmake --build "$1" --parallel 4
  expect "2321010 2321010 7" env FOLDWISE_EXECUTOR=cpu "$1/app"
}

use build cpu
if [[ $cmake_generator == Ninja ]]; then
  ninja -C build -t commands app | grep 'seen.kernels.cpu.cpp.o ' | grep -q -- '-std=c++' || fail "another dialect"
fi

# nvcc's files, too, are compiled for what the target says in the end, and a standard that is required is no obstacle.
if [[ -n $CUDACXX && $cmake_generator == Ninja ]]; then
  use cuda "cpu;cuda"
  ninja -C cuda -t commands app | grep 'kernels.cu.o ' > commands.txt || true
  [[ $(grep -c 'compute_80.*compute_90' commands.txt) == 2 ]] || { cat commands.txt >&2; fail "other architectures"; }
  # Whoever links for the GPU has kernels that are compiled for that.
  quietly cmake cuda -DCMAKE_CUDA_SEPARABLE_COMPILATION=ON
  quietly cmake --build cuda
  [[ $(ninja -C cuda -t commands app | grep -c -- '-rdc=true') == 2 ]] || fail "not separable"
  expect "2321010 2321010 7" env FOLDWISE_EXECUTOR=cpu cuda/app
fi
