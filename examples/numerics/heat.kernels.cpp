// Heat in rooms. Between two neighbours flows what the one that conducts less lets through.
#include <foldwise/spec.hpp>

#include <algorithm>

namespace rooms {

using field = foldwise::around<const float, 2>;

inline float flow(float here, float there, float conducts, float conducts_there) {
    return std::min(conducts, conducts_there) * (there - here);
}

/// The temperature one step later. `pull` says how fast an element goes to its `target`: a fifth for a radiator, less
/// for a window, 0 for all others.
auto heat = foldwise::stencil(
    [](field t, field conducts, float pull, float target) {
        const float here = t(0, 0), own = conducts(0, 0);
        const float in = flow(here, t(-1, 0), own, conducts(-1, 0)) + flow(here, t(1, 0), own, conducts(1, 0)) +
                         flow(here, t(0, -1), own, conducts(0, -1)) + flow(here, t(0, 1), own, conducts(0, 1));
        return here + 0.2f * in + pull * (target - here);
    },
    foldwise::edge::nearest);

/// From 0 to 1 between these temperatures.
auto between =
    foldwise::vectorize([](float t, float coldest, float warmest) { return (t - coldest) / (warmest - coldest); });

}  // namespace rooms
