// matmul.cpp: a product of matrices of any shape, and how many operations a second that is.
#include "matmul.kernels.hpp"  // generated
#include "numerics.hpp"

#include <random>

void multiplyMatrices(const Options& options) {
    const Size size = options.size.value_or(Size{1000, 1000});  // of the result; the inner extent is the mean
    const std::int64_t rows = size.height, columns = size.width, inner = (rows + columns) / 2;
    std::mt19937 random(3);
    std::uniform_real_distribution<float> numbers(-1, 1);
    const auto matrix = [&](std::int64_t height, std::int64_t width) {
        std::vector<float> values(static_cast<std::size_t>(height * width));
        for (float& value : values) value = numbers(random);
        return values;
    };
    const std::vector<float> x = matrix(rows, inner), y = matrix(inner, columns);
    const auto left = foldwise::to_device(x).reshape({rows, inner});
    const auto right = foldwise::to_device(y).reshape({inner, columns});

    double milliseconds = 0;
    const auto product = timed(
        describe({inner, rows}) + " times " + describe({columns, inner}),
        [&] {
            foldwise::array<float> out(foldwise::shape{rows, columns});
            matrix::product({rows, columns}, left, right, out);
            return out.to_host();
        },
        &milliseconds);
    std::printf("  %.1f billion multiplications and additions a second\n",
                2e-6 * static_cast<double>(rows * columns * inner) / milliseconds);

    if (!options.check) return;
    std::vector<float> expected(product.size());
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t k = 0; k < inner; ++k)
            for (std::int64_t j = 0; j < columns; ++j)
                expected[static_cast<std::size_t>(i * columns + j)] +=
                    x[static_cast<std::size_t>(i * inner + k)] * y[static_cast<std::size_t>(k * columns + j)];
    expectSame(product, expected, 1e-6 * static_cast<double>(inner));
}
