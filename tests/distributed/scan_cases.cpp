// tests/distributed/scan_cases.cpp: scans of all elements and along axes.
#include "distributed.kernels.hpp"
#include "trial.hpp"

namespace {

template <class X, class... Options> void scans(trial& one, const X& x, const Options&... options) {
    const auto all = one.host();
    const std::vector<std::int64_t> want = spread::running(all, options...).to_host();
    const distributed<std::int64_t> got = spread::running(x, options...);
    CHECK(got.shape() == one.extents && got.row_counts() == x.row_counts() && got.to_host() == want, one.text);
    CHECK(spread::compositions(x, options...).to_host() == spread::compositions(all, options...).to_host(), one.text);
    CHECK(spread::weighted(x, options...).to_host() == spread::weighted(all, options...).to_host(), one.text);
    distributed<std::int64_t> in_place = one.spread();  // results over their own elements
    spread::running(in_place, in_place, options...);
    CHECK(in_place.to_host() == want, one.text);
}

template <class X, class... Options> void in_all_ways(trial& one, const X& x, const Options&... options) {
    switch (one.below(4)) {
    case 0:
        return scans(one, x, options...);
    case 1:
        return scans(one, x, options..., foldwise::exclusive);
    case 2:
        return scans(one, x, options..., foldwise::reverse);
    default:
        return scans(one, x, foldwise::reverse, foldwise::exclusive, options...);
    }
}

/// So many that each process has several tiles, which are then folded and scanned in another way.
void of_many(trial& one) {
    const shape extents{30'000 + one.below(40'000)};
    const std::vector<std::int64_t> values = one.numbers(extents);
    const auto all = foldwise::host(values, extents);
    distributed<std::int64_t> x(extents, one.world);
    x.fill_from(values);
    const std::string text = foldwise::to_string(extents) + ", " + one.text;
    CHECK(spread::running(x).to_host() == spread::running(all).to_host(), text);
    CHECK(spread::running(x, foldwise::reverse, foldwise::exclusive).to_host() ==
              spread::running(all, foldwise::reverse, foldwise::exclusive).to_host(),
          text);
    const foldwise::initial_value first = foldwise::initial(spread::affine{3, 11});
    CHECK(spread::compositions(x, first).to_host() == spread::compositions(all, first).to_host(), text);
}

/// So many columns, and rows of each process, that blocks scan strips of columns on their own.
void of_many_columns(trial& one) {
    const shape extents{400 + one.below(200), 130};
    const std::vector<std::int64_t> values = one.numbers(extents);
    const auto all = foldwise::host(values, extents);
    distributed<std::int64_t> x(extents, one.world);
    x.fill_from(values);
    const std::string text = foldwise::to_string(extents) + ", " + one.text;
    CHECK(spread::running(x, axis(0)).to_host() == spread::running(all, axis(0)).to_host(), text);
    CHECK(spread::running(x, foldwise::reverse, foldwise::exclusive, axis(0)).to_host() ==
              spread::running(all, foldwise::reverse, foldwise::exclusive, axis(0)).to_host(),
          text);
    const foldwise::initial_value first = foldwise::initial(spread::affine{3, 11});
    CHECK(spread::compositions(x, first, axis(0)).to_host() == spread::compositions(all, first, axis(0)).to_host(),
          text);
}

}  // namespace

void scan_cases(trial& one) {
    if (one.below(20) == 0) of_many(one);
    if (one.below(20) == 0) of_many_columns(one);
    const distributed<std::int64_t> x = one.spread();
    in_all_ways(one, x);
    in_all_ways(one, x, axis(0));
    const foldwise::axes along = axis(one.below(2 * one.extents.rank()) - one.extents.rank());
    in_all_ways(one, x, along);
    // The initial value comes first, and once.
    const spread::affine first{3, 11};
    const auto begun = spread::compositions(x, foldwise::initial(first), along);
    CHECK(begun.to_host() == spread::compositions(one.host(), foldwise::initial(first), along).to_host(), one.text);
    const auto before = spread::compositions(x, foldwise::initial(first), foldwise::exclusive);
    CHECK(before.to_host() == spread::compositions(one.host(), foldwise::initial(first), foldwise::exclusive).to_host(),
          one.text);
    CHECK(spread::latest(x, along).to_host() == spread::latest(one.host(), along).to_host(), one.text);
    CHECK(message_of<foldwise::empty_error>([&] {
              (void)spread::latest(x, foldwise::exclusive);
          }).find("spread::latest") == 0,
          one.text);

    // Keys and offsets go along other axes than that of the rows.
    const int last = one.extents.rank() - 1;
    std::vector<std::int32_t> keys(static_cast<std::size_t>(one.extents[last]));
    for (std::int32_t& key : keys) key = static_cast<std::int32_t>(one.below(2));
    if (last > 0)
        CHECK(spread::running(x, axis(last), foldwise::by_key(keys)).to_host() ==
                  spread::running(one.host(), axis(last), foldwise::by_key(keys)).to_host(),
              one.text);
    else if (one.world.size() > 1)
        CHECK(message_of<std::invalid_argument>([&] {
                  (void)spread::running(x, foldwise::by_key(keys));
              }).find("spread::running: a scan of rows") == 0,
              one.text);

    // What is replicated is scanned in every process.
    const distributed<std::int64_t> all = x.replicated();
    CHECK(spread::running(all, along).is_replicated(), one.text);
    CHECK(spread::running(all, along).to_host() == spread::running(one.host(), along).to_host(), one.text);
    const auto text = message_of<foldwise::shape_error>([&] { (void)spread::running(x, axis(3)); });
    CHECK(text.find("spread::running: axis 3") == 0, one.text);
}
