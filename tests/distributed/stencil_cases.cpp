// tests/distributed/stencil_cases.cpp: stencils with every edge, values that broadcast, and steps.
#include "distributed.kernels.hpp"
#include "trial.hpp"

namespace {

/// Compares a kernel of one array around, called in each way that there is.
template <class Kernel> void with_edge(trial& one, const distributed<std::int64_t>& x, const Kernel& kernel) {
    const auto all = one.host();
    CHECK(kernel(x, std::int64_t{2}).to_host() == kernel(all, std::int64_t{2}).to_host(), one.text);
    const std::vector<std::int64_t> factors = one.numbers(one.extents);
    const auto want = kernel(all, foldwise::host(factors, one.extents)).to_host();
    CHECK(kernel(x, one.spread_as(factors)).to_host() == want, one.text);
    distributed<std::int64_t> out = one.empty<std::int64_t>();
    kernel(x, foldwise::host(factors, one.extents), out);
    CHECK(out.to_host() == want, one.text);
    const shape row{one.extents[1]};
    const std::vector<std::int64_t> of_row = one.numbers(row);
    const foldwise::steps count(1 + one.below(3));
    const auto later = kernel(all, of_row, count).to_host();
    const distributed<std::int64_t> got = kernel(x, of_row, count);
    CHECK(got.row_counts() == one.row_counts && got.to_host() == later, one.text);
    CHECK(kernel(x.replicated(), of_row, count).to_host() == later, one.text);
    CHECK(x.to_host() == one.values, one.text);
}

void skip(trial& one, const distributed<std::int64_t>& x) {
    const std::vector<std::int64_t> kept = one.numbers(one.extents);
    for (const std::int64_t count : {1, 2, 3}) {
        array<std::int64_t> want = foldwise::to_device(foldwise::host(kept, one.extents));
        spread::star_skip(one.host(), std::int64_t{2}, want, foldwise::steps(count));
        distributed<std::int64_t> out = one.spread_as(kept);
        spread::star_skip(x, std::int64_t{2}, out, foldwise::steps(count));
        CHECK(out.to_host() == want.to_host(), one.text);
    }
}

void waves(trial& one) {
    const std::vector<double> speeds(one.values.rbegin(), one.values.rend());
    const std::vector<std::int64_t> weights{3, -2};
    const foldwise::steps count(1 + one.below(4));
    const auto [height, speed] = spread::wave(one.spread(), one.spread_as(speeds), weights, count);
    const auto [want_height, want_speed] = spread::wave(one.values, speeds, weights, count);
    CHECK(height.to_host() == want_height.to_host() && speed.to_host() == want_speed.to_host(), one.text);
    // One array that all processes have, beside one that is spread.
    const auto [other, another] = spread::wave(one.values, one.spread_as(speeds), weights, count);
    CHECK(other.to_host() == want_height.to_host() && another.to_host() == want_speed.to_host(), one.text);
}

}  // namespace

void stencil_cases(trial& one) {
    const distributed<std::int64_t> x = one.spread();
    const auto wrong = message_of<foldwise::shape_error>([&] {
        (void)spread::star_wrap(distributed<std::int64_t>({2, 2, 2}, one.world), std::int64_t{1});
    });
    CHECK(wrong.find("spread::star_wrap: a of shape (2, 2, 2)") == 0, one.text);
    if (one.extents.rank() == 1) return waves(one);
    if (one.extents.rank() != 2) return;
    CHECK(message_of<foldwise::value_error>([&] {
              (void)spread::star_wrap(x, std::int64_t{1}, foldwise::steps(0));
          }).find("0 steps") != std::string::npos,
          one.text);
    with_edge(one, x, [](auto&&... given) { return spread::star_nearest(given...); });
    with_edge(one, x, [](auto&&... given) { return spread::star_mirror(given...); });
    with_edge(one, x, [](auto&&... given) { return spread::star_symmetric(given...); });
    with_edge(one, x, [](auto&&... given) { return spread::star_wrap(given...); });
    with_edge(one, x, [](auto&&... given) { return spread::star_constant(given...); });
    skip(one, x);
}
