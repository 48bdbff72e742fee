#include <foldwise/spec.hpp>

namespace alone {
auto twice = foldwise::vectorize([](float x) { return 2 * x; });
}
