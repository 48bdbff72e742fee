#!/usr/bin/env bash
# Foldwise as a part of another project's build, with the generator of another build, as when cross compiling.
source "$(dirname "$0")/common.sh"

quietly cmake -S "$SOURCE/tests/package/consumer" -B build -G Ninja -DFOLDWISE_SOURCE="$SOURCE" -DLIBRARIES=OFF \
  -DFOLDWISE_BUILD_GENERATOR=OFF -DFOLDWISE_GENERATOR_EXECUTABLE="$GENERATOR"
quietly cmake --build build
expect "7 10007 5" build/app
expect "0 3" build/barrier
