#include <foldwise/spec.hpp>

namespace object {
auto added = foldwise::vectorize([](int x) { return x + 1; });
}
