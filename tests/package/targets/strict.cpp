#include "strict.kernels.hpp"

#include <cstdio>
#include <vector>

int main() {
    const std::vector<int> x{1, 100};
    const std::vector<int> y = limited(x).to_host();
    std::printf("%d %d\n", y[0], y[1]);
}
