#include "named (c++).kernels.hpp"

#include <vector>

int squared(int x) {
    std::vector<int> values{x};
    named::squared(values, values);
    return values[0];
}
