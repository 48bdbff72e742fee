// main.cpp: the examples by name, and the picture that some of them begin with.
#include "numerics.hpp"

#include <algorithm>
#include <random>

Picture givenPicture(const Options& options, Size size) {
    if (!options.in.empty()) return readPng(options.in);
    Picture picture = blankPicture(options.size.value_or(size));
    std::mt19937 random(11);
    std::normal_distribution<float> noise(0, 12);
    for (std::size_t row = 0; row < picture.height; ++row)
        for (std::size_t column = 0; column < picture.width; ++column) {
            const std::size_t square = row * 5 / picture.height * 7 + column * 7 / picture.width;
            for (std::size_t plane = 0; plane < 3; ++plane) {
                const auto light = static_cast<float>((square * (37 + 20 * plane) + 60 * plane) % 200 + 28);
                picture.planes[plane][row * picture.width + column] =
                    static_cast<std::uint8_t>(std::clamp(light + noise(random), 0.0f, 255.0f));
            }
        }
    return picture;
}

int main(int argc, char** argv) {
    return runExample(
        "numerics",
        {
            {"matmul", multiplyMatrices, {"multiply two matrices; the result has W columns and H rows"}},
            {"nbody",
             moveBodies,
             {"let two galaxies of W bodies pass each other, --steps times",
              "and draw them into the PNG file --out if given"}},
            {"heat",
             heatRooms,
             {"heat a flat in winter, --steps times, and draw it into the PNG file --out", "if given"}},
            {"bilateral",
             smoothPhotograph,
             {"take the noise from the PNG file --in, and write the PNG file --out", "if given"}},
            {"solve", solveSystems, {"solve W systems of four equations"}},
            {"kmeans",
             reduceColours,
             {"leave the PNG file --in twelve colours, in --steps rounds, and write the", "PNG file --out if given"}},
        },
        argc, argv);
}
