#include "all.kernels.hpp"

#include <complex>
#include <cstdint>
#include <cstdio>
#include <vector>

float first();
double second();

int main() {
    std::vector<float> x{1, 2, 3}, y{2, 2, 2}, difference(3);
    all::rel_diff(x, y, difference);
    std::vector<std::int16_t> halves(3);
    std::vector<double> wholes(3);
    all::split(std::vector<std::uint8_t>{2, 4, 6}, halves, wholes);
    const std::vector<int> ramp = all::ramp(foldwise::shape{2, 2}).to_host();
    const auto turned = all::rotate(std::vector<std::complex<float>>{{1, 0}}).to_host();
    const auto large = all::above(std::vector<std::int64_t>{1, 5});

    std::vector<all::counter> counters(3, all::counter(5));
    all::advance(counters, std::int16_t{2}, counters);

    const foldwise::array<float> m = foldwise::to_device(std::vector<float>{1, 2, 3, 4, 5, 6}).reshape({2, 3});
    foldwise::array<float> columns(foldwise::shape{3, 2});
    all::transpose(foldwise::shape{2, 3}, m, columns);
    std::vector<double> rounded(1);
    all::round_to(1, std::vector<double>{1.26}, rounded, 1);

    std::vector<float> running(3), blurred(6), reversed(3), means(2);
    std::vector<double> smoothed(3);
    all::running(x, running, foldwise::reverse);
    all::smoothed(x, 0.5, smoothed);
    all::blur(m, foldwise::host(blurred, {2, 3}));
    all::reverse_blocks(3, x, reversed);
    all::row_mean(m, means);
    const auto counts = all::histogram(std::vector<std::uint8_t>{1, 1, 2}, foldwise::shape{3}).to_host();
    const auto totals = all::totals(std::vector<std::int32_t>{0, 1, 1}, x, foldwise::shape{2}).to_host();
    const auto found = all::look_up(std::vector<std::int32_t>{2, 0}, x).to_host();

    std::printf("%g %d %g %d %g %d |", static_cast<double>(difference[1]), halves[2], wholes[2], ramp[3],
                static_cast<double>(turned[0].imag()), static_cast<int>(large.to_host()[1]));
    std::printf(" %g %d %g %d %d |", static_cast<double>(all::sum(m, foldwise::axis(1)).to_host()[1]),
                all::sum(std::vector<int>{1, 2}), all::largest(wholes), static_cast<int>(all::any(large)),
                static_cast<int>(all::last(std::vector<std::uint16_t>{4, 9})));
    std::printf(" %g %g %g %g %d |", static_cast<double>(columns.to_host()[1]), rounded[0],
                static_cast<double>(first()), second(), counters[2].count());
    std::printf(" %g %g %g %g %g %u %g %g\n", static_cast<double>(running[0]), smoothed[2],
                static_cast<double>(blurred[1]), static_cast<double>(reversed[0]), static_cast<double>(means[1]),
                counts[1], totals[1].shift, static_cast<double>(found[0]));
}
