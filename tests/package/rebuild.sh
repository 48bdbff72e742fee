#!/usr/bin/env bash
# Touched headers, changed ones, changed definitions: exactly the spec that depends on them is generated again, once.
source "$(dirname "$0")/common.sh"
share_compilations
cmake_generator=$1

cp -r "$SOURCE/tests/package/consumer" consumer
configure() {
  quietly cmake -S consumer -B build -G "$cmake_generator" -DFoldwise_DIR="$BUILD" -DLIBRARIES=OFF \
    -DCMAKE_CONFIGURATION_TYPES=Release "$@"
}

# build WHAT...: builds; exactly these specs are generated.
build() {
  cmake --build build > build.txt 2>&1 || { cat build.txt >&2; fail "the build"; }
  local generated wanted
  generated=$(sed -n 's/.*Generating kernels from //p' build.txt | sort | xargs)
  wanted=$(printf '%s\n' "$@" | sort | xargs)
  [[ $generated == "$wanted" ]] || { cat build.txt >&2; fail "generated '$generated' instead of '$wanted'"; }
}

# Builds; nothing at all is done.
build_nothing() {
  build
  ! grep -E 'Building|Linking' build.txt || fail "there was work to do"
  [[ $cmake_generator != Ninja* ]] || grep -q 'no work to do' build.txt || { cat build.txt >&2; fail "not idle"; }
}

# Time stamps must differ, and not every file system counts fractions of seconds.
later() { sleep 1.1; }

app=build/app
[[ $cmake_generator != *Multi-Config ]] || app=build/Release/app

configure
build first/a.kernels.cpp second/a.kernels.cpp
expect "7 10007 5" $app
build_nothing

later
touch consumer/include/scale.hpp
build first/a.kernels.cpp
[[ $cmake_generator != Ninja* ]] || ! grep Building build.txt || fail "compiled although nothing was generated anew"
build_nothing

later
sed -i 's/SCALE 2/SCALE 4/' consumer/include/scale.hpp
build first/a.kernels.cpp
expect "13 10007 5" $app
build_nothing

later
touch consumer/second/a.kernels.cpp
build second/a.kernels.cpp
build_nothing

later
configure -DOFFSET=5  # a definition of the target, so for both specs
build first/a.kernels.cpp second/a.kernels.cpp
expect "17 10007 5" $app
build_nothing

# A build folder may lose backends and get them again.
later
configure -DBACKENDS=cpu
build first/a.kernels.cpp second/a.kernels.cpp
expect "17 10007 5" $app
build_nothing
later
configure "-DBACKENDS=cpu;simulator"
build first/a.kernels.cpp second/a.kernels.cpp
expect "17 10007 5" $app
build_nothing
