#include <foldwise/spec.hpp>

namespace named {
auto squared = foldwise::vectorize([](int x) { return x * x; });
}
