#include "below.kernels.hpp"

#include <cstdio>
#include <vector>

int main() {
    std::vector<float> x{1}, out(1);
    below::scaled(x, out);
    std::printf("%d %g\n", SCALE, static_cast<double>(out[0]));
}
