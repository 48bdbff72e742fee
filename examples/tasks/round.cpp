// round.cpp: prices of a table, rounded to cents, its other columns left alone.
#include "round.kernels.hpp"  // generated
#include "tasks.hpp"

#include <cmath>
#include <random>

void roundColumn(const Options& options) {
    const auto [columns, rows] = options.size.value_or(Size{6, 1'000'000});
    constexpr std::int64_t price = 1;
    if (columns <= price) throw std::runtime_error("a table with a price has two columns or more");
    std::vector<double> table(static_cast<std::size_t>(rows * columns));
    std::mt19937 random(1);
    for (double& value : table) value = std::uniform_real_distribution(0.0, 1000.0)(random);

    const auto rounded = timed(std::to_string(rows) + " prices rounded", [&] {
        auto copy = foldwise::to_device(table);
        // Every `columns`-th element: a window on the table, no copy of the column.
        const auto prices = copy.reshape({rows, columns}).slice(1, price, price + 1).reshape(foldwise::shape{rows});
        table::round_to(rows, prices, 2);
        return copy.to_host();
    });
    std::printf("  %.6f is now %.6f; what is beside it is still %.6f\n", table[price], rounded[price], rounded[0]);

    if (!options.check) return;
    for (std::size_t i = price; i < table.size(); i += static_cast<std::size_t>(columns))
        table[i] = std::rint(table[i] * 100) / 100;
    expectSame(rounded, table, 0);
}
