// A program with kernels that a Python module has, too.
#include "second.kernels.hpp"

#include <vector>

int main() { return functions::sum(std::vector<double>{1, 2, 4}) == 7 ? 0 : 1; }
