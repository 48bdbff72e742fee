// tests/distributed/scatter_cases.cpp: scattered folds, into bins that are replicated or spread.
#include "distributed.kernels.hpp"
#include "trial.hpp"

namespace {

bool operator==(const std::vector<spread::affine>& a, const std::vector<spread::affine>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

template <class T, class Into, class Other>
void into_outputs(trial& one, const shape& bins, const std::vector<T>& first, const Into& into, const Other& other) {
    array<T> want = foldwise::to_device(foldwise::host(first, bins));
    other(want);
    distributed<T> spread_bins(bins, one.world);
    spread_bins.fill_from(first);
    into(spread_bins);
    CHECK(spread_bins.to_host() == want.to_host(), one.text);
    distributed<T> everywhere = spread_bins.replicated();
    everywhere.fill_from(first);
    into(everywhere);
    CHECK(everywhere.to_host() == want.to_host(), one.text);
}

}  // namespace

void scatter_cases(trial& one) {
    const distributed<std::int64_t> x = one.spread();
    const shape bins{7}, places{5, 2};
    const distributed<std::int64_t> counts = spread::histogram(x, bins);
    const std::vector<std::int64_t> want = spread::histogram(one.host(), bins).to_host();
    CHECK(counts.is_replicated() && counts.shape() == bins && counts.to_host() == want, one.text);
    const distributed<spread::affine> made = spread::composed_at(x, places);
    CHECK(made.to_host() == spread::composed_at(one.host(), places).to_host(), one.text);

    into_outputs(
        one, bins, one.numbers(bins), [&](auto& out) { spread::histogram(x, out); },
        [&](auto& out) { spread::histogram(one.host(), out); });
    const std::vector<spread::affine> first(10, spread::affine{3, 11});
    into_outputs(
        one, places, first, [&](auto& out) { spread::composed_at(x, out); },
        [&](auto& out) { spread::composed_at(one.host(), out); });
    // Elements that every process has count once.
    into_outputs(
        one, places, first, [&](auto& out) { spread::composed_at(one.host(), out); },
        [&](auto& out) { spread::composed_at(one.host(), out); });

    CHECK(message_of<foldwise::shape_error>([&] { (void)spread::histogram(x, places); }).find("spread::histogram") == 0,
          one.text);
    // An array of which every process has its own, and which threads would share.
    std::vector<std::int64_t> plain(7), want_plain(7);
    if (!is_a_rank(one.world)) {
        CHECK(message_of<std::invalid_argument>([&] { (void)spread::histogram(x, plain); }) == all_would_write,
              one.text);
        CHECK(plain == want_plain, one.text);
        return;
    }
    spread::histogram(x, plain);
    spread::histogram(one.host(), want_plain);
    CHECK(plain == want_plain, one.text);
}
