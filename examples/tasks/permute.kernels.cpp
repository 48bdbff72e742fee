// Elements change places: gather takes each from where `order` says, scatter puts each there.
#include <foldwise/spec.hpp>

#include <cstdint>

namespace permutation {

auto gather = foldwise::forall([](foldwise::index<1> i, foldwise::view<const double, 1> values,
                                  foldwise::view<const std::int32_t, 1> order,
                                  foldwise::view<double, 1> gathered) { gathered[i] = values[order[i]]; });

/// The inverse of gather. No two tasks write the same element, as long as `order` is a permutation.
auto scatter = foldwise::forall([](foldwise::index<1> i, foldwise::view<const double, 1> values,
                                   foldwise::view<const std::int32_t, 1> order,
                                   foldwise::view<double, 1> scattered) { scattered[order[i]] = values[i]; });

}  // namespace permutation
