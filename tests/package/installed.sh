#!/usr/bin/env bash
# A consumer of an installed copy, and of the same copy after it has been moved.
source "$(dirname "$0")/common.sh"

use() {  # use PREFIX
  rm -rf build
  quietly cmake -S "$SOURCE/tests/package/consumer" -B build -G Ninja -DCMAKE_PREFIX_PATH="$1" -DBACKENDS="$backends" \
    -DFOLDWISE_GENERATOR_EXECUTABLE=
  quietly cmake --build build
  expect "0 3" build/barrier
  for executor in cpu simulator; do
    expect "7 10007" env FOLDWISE_EXECUTOR=$executor build/app
    for kind in static shared object interface; do expect 6 env FOLDWISE_EXECUTOR=$executor build/$kind; done
  done
}

quietly cmake --install "$BUILD" --prefix "$WORK/here"
for tree in "$SOURCE" "$BUILD" "$WORK"; do
  ! grep -rFl "$tree" here/lib*/cmake || fail "the package names the folder $tree"
done
use "$WORK/here"

mv here there
use "$WORK/there"

# Without Boost, kernels whose threads do not wait for each other run in the simulator all the same.
quietly cmake -S "$SOURCE/tests/package/consumer" -B without-boost -G Ninja -DCMAKE_PREFIX_PATH="$WORK/there" \
  -DBACKENDS=simulator -DLIBRARIES=OFF -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON
quietly cmake --build without-boost
expect "7 10007" without-boost/app
[[ ! -e without-boost/barrier ]] || fail "Foldwise::simulator without Boost"

# Without CUDA's toolkit the rest of the package is found all the same.
quietly cmake -S "$SOURCE/tests/package/consumer" -B without-cuda -G Ninja -DCMAKE_PREFIX_PATH="$WORK/there" \
  -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON
