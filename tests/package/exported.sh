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

quietly cmake --install library --prefix "$WORK/here"
mv here there
mv library elsewhere
use -DCMAKE_PREFIX_PATH="$WORK/there"
