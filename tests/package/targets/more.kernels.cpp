#include <foldwise/spec.hpp>

namespace more {
auto added = foldwise::vectorize([](int x) { return x + 1; });
}
