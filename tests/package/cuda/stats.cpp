#include "more.kernels.hpp"
