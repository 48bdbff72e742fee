#include <foldwise/spec.hpp>

#include <cmath>

#if !defined FOR_CXX || defined FOR_CUDA
#error "a spec is C++ to the target"
#endif

namespace existing {
auto root = foldwise::vectorize([](float x) { return std::sqrt(x); });
}
