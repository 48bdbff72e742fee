#!/usr/bin/env bash
# Each public header compiles alone, without a warning, with GCC and with Clang.
source "$(dirname "$0")/common.sh"

for compiler in g++ clang++-22; do
  command -v $compiler > /dev/null || { echo "[SKIP] there is no $compiler"; continue; }
  for header in "$SOURCE"/runtime/include/foldwise/*.hpp; do
    name=foldwise/$(basename "$header")
    echo "#include <$name>" | quietly $compiler -std=c++20 -I"$SOURCE/runtime/include" -x c++ -fsyntax-only \
      -Wall -Wextra -Wpedantic -Wconversion -Werror -
  done
done
