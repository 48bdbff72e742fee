// heat.cpp: a flat in winter. All steps are one call.
#include "colours.hpp"
#include "heat.kernels.hpp"  // generated
#include "numerics.hpp"

#include <algorithm>

namespace {

/// One number for each element, row after row.
struct Field {
    Size size;
    std::vector<float> values;

    Field(Size extents, float value)
        : size(extents), values(static_cast<std::size_t>(extents.width * extents.height), value) {}
    float& at(std::int64_t row, std::int64_t column) {
        return values[static_cast<std::size_t>(row * size.width + column)];
    }
    /// Fills a rectangle whose sides are parts of the whole.
    void fill(double top, double left, double bottom, double right, float value) {
        const auto part = [](double of, std::int64_t all) {
            return static_cast<std::int64_t>(of * static_cast<double>(all));
        };
        for (std::int64_t r = part(top, size.height); r < part(bottom, size.height); ++r)
            for (std::int64_t c = part(left, size.width); c < part(right, size.width); ++c) at(r, c) = value;
    }
    auto onDevice() const { return foldwise::to_device(values).reshape({size.height, size.width}); }
};

/// Walls around and between four rooms, doors, four windows and three radiators.
void furnish(Field& conducts, Field& pull, Field& target) {
    constexpr float wall = 0.001f, air = 1, window = 0.02f;
    constexpr double thick = 0.02;
    conducts.fill(0, 0, 1, 1, wall);
    pull.fill(0, 0, 1, 1, 0);
    conducts.fill(thick, thick, 0.48, 0.58, air);
    conducts.fill(thick, 0.61, 0.48, 1 - thick, air);
    conducts.fill(0.51, thick, 1 - thick, 0.34, air);
    conducts.fill(0.51, 0.37, 1 - thick, 1 - thick, air);
    conducts.fill(0.48, 0.15, 0.51, 0.25, air);  // doors
    conducts.fill(0.20, 0.58, 0.32, 0.61, air);
    conducts.fill(0.70, 0.34, 0.82, 0.37, air);
    for (const double left : {0.2, 0.7}) {
        pull.fill(0, left, thick, left + 0.16, window);
        conducts.fill(0, left, thick, left + 0.16, air);
        pull.fill(1 - thick, left, 1, left + 0.16, window);
        conducts.fill(1 - thick, left, 1, left + 0.16, air);
    }
    for (const auto [top, left] : {std::pair{0.06, 0.24}, {0.88, 0.72}, {0.60, 0.05}}) {
        pull.fill(top, left, top + 0.03, left + 0.1, 0.2f);
        target.fill(top, left, top + 0.03, left + 0.1, 55);
    }
}

}  // namespace

void heatRooms(const Options& options) {
    const Size size = options.size.value_or(Size{480, 360});
    const int steps = options.steps.value_or(10'000);
    Field temperature(size, 12), conducts(size, 0), pull(size, 0), target(size, -5);
    furnish(conducts, pull, target);

    foldwise::array<float> warm;
    const auto got = timed(describe(size) + " elements, " + std::to_string(steps) + " steps", [&] {
        warm = foldwise::array<float>(foldwise::shape{size.height, size.width});
        rooms::heat(temperature.onDevice(), conducts.onDevice(), pull.onDevice(), target.onDevice(), warm,
                    foldwise::steps(steps));
        return warm.to_host();
    });
    double sum = 0;
    for (const float t : got) sum += t;
    std::printf("  %.2f degrees on average, %.2f at least\n", sum / static_cast<double>(got.size()),
                *std::min_element(got.begin(), got.end()));
    if (!options.out.empty()) savePicture(options.out, glowing(rooms::between(warm, -5.0f, 40.0f)));

    if (!options.check) return;
    Field next = temperature;
    for (int step = 0; step < steps; ++step) {
        for (std::int64_t r = 0; r < size.height; ++r)
            for (std::int64_t c = 0; c < size.width; ++c) {
                const float here = temperature.at(r, c), own = conducts.at(r, c);
                const auto from = [&](std::int64_t row, std::int64_t column) {
                    row = std::clamp<std::int64_t>(row, 0, size.height - 1);
                    column = std::clamp<std::int64_t>(column, 0, size.width - 1);
                    return std::min(own, conducts.at(row, column)) * (temperature.at(row, column) - here);
                };
                const float in = from(r - 1, c) + from(r + 1, c) + from(r, c - 1) + from(r, c + 1);
                next.at(r, c) = here + 0.2f * in + pull.at(r, c) * (target.at(r, c) - here);
            }
        std::swap(temperature.values, next.values);
    }
    expectSame(got, temperature.values, 1e-3);
}
