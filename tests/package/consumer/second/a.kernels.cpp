#include <foldwise/spec.hpp>

namespace second {
auto difference = foldwise::vectorize([](double x, double y) { return x - y; });
}
