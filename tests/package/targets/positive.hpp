// A function of two specs.
#pragma once

#include <foldwise/spec.hpp>

inline int positive(int x) {
    if (x <= 0) foldwise::fail("not positive");
    return x;
}

template <class View> inline int element(const View& x, int i) { return positive(x[foldwise::index<1>(i)]); }
