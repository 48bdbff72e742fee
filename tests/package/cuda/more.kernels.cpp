#include <foldwise/spec.hpp>

namespace more {
auto twice = foldwise::vectorize([](float x) { return 2 * x; });
}
