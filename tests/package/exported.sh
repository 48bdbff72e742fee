#!/usr/bin/env bash
# Libraries of each kind with kernels are installed and exported, moved, found by another project, and linked there; and
# the same from the build tree.
source "$(dirname "$0")/common.sh"

use() {  # use [option...]
  rm -rf user
  quietly cmake -S "$SOURCE/tests/package/exported/user" -B user -G Ninja -DFoldwise_DIR="$BUILD" "$@"
  quietly cmake --build user
  for kind in static shared object interface; do expect 6 user/$kind; done
}

quietly cmake -S "$SOURCE/tests/package/exported/library" -B library -G Ninja -DFoldwise_DIR="$BUILD" \
  -DBACKENDS="cpu;simulator"
quietly cmake --build library
use -Dkinds_DIR="$WORK/library"

# Nothing of Foldwise is part of what links a library with PRIVATE kernels: neither its package, nor C++20, nor folders.
use_alone() {  # use_alone OPTION
  quietly cmake -S "$SOURCE/tests/package/exported/user" -B alone -G Ninja "$1" -DALONE=ON -DCMAKE_CXX_STANDARD=17 \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
  quietly cmake --build alone
  expect 6 alone/alone
  ! grep -E '(-I|-isystem)' alone/compile_commands.json || fail "include folders of a library that has none"
  rm -rf alone
}
use_alone -Dalone_DIR="$WORK/library"

quietly cmake --install library --prefix "$WORK/here" --component libraries
mv here there
use_alone -DCMAKE_PREFIX_PATH="$WORK/there"
mv library elsewhere
use -DCMAKE_PREFIX_PATH="$WORK/there"

# Two configurations in one prefix, one of them with a postfix: whoever links one gets that one's kernels.
for configuration in Debug Release; do
  quietly cmake -S "$SOURCE/tests/package/exported/library" -B library -G Ninja -DFoldwise_DIR="$BUILD" \
    -DBACKENDS=cpu -DCMAKE_BUILD_TYPE=$configuration -DCMAKE_DEBUG_POSTFIX=d
  quietly cmake --build library
  quietly cmake --install library --prefix "$WORK/both" --component libraries
  rm -rf library
done
for configuration in Debug Release; do
  use -DCMAKE_PREFIX_PATH="$WORK/both" -DCMAKE_BUILD_TYPE=$configuration
  postfix=
  [[ $configuration != Debug ]] || postfix=d
  for kind in object interface; do
    ninja -C user -t commands $kind > commands.txt
    grep -q "lib${kind}_kind_kernels$postfix\\.a" commands.txt || fail "$kind in $configuration"
  done
done
