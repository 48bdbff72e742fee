// Two functions of a module that would have the same name; python.sh sees the build refuse them.
#include <foldwise/spec.hpp>

namespace left {
auto square = foldwise::vectorize<float(float)>([](float x) { return x * x; });
}

namespace right {
auto square = foldwise::vectorize<double(double)>([](double x) { return x * x; });
}
