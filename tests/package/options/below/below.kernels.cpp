#include <foldwise/spec.hpp>

#ifdef ELSEWHERE
#error "a definition of another directory than the target's"
#endif

namespace below {
auto scaled = foldwise::vectorize([](float x) { return SCALE * x; });
}
