// Many small systems of linear equations: Gaussian elimination with partial pivoting, one system an item.
#include <foldwise/spec.hpp>

#include <cmath>

namespace linear {

auto solve = foldwise::guvectorize("(4,4),(4)->(4)", [](foldwise::view<const float, 2> a,
                                                        foldwise::view<const float, 1> b, foldwise::view<float, 1> x) {
    float m[4][5];
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) m[i][j] = a(i, j);
        m[i][4] = b[i];
    }
    for (int column = 0; column < 4; ++column) {
        // The row with the largest coefficient comes up. Rows are swapped one by one, so that all indices are known
        // when the kernel is compiled and the system stays in registers.
        for (int row = column + 1; row < 4; ++row) {
            const bool is_larger = std::abs(m[row][column]) > std::abs(m[column][column]);
            for (int j = 0; j < 5; ++j) {
                const float upper = m[column][j], lower = m[row][j];
                m[column][j] = is_larger ? lower : upper;
                m[row][j] = is_larger ? upper : lower;
            }
        }
        for (int row = column + 1; row < 4; ++row) {
            const float by = m[row][column] / m[column][column];
            for (int j = 0; j < 5; ++j) m[row][j] -= by * m[column][j];
        }
    }
    for (int i = 3; i >= 0; --i) {
        float rest = m[i][4];
        for (int j = i + 1; j < 4; ++j) rest -= m[i][j] * m[j][4];
        m[i][4] = rest / m[i][i];
    }
    for (int i = 0; i < 4; ++i) x[i] = m[i][4];
});

}  // namespace linear
