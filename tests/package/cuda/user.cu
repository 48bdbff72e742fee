#include "more.kernels.hpp"

int main() {
    float x[] = {3};
    more::twice(x, x);
    return x[0] == 6 ? 0 : 1;
}
