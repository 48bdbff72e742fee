// tests/distributed/elementwise_cases.cpp: elementwise calls, of operands that broadcast and of indices.
#include "distributed.kernels.hpp"
#include "trial.hpp"

namespace {

void with_second_operand(trial& one, const distributed<std::int64_t>& x) {
    std::vector<std::int64_t> extents(one.extents.begin(), one.extents.end());
    switch (one.below(4)) {
    case 0:
        break;
    case 1:
        extents[0] = 1;
        break;
    case 2:
        extents.erase(extents.begin());
        break;
    default:
        extents.back() = 1;
    }
    const shape other{std::span<const std::int64_t>(extents)};
    const std::vector<std::int64_t> second = one.numbers(other);
    const auto all = foldwise::host(second, other);
    const std::vector<std::int64_t> want = spread::difference(one.host(), all).to_host();
    CHECK(spread::difference(x, all).to_host() == want, one.text);
    CHECK(spread::difference(x, foldwise::to_device(all)).to_host() == want, one.text);
    if (other.rank() > 0) {
        const bool has_rows = other.rank() == one.extents.rank() && other[0] == one.extents[0];
        auto y = has_rows ? distributed<std::int64_t>(other, one.world, one.row_counts)
                          : distributed<std::int64_t>(other, one.world);
        y.fill_from(second);
        const distributed<std::int64_t> z = spread::difference(x, y);
        CHECK(z.shape() == one.extents && z.row_counts() == one.row_counts && z.to_host() == want, one.text);
        distributed<std::int64_t> out = one.empty<std::int64_t>();
        spread::difference(y, x, out);
        CHECK(out.to_host() == spread::difference(all, one.host()).to_host(), one.text);
        CHECK(spread::dot(x, y) == spread::dot(one.host(), all), one.text);
    }
    CHECK(spread::difference(std::int64_t{5}, x).to_host() == spread::difference(std::int64_t{5}, one.host()).to_host(),
          one.text);
}

void with_index(const trial& one, const distributed<std::int64_t>& x) {
    if (one.extents.rank() == 3) {
        CHECK(spread::place(x).to_host() == spread::place(one.host()).to_host(), one.text);
        CHECK(spread::moment(x) == spread::moment(one.host()), one.text);
        for (int along = 0; along < 3; ++along)
            CHECK(spread::moment(x, axis(along)).to_host() == spread::moment(one.host(), axis(along)).to_host(),
                  one.text);
    }
    distributed<std::int64_t> out = one.empty<std::int64_t>();
    array<std::int64_t> want(one.extents);
    spread::number(out);
    spread::number(want);
    CHECK(out.to_host() == want.to_host(), one.text);
    spread::drawn(std::uint64_t{1}, out);
    spread::drawn(std::uint64_t{1}, want);
    CHECK(out.to_host() == want.to_host(), one.text);
}

void others(trial& one, const distributed<std::int64_t>& x) {
    const shape entries{1 + one.below(7)};
    const std::vector<std::int64_t> table = one.numbers(entries);
    distributed<std::int64_t> spread_table(entries, one.world);
    spread_table.fill_from(table);
    const std::vector<std::int64_t> want = spread::looked_up(one.host(), table).to_host();
    CHECK(spread::looked_up(x, table).to_host() == want, one.text);
    CHECK(spread::looked_up(x, spread_table).to_host() == want, one.text);
    const auto [more, half] = spread::both(x);
    const auto [want_more, want_half] = spread::both(one.host());
    CHECK(more.to_host() == want_more.to_host() && half.to_host() == want_half.to_host(), one.text);
}

}  // namespace

void elementwise_cases(trial& one) {
    const distributed<std::int64_t> x = one.spread();
    CHECK(x.to_host() == one.values, one.text);
    std::int64_t row = x.begin();
    for (const distributed<std::int64_t>& part : x.parts()) {
        CHECK(part.begin() == row && part.local().shape()[0] == part.end() - part.begin(), one.text);
        row = part.end();
    }
    CHECK(row == x.end() && x.gathered().to_host() == one.values, one.text);
    with_second_operand(one, x);
    with_index(one, x);
    others(one, x);
}
