#include <foldwise/spec.hpp>

namespace apart {
auto doubled = foldwise::vectorize([](int x) { return 2 * x; });
}
