// heat.cpp: many steps with two arrays that stay where the kernels run and change places after each.
#include "heat.kernels.hpp"  // generated
#include "tasks.hpp"

#include <utility>

void heatPlate(const Options& options) {
    const Size size = options.size.value_or(Size{1000, 1000});
    const int steps = options.steps.value_or(1000);
    const foldwise::shape shape{size.height, size.width};
    const auto width = static_cast<std::size_t>(size.width), height = static_cast<std::size_t>(size.height);
    std::vector<double> plate(width * height);
    for (std::size_t c = 0; c < width; ++c) plate[c] = 100;  // the upper edge is hot

    const auto warm = timed(describe(size) + " points, " + std::to_string(steps) + " steps", [&] {
        auto now = foldwise::to_device(plate).reshape(shape);
        foldwise::array<double> next(shape);
        for (int step = 0; step < steps; ++step) {
            plate::relax(shape, now, next);
            std::swap(now, next);
        }
        return now.to_host();
    });
    std::printf("  below the hot edge's middle: ");
    for (std::size_t row = 0; row < 6 && row < height; ++row) std::printf(" %.2f", warm[row * width + width / 2]);
    std::printf(" degrees\n");

    if (!options.check) return;
    std::vector<double> next = plate;
    for (int step = 0; step < steps; ++step) {
        for (std::size_t r = 1; r + 1 < height; ++r)
            for (std::size_t c = 1; c + 1 < width; ++c) {
                const double* point = &plate[r * width + c];
                next[r * width + c] = ((point[-size.width] + point[size.width]) + (point[-1] + point[1])) / 4;
            }
        std::swap(plate, next);
    }
    expectSame(warm, plate, 0);
}
