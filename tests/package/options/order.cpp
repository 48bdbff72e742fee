// Prints what the program sees, and whether the kernel sees the same.
#include "order.hpp"

#include "order.kernels.hpp"

#include <cstdio>
#include <vector>

int main() {
    const std::vector<int> one{1};
    const int in_kernel = order(one, foldwise::cpu()).to_host()[0];
    if (in_kernel == seen)
        std::printf("the same\n");
    else
        std::printf("%d, and the kernel %d\n", seen, in_kernel);
}
