#!/usr/bin/env bash
# Reports of AddressSanitizer and UndefinedBehaviorSanitizer about kernels on the CPU name the spec by a path that exists,
# and the line in it.
source "$(dirname "$0")/common.sh"

mkdir -p project/src
cat > project/src/wrong.kernels.cpp <<'TEXT2'
#include <foldwise/spec.hpp>
namespace wrong {
auto beyond = foldwise::forall([](foldwise::index<1> i, foldwise::view<float, 1> x) {
    x[i + 1] = 0;  // address
});
inline int next(int x) {
    return x + 1;  // undefined
}
auto overflow = foldwise::vectorize([](int x) { return next(x); });
}
TEXT2
cat > project/main.cpp <<'TEXT2'
#include "wrong.kernels.hpp"

#include <climits>
#include <vector>

int main(int arguments, char**) {
    std::vector<float> x(64);
    std::vector<int> y{INT_MAX}, out(1);
    if (arguments > 1)
        wrong::beyond(x.size(), x);
    else
        wrong::overflow(y, out);
}
TEXT2
cat > project/CMakeLists.txt <<'TEXT2'
cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES CXX)
find_package(Foldwise CONFIG REQUIRED)
add_executable(app main.cpp)
foldwise_add_kernels(TARGET app SOURCES src/wrong.kernels.cpp BACKENDS cpu)
TEXT2
quietly cmake -S project -B build -G Ninja -DFoldwise_DIR="$BUILD" -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_CXX_FLAGS="-fsanitize=address,undefined"
quietly cmake --build build

# reports TEXT MARK ARGUMENT...: the program's report has the text, and the spec's line with that mark.
reports() {
  local text=$1 line
  line=$(grep -n "// $2" project/src/wrong.kernels.cpp | cut -d: -f1)
  shift 2
  # Linux may lay out memory in a way that AddressSanitizer does not expect.
  setarch --addr-no-randomize env FOLDWISE_EXECUTOR=cpu build/app "$@" > report.txt 2>&1 || true
  grep -qF -- "$text" report.txt || { cat report.txt >&2; fail "no report of '$text'"; }
  grep -qF -- "$WORK/project/src/wrong.kernels.cpp:$line" report.txt ||
    { cat report.txt >&2; fail "the report does not name the spec's line $line"; }
}
reports "signed integer overflow" undefined
reports "heap-buffer-overflow" address beyond
