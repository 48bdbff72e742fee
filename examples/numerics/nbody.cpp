// nbody.cpp: two galaxies that pass each other.
#include "colours.hpp"
#include "nbody.kernels.hpp"  // generated
#include "numerics.hpp"

#include <numbers>
#include <random>
#include <utility>

namespace {

using gravity::Body, gravity::Vector;

/// A heavy body and others that go round it, in a plane that is tilted about the x axis.
void addGalaxy(std::size_t count, Vector at, Vector velocity, double tilt, std::mt19937& random,
               std::vector<Body>& bodies, std::vector<Vector>& velocities) {
    bodies.push_back({at, 1});
    velocities.push_back(velocity);
    std::uniform_real_distribution<double> part(0, 1);
    for (std::size_t i = 1; i < count; ++i) {
        const double radius = 0.15 + 0.95 * std::sqrt(part(random)), angle = 2 * std::numbers::pi * part(random);
        const double speed = std::sqrt(1 / radius);
        const auto tilted = [&](double x, double y, Vector from) {
            return Vector{from.x + static_cast<float>(x), from.y + static_cast<float>(y * std::cos(tilt)),
                          from.z + static_cast<float>(y * std::sin(tilt))};
        };
        bodies.push_back({tilted(radius * std::cos(angle), radius * std::sin(angle), at), 1e-5f});
        velocities.push_back(tilted(-speed * std::sin(angle), speed * std::cos(angle), velocity));
    }
}

std::vector<float> coordinates(const std::vector<Body>& bodies) {
    std::vector<float> all;
    for (const Body& body : bodies) all.insert(all.end(), {body.at.x, body.at.y, body.at.z});
    return all;
}

}  // namespace

void moveBodies(const Options& options) {
    const auto count = static_cast<std::size_t>(options.size.value_or(Size{4096, 4096}).width);
    const int steps = options.steps.value_or(200);
    constexpr float seconds = 0.01f;
    std::mt19937 random(5);
    std::vector<Body> bodies;
    std::vector<Vector> velocities;
    addGalaxy(count - count / 2, {-1.3f, -0.5f, 0}, {0.45f, 0, 0}, 0.4, random, bodies, velocities);
    addGalaxy(count / 2, {1.3f, 0.5f, 0.3f}, {-0.45f, 0, 0}, -0.9, random, bodies, velocities);
    const auto n = static_cast<std::int64_t>(bodies.size());

    foldwise::array<Body> now;
    timed(std::to_string(n) + " bodies, " + std::to_string(steps) + " steps", [&] {
        now = foldwise::to_device(bodies);
        auto speeds = foldwise::to_device(velocities);
        foldwise::array<Body> later(foldwise::shape{n});
        for (int step = 0; step < steps; ++step) {
            gravity::step(n, now, speeds, seconds, later);
            std::swap(now, later);
        }
        return now.to_host();
    });

    if (!options.out.empty()) {
        const Size size{480, 360};
        auto light = gravity::light(now, 110.0f, 240.0f, 180.0f, foldwise::shape{size.height, size.width});
        savePicture(options.out, glowing(gravity::seen(light)));
    }
    if (!options.check) return;
    const std::vector<Body> got = now.to_host();
    for (int step = 0; step < steps; ++step) {
        std::vector<Body> next = bodies;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            Vector& speed = velocities[i];
            Vector sum{0, 0, 0};
            for (const Body& other : bodies) {
                const Vector& here = bodies[i].at;
                const float x = other.at.x - here.x, y = other.at.y - here.y, z = other.at.z - here.z;
                const float by = other.mass / std::pow(x * x + y * y + z * z + 0.0004f, 1.5f);
                sum = {sum.x + by * x, sum.y + by * y, sum.z + by * z};
            }
            speed = {speed.x + sum.x * seconds, speed.y + sum.y * seconds, speed.z + sum.z * seconds};
            Vector& at = next[i].at;
            at = {at.x + speed.x * seconds, at.y + speed.y * seconds, at.z + speed.z * seconds};
        }
        bodies = std::move(next);
    }
    expectSame(coordinates(got), coordinates(bodies), 1e-4);
}
