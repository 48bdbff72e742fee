#include "more.kernels.hpp"
#include "object.kernels.hpp"

#include <vector>

int added(int x);

int added(int x) {
    std::vector<int> values{x};
    object::added(values, values);
    more::added(values, values);
    return values[0];
}
