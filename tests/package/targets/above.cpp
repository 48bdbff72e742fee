#include "apart.kernels.hpp"

int main() {}
