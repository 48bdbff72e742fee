#!/usr/bin/env bash
# Shared libraries with kernels, used together: what they show others, with symbols hidden and with the default, that
# their runtimes do not disturb one another, and that debuggers find the sources of their kernels.
source "$(dirname "$0")/common.sh"

results=$'120 120 caught caught caught caught\n120 120 caught caught caught caught'
use() {  # use NAME [option...]
  quietly cmake -S "$SOURCE/tests/package/shared" -B "$1" -G Ninja -DFoldwise_DIR="$BUILD" "${@:2}"
  quietly cmake --build "$1"
  expect "$results" "$1/app"
}

use open -DFOLDWISE_SOURCE_PATHS=RELATIVE
grep -q '#line [0-9]* "first.kernels.cpp"' open/first_kernels/first.kernels.cu || fail "not the same text in every folder"
nm -D --defined-only open/libfirst.so | c++filt > symbols.txt
! grep -E 'foldwise::detail::(run_|check|resolve)|foldwise::simulator' symbols.txt || fail "the runtime is visible"

# Of Foldwise only its exceptions are visible: typeid must be the same in all libraries. In a Release build, functions that
# select a kernel for the machine are not visible either.
for kind in Debug Release; do
  use "hidden-$kind" -DCMAKE_BUILD_TYPE=$kind -DCMAKE_CXX_VISIBILITY_PRESET=hidden \
    -DCMAKE_VISIBILITY_INLINES_HIDDEN=ON
  for name in first second; do
    nm -D --defined-only "hidden-$kind/lib$name.so" | c++filt | cut -d ' ' -f 3- > symbols.txt
    grep "^$name::" symbols.txt | cut -d '(' -f 1 | sort | uniq -c | tr -s ' \n' ' ' > own.txt
    expect " 1 $name::fail_in_a_kernel 1 $name::reversed 1 $name::total 4 $name::twice " cat own.txt
    ! grep foldwise symbols.txt | grep -vE "^$name::|^(typeinfo|typeinfo name|vtable) for foldwise::[a-z_]+\$" ||
      fail "visible in lib$name.so ($kind)"
  done
done

# In debug information, every kernel's file is one that is there.
nm -C hidden-Debug/libfirst.so | grep -E ' [Tt] foldwise_(cpu|simulator)::first::' > symbols.txt
cut -d ' ' -f 1 symbols.txt | addr2line -e hidden-Debug/libfirst.so | sed 's/:[0-9?]*\( .*\)\?$//' | sort -u > files.txt
while read -r file; do [[ -f $file ]] || fail "debug information names the file '$file'"; done < files.txt
for file in first.kernels.cpp first_kernels/first.kernels.cpu.cpp first_kernels/first.kernels.cu; do
  grep -qx "$PWD/hidden-Debug/$file" files.txt || { cat files.txt >&2; fail "debug information does not name $file"; }
done
