#include "below.kernels.hpp"
#include "made/spec.kernels.hpp"  // wherever the build folder is

#include <cstdio>
#include <vector>

int squared(int x);

int main() {
    std::vector<int> values{5};
    below::scaled(values, values);
    made::added(values, values);
    std::printf("%d\n", squared(values[0]));
}
