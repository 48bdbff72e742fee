// Prints what the program sees, what its kernels see, and what the library's kernels make of 5.
#include "below.kernels.hpp"
#include "seen.hpp"
#include "seen.kernels.hpp"

#include <cstdio>
#include <vector>

int added(int x);

int main() {
    std::vector<int> kernels{0}, halved{10};
    kernels::seen(kernels, kernels);
    below::halved(halved, halved);
    std::printf("%d %d %d\n", seen(), kernels[0], added(halved[0]));
}
