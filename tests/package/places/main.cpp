#include "below.kernels.hpp"
#include "spec.kernels.hpp"

#include <cstdio>
#include <vector>

int squared(int x);

int main() {
    std::vector<int> values{5};
    below::scaled(values, values);
    made::added(values, values);
    std::printf("%d\n", squared(values[0]));
}
