#include "seen.hpp"

#include <foldwise/spec.hpp>

namespace macros {
auto seen = foldwise::vectorize([](int what) { return ::seen(what); });
auto doubled = foldwise::vectorize([](forced value) { return forced{value.number * 2}; });
}  // namespace macros
