// Prints what the kernels make of 3, how many of many elements are as they should be, and a reading's value.
#include "first/a.kernels.hpp"
#include "second/a.kernels.hpp"

#include <cstdio>
#include <vector>

int main() {
    const std::vector<float> x{1, 2, 3};
    std::vector<float> scaled(3);
    first::scaled(x, scaled);

    const std::vector<reading> readings{{4}, {5}};
    std::vector<int> values(2);
    first::values(readings, values);

    const std::size_t count = 10007;
    std::vector<double> a(count), b(count), difference(count);
    for (std::size_t i = 0; i < count; ++i) a[i] = static_cast<double>(2 * i), b[i] = static_cast<double>(i);
    second::difference(a, b, difference);
    std::size_t right = 0;
    for (std::size_t i = 0; i < count; ++i) right += difference[i] == static_cast<double>(i);
    std::printf("%g %zu %d\n", static_cast<double>(scaled[2]), right, values[1]);
}
