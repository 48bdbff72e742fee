#!/usr/bin/env bash
# One row of the matrix: a program with all patterns, with every warning an error, in Foldwise's headers and in what is
# generated, too.
# usage: matrix.sh CONFIGURATION COMPILER [simulator] [unity] [pch] [hidden] [c++23]
source "$(dirname "$0")/common.sh"
configuration=$1 compiler=$2
shift 2

if [[ $compiler == clang ]]; then
  [[ -n $CLANG ]] || exit 0
  export CXX=$CLANG
fi
executors=(cpu)
options=(-DCMAKE_CXX_STANDARD=20)
for word in "$@"; do
  case $word in
    simulator) executors+=(simulator) ;;
    unity) options+=(-DCMAKE_UNITY_BUILD=ON) ;;
    pch) options+=(-DWITH_PCH=ON) ;;
    hidden) options+=(-DCMAKE_CXX_VISIBILITY_PRESET=hidden -DCMAKE_VISIBILITY_INLINES_HIDDEN=ON) ;;
    c++23) options+=(-DCMAKE_CXX_STANDARD=23) ;;
    *) fail "there is no column '$word'" ;;
  esac
done
quietly cmake -S "$SOURCE/tests/package/matrix" -B build -G Ninja -DFoldwise_DIR="$BUILD" \
  -DCMAKE_BUILD_TYPE="$configuration" -DBACKENDS="${executors[*]}" "${options[@]}"
quietly cmake --build build
for executor in "${executors[@]}"; do
  expect "0 3 6 11 1 1 | 15 3 6 1 9 | 4 1.3 10 1.25 7 | 6 2.25 2 0 5 2 5 3" env FOLDWISE_EXECUTOR=$executor build/app
done
