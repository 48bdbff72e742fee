#!/usr/bin/env bash
# What decides the meaning of a program decides that of its kernels: macros, folders and options from everywhere that
# CMake takes them from, for each configuration. usage: options.sh CMAKE_GENERATOR
source "$(dirname "$0")/common.sh"
share_compilations
cmake_generator=$1

# What main.cpp prints; where a kernel sees something else, main.cpp says so in brackets.
seen() {  # seen CONFIGURATION
  local release=0 debug=4
  [[ $1 != Release ]] || release=1 debug=3
  echo -n "IN_FLAGS=1 APART_IN_FLAGS=2 IN_FLAGS_OF_CONFIGURATION=$debug" \
    "UNDEFINED_IN_RELEASE=$((1 - release)) IN_DIRECTORY_OPTION=5 IN_DIRECTORY_DEFINITION=6" \
    "ONLY_IN_C=0 IN_LIBRARY_OPTION=7 GUARDED_IN_LIBRARY=8 GUARDED_DEFINITION=9 REDEFINED=14 UNDEFINED=0" \
    "IN_DEBUG=$((10 * (1 - release))) JOINED=11 APART=12 QUOTED=13 BOTH_WAYS=15 GUARDED_OPTION=16" \
    "IN_RELEASE=$((17 * release)) IN_COMPILE_FLAGS=18 APART_IN_COMPILE_FLAGS=19 OF_THE_FILE=20" \
    "OPTION_OF_THE_FILE=21 FLAG_OF_THE_FILE=22 IN_FLAGS_AFTERWARDS=23 BY_OPTION=26 BY_FLAG=25 AFTER=24" \
    "QUOTE_FOLDER=27 FROM_LIBRARY=28 FROM_PROPERTY=29 GUARDED_FOLDER=30 GENERATED=31 FORCED=32 MACROS_ALONE=33" \
    "TEXT=6 OFF=1 __cplusplus=1 NDEBUG=$release __FAST_MATH__=1 RTTI=0 __POPCNT__=1 sizeof(enum)=1 char(-1)=255" \
    "forced=42"
}

configurations=Release
[[ $cmake_generator != *Multi-Config ]] || configurations="Debug Release"
quietly cmake -S "$SOURCE/tests/package/options" -B build -G "$cmake_generator" -DFoldwise_DIR="$BUILD" -DBACKENDS=cpu \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CONFIGURATION_TYPES="Debug;Release"
for configuration in $configurations; do
  quietly cmake --build build --config $configuration
  folder=build
  [[ $cmake_generator != *Multi-Config ]] || folder=build/$configuration
  expect "$(seen $configuration)" $folder/app
  expect "7 7" $folder/above
  expect "the same" $folder/order
done

# nvcc compiles with the same, and has no other types.
if [[ -n $CUDACXX && $cmake_generator == Ninja ]]; then
  quietly cmake -S "$SOURCE/tests/package/options" -B cuda -G Ninja -DFoldwise_DIR="$BUILD" -DBACKENDS=cuda
  ! cmake --build cuda --target app_kernels > log.txt 2>&1 || fail "nvcc and -fshort-enums"
  grep -q "'-fshort-enums' changes types in a way that nvcc cannot follow" log.txt || fail "nothing is said of nvcc"
  quietly cmake cuda -DTYPES=OFF
  quietly cmake --build cuda --target app_kernels
fi
