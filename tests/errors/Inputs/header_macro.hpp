// tests/errors/Inputs/header_macro.hpp: names that are macros in headers which the spec does not include.
#pragma once

struct bits {
    int CHAR_BIT;  // expected-error {{'CHAR_BIT' is a macro}}
};
inline int assert(int x) { return x; }  // expected-error {{'assert' is a macro}}
