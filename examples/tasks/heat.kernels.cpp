// Heat in a plate: each point takes the mean of its four neighbours, and the edge keeps its temperature.
#include <foldwise/spec.hpp>

namespace plate {

auto relax =
    foldwise::forall([](foldwise::index<2> at, foldwise::view<const double, 2> now, foldwise::view<double, 2> next) {
        const auto [r, c] = at;
        const bool edge = r == 0 || c == 0 || r + 1 == now.extent(0) || c + 1 == now.extent(1);
        next[at] = edge ? now[at] : 0.25 * ((now(r - 1, c) + now(r + 1, c)) + (now(r, c - 1) + now(r, c + 1)));
    });

}  // namespace plate
