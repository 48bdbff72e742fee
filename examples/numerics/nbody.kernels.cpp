// Bodies that attract one another: a block reads the bodies in tiles, which all of its items then look at.
#include <foldwise/spec.hpp>

#include <array>
#include <cmath>
#include <cstdint>

namespace gravity {

using foldwise::block;
using foldwise::index;
using foldwise::view;

struct Vector {
    float x, y, z;
};

struct Body {
    Vector at;
    float mass;
};

inline constexpr float softening = 0.02f;  // keeps bodies that meet from being thrown out
inline constexpr int tile = 256;

/// What `other` adds to the acceleration of a body at `here`. The constant of gravitation is 1.
inline Vector pull(Vector here, const Body& other) {
    const Vector way{other.at.x - here.x, other.at.y - here.y, other.at.z - here.z};
    const float squared = way.x * way.x + way.y * way.y + way.z * way.z + softening * softening;
    const float by = other.mass / (squared * std::sqrt(squared));
    return {way.x * by, way.y * by, way.z * by};
}

/// One step in time: new velocities, and new places with these.
auto step = foldwise::blocks<tile>(
    [](block<1> b, view<const Body, 1> bodies, view<Vector, 1> velocities, float seconds, view<Body, 1> later) {
        auto others = b.shared<Body, tile>();
        auto here = b.own(Vector{0, 0, 0});
        auto sum = b.own(Vector{0, 0, 0});
        b.each([&](index<1> t) {
            if (bodies.has(b.at(t))) here[t] = bodies[b.at(t)].at;
        });
        for (std::int64_t first = 0; first < bodies.extent(0); first += tile) {
            b.each([&](index<1> t) {
                const index<1> other(first + t);
                others[t] = bodies.has(other) ? bodies[other] : Body{{0, 0, 0}, 0};
            });
            b.each([&](index<1> t) {
                for (int k = 0; k < tile; ++k) {
                    const Vector by = pull(here[t], others(k));
                    sum[t] = {sum[t].x + by.x, sum[t].y + by.y, sum[t].z + by.z};
                }
            });
        }
        b.each([&](index<1> t) {
            if (!bodies.has(b.at(t))) return;
            const Vector old = velocities[b.at(t)], from = here[t], by = sum[t];
            const Vector now{old.x + by.x * seconds, old.y + by.y * seconds, old.z + by.z * seconds};
            velocities[b.at(t)] = now;
            later[b.at(t)] = {{from.x + now.x * seconds, from.y + now.y * seconds, from.z + now.z * seconds},
                              bodies[b.at(t)].mass};
        });
    });

/// A body's light, shared among the four pixels around it. There are `scale` pixels to a unit of length.
auto light = foldwise::scatter<float(Body, float, float, float)>(
    foldwise::map([](Body body, float scale, float middle_x, float middle_y) {
        const float x = body.at.x * scale + middle_x, y = body.at.y * scale + middle_y;
        const float column = std::floor(x), row = std::floor(y), right = x - column, below = y - row;
        const auto c = static_cast<std::int64_t>(column), r = static_cast<std::int64_t>(row);
        return std::array{foldwise::at(index<2>(r, c), (1 - right) * (1 - below)),
                          foldwise::at(index<2>(r, c + 1), right * (1 - below)),
                          foldwise::at(index<2>(r + 1, c), (1 - right) * below),
                          foldwise::at(index<2>(r + 1, c + 1), right * below)};
    }),
    [](float a, float b) { return a + b; }, foldwise::identity(0));

/// As an eye sees it, which takes ten times the light for little more.
auto seen = foldwise::vectorize([](float light) { return std::log1p(20 * light) / 4; });

}  // namespace gravity
