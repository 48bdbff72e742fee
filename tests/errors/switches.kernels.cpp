// tests/errors/switches.kernels.cpp: the options that turn warnings on and off and make them errors.
// RUN: rm -rf %t.out
//
// A warning does not keep the kernel from being generated, and its name is what turns it off.
// RUN: %foldwise --out-dir=%t.out %s -- %include 2>&1 | FileCheck --check-prefix=WARNING %s
// RUN: ls %t.out/switches.kernels.hpp
// RUN: %foldwise --out-dir=%t.out -Wno-recursion %s -- %include 2>&1 | FileCheck --check-prefix=NOTHING --allow-empty %s
// RUN: %foldwise --out-dir=%t.out -w -Werror=recursion %s -- %include 2>&1 | FileCheck --check-prefix=NOTHING --allow-empty %s
//
// The later option wins, and one for a single warning over one for all of them.
// RUN: %foldwise --out-dir=%t.out -Wno-recursion -Wrecursion %s -- %include 2>&1 | FileCheck --check-prefix=WARNING %s
// RUN: %foldwise --out-dir=%t.out -Wno-error=recursion -Werror %s -- %include 2>&1 | FileCheck --check-prefix=WARNING %s
// RUN: %foldwise --out-dir=%t.out -Werror -Wno-recursion %s -- %include 2>&1 | FileCheck --check-prefix=NOTHING --allow-empty %s
//
// Clang's warnings are switched after `--`, ours before.
// RUN: %foldwise --out-dir=%t.out %s -- %include -w 2>&1 | FileCheck --check-prefix=WARNING %s
// RUN: %foldwise --out-dir=%t.out -w %s -- %include -Wunused-macros 2>&1 | FileCheck --check-prefix=CLANGS %s
//
// An error writes nothing.
// RUN: rm -rf %t.out
// RUN: not %foldwise --out-dir=%t.out -Werror %s -- %include 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: not %foldwise --out-dir=%t.out -Wno-recursion -Werror=recursion %s -- %include 2>&1 | FileCheck --check-prefix=ERROR %s
// RUN: not ls %t.out
//
// An unknown name is one line, and the list has all of them.
// RUN: not %foldwise --out-dir=%t.out -Wno-recusion %s -- %include 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// RUN: %foldwise --list-warnings | FileCheck --check-prefix=LIST %s
#include <foldwise/spec.hpp>

#define UNUSED  // CLANGS: warning: macro is not used
                // CLANGS-NOT: recursive

// WARNING: switches.kernels.cpp:[[#@LINE+4]]:{{[0-9]+}}: warning: 'sum' is recursive: {{.*}} [FW021, -Wrecursion]
// ERROR: switches.kernels.cpp:[[#@LINE+3]]:{{[0-9]+}}: error: 'sum' is recursive: {{.*}} [FW021, -Werror, -Wrecursion]
// NOTHING-NOT: {{.}}
inline int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }
auto sums = foldwise::vectorize([](int n) { return sum(n); });

// UNKNOWN: foldwise: error: -Wno-recusion: the generator has no warning 'recusion'; it has those of
// UNKNOWN-SAME: foldwise --list-warnings, and the compiler's are options of the program's target
// UNKNOWN-NOT: {{.}}
// LIST: {{^}}-Wrecursion FW021 {{.+}}
