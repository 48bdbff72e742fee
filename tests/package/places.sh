#!/usr/bin/env bash
# Kernels in every place: build folders beside the sources and within them, targets of another directory, names with
# characters that mean something to CMake. usage: places.sh CMAKE_GENERATOR
source "$(dirname "$0")/common.sh"
share_compilations
cmake_generator=$1

sources="$WORK/a folder+of (c++) [x]"
cp -r "$SOURCE/tests/package/places" "$sources"
for build in "$WORK/a build+of (c++) 100% [x]" "$sources/build"; do
  quietly cmake -S "$sources" -B "$build" -G "$cmake_generator" -DFoldwise_DIR="$BUILD" -DBACKENDS=cpu
  quietly cmake --build "$build"
  app="$build/app"
  [[ $cmake_generator != *Multi-Config ]] || app="$build/Debug/app"
  expect 361 "$app"
  quietly cmake --build "$build"
  ! grep -E 'Generating|Building|Linking' log.txt || fail "there was work to do in $build"
done
