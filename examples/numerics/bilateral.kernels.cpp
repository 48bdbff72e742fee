// A bilateral filter: each pixel becomes the mean of those around it, near ones and similar ones first, so that noise
// goes and edges stay (Tomasi and Manduchi, 1998).
#include <foldwise/spec.hpp>

#include <cmath>
#include <cstdint>
#include <tuple>

namespace photograph {

using plane = foldwise::around<const std::uint8_t, 2>;

inline constexpr int reach = 5;

inline std::uint8_t byte_of(float light) { return static_cast<std::uint8_t>(light + 0.5f); }

/// `distance` says which pixels are near, in pixels, and `difference` which are similar, in steps of 255.
auto smooth = foldwise::stencil(
    [](plane red, plane green, plane blue, float distance, float difference) {
        const float near = -0.5f / (distance * distance), similar = -0.5f / (difference * difference);
        const float own_r = red(0, 0), own_g = green(0, 0), own_b = blue(0, 0);
        float r = 0, g = 0, b = 0, all = 0;
        for (int i = -reach; i <= reach; ++i)
            for (int j = -reach; j <= reach; ++j) {
                const float at_r = red(i, j), at_g = green(i, j), at_b = blue(i, j);
                const float dr = at_r - own_r, dg = at_g - own_g, db = at_b - own_b;
                const float weight =
                    std::exp(near * static_cast<float>(i * i + j * j) + similar * (dr * dr + dg * dg + db * db));
                r += weight * at_r;
                g += weight * at_g;
                b += weight * at_b;
                all += weight;
            }
        return std::tuple(byte_of(r / all), byte_of(g / all), byte_of(b / all));
    },
    foldwise::edge::mirror);

}  // namespace photograph
