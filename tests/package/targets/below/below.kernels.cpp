#include <foldwise/spec.hpp>

namespace below {
auto halved = foldwise::vectorize([](int x) { return x / 2; });
}
