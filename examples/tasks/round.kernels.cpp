// One column of a table, rounded where it stands.
#include <foldwise/spec.hpp>

#include <cmath>

namespace table {

/// Exact up to 10²².
inline double power_of_ten(int exponent) {
    double power = 1;
    for (int i = 0; i < exponent; ++i) power *= 10;
    return power;
}

auto round_to = foldwise::forall([](foldwise::index<1> row, foldwise::view<double, 1> column, int decimals) {
    const double scale = power_of_ten(decimals);
    column[row] = std::rint(column[row] * scale) / scale;
});

}  // namespace table
