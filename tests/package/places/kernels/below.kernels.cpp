#include <foldwise/spec.hpp>

namespace below {
auto scaled = foldwise::vectorize([](int x) { return x * FACTOR; });
}
