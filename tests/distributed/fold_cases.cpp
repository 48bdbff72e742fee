// tests/distributed/fold_cases.cpp: reductions of all elements, and along axes.
#include "distributed.kernels.hpp"
#include "trial.hpp"

#include <cmath>
#include <type_traits>

namespace {

// What distributed arrays cannot be passed to is said by the compiler.
template <class... A> using sum_of = decltype(spread::sum(std::declval<A>()...));
using numbers_of_all = distributed<std::int64_t>&;
static_assert(std::is_same_v<sum_of<numbers_of_all>, std::int64_t>);
static_assert(std::is_same_v<sum_of<numbers_of_all, foldwise::axes>, distributed<std::int64_t>>);
static_assert(std::is_void_v<sum_of<numbers_of_all, numbers_of_all>>);
static_assert(!foldwise::is_result<sum_of<shape, numbers_of_all>>);
static_assert(!foldwise::is_result<sum_of<distributed<float>&>>);

void whole_folds(trial& one, const distributed<std::int64_t>& x) {
    CHECK(spread::sum(x) == spread::sum(one.host()), one.text);
    CHECK(spread::sum(x, foldwise::initial(7)) == spread::sum(one.host()) + 7, one.text);
    CHECK(spread::compose(x) == spread::compose(one.host()), one.text);
    std::vector<std::int64_t> single(1), two(2);
    if (is_a_rank(one.world)) {
        spread::sum(x, single);
        CHECK(single[0] == spread::sum(one.host()), one.text);
        CHECK(message_of<foldwise::shape_error>([&] { (void)spread::sum(x, two); }).find("spread::sum") == 0, one.text);
    } else {
        CHECK(message_of<std::invalid_argument>([&] { (void)spread::sum(x, single); }) == all_would_write, one.text);
    }
    const spread::affine first{3, 11};
    CHECK(spread::compose(x, foldwise::initial(first)) == spread::compose(one.host(), foldwise::initial(first)),
          one.text);
    if (one.extents.size() > 0)
        CHECK(spread::last(x) == one.values.back(), one.text);
    else
        CHECK(message_of<foldwise::empty_error>([&] { (void)spread::last(x); }).find("spread::last") !=
                  std::string::npos,
              one.text);
    const std::vector<double> numbers(one.values.begin(), one.values.end());
    const distributed<double> y = one.spread_as(numbers);
    const double got = spread::variance(y), want = spread::variance(numbers);
    CHECK(std::abs(got - want) <= 1e-9 * want || got == want || (got != got && want != want), one.text);
    if (!is_a_rank(one.world)) return;
    const std::vector<double> all = one.world.all_gather(got);
    for (const double other : all) CHECK(other == got || got != got, one.text);
}

void folds_along_axes(trial& one, const distributed<std::int64_t>& x) {
    const auto mask = static_cast<unsigned>(one.below(1 << one.extents.rank()));
    std::vector<int> along;
    for (int i = 0; i < one.extents.rank(); ++i)
        if (mask >> i & 1) along.push_back(one.below(2) == 0 ? i : i - one.extents.rank());
    const foldwise::axes axes = along.empty()       ? axis()
                                : along.size() == 1 ? axis(along[0])
                                : along.size() == 2 ? axis(along[0], along[1])
                                                    : axis(along[0], along[1], along[2]);
    const spread::affine first{5, 1};
    const distributed<std::uint64_t> f = spread::compose(x, axes);
    CHECK(f.is_replicated() == ((mask & 1) != 0), one.text);
    CHECK(f.to_host() == spread::compose(one.host(), axes).to_host(), one.text);
    const auto kept = spread::compose(x, axes, foldwise::keepdims, foldwise::initial(first));
    const auto want = spread::compose(one.host(), axes, foldwise::keepdims, foldwise::initial(first));
    CHECK(kept.shape() == want.shape() && kept.to_host() == want.to_host(), one.text);
    // Results in arrays that there are.
    distributed<std::uint64_t> out = kept.is_replicated() ? kept.replicated() : kept.redistribute(kept.row_counts());
    spread::compose(x, out, axes, foldwise::keepdims);
    CHECK(out.to_host() == spread::compose(one.host(), axes, foldwise::keepdims).to_host(), one.text);
    if (kept.is_replicated()) {
        array<std::uint64_t> plain(kept.shape());
        const auto fold = [&] { (void)spread::compose(x, plain, axes, foldwise::keepdims, foldwise::initial(first)); };
        if (is_a_rank(one.world)) {
            fold();
            CHECK(plain.to_host() == want.to_host(), one.text);
        } else {
            CHECK(message_of<std::invalid_argument>(fold) == all_would_write, one.text);
        }
    }
    // What a fold along rows gives is an operand of further calls.
    const auto sums = spread::sum(x, axes, foldwise::keepdims);
    const auto want_sums = spread::sum(one.host(), axes, foldwise::keepdims);
    CHECK(spread::difference(x, sums).to_host() == spread::difference(one.host(), want_sums).to_host(), one.text);
    CHECK(spread::sum(sums) == spread::sum(want_sums), one.text);
}

}  // namespace

void fold_cases(trial& one) {
    const distributed<std::int64_t> x = one.spread();
    whole_folds(one, x);
    folds_along_axes(one, x);
}
