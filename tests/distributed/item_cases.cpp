// tests/distributed/item_cases.cpp: tasks that write their own rows, and functions of rows.
#include "distributed.kernels.hpp"
#include "trial.hpp"

namespace {

void tasks(trial& one, const distributed<std::int64_t>& x) {
    const shape entries{1 + one.below(9)};
    const std::vector<std::int64_t> table = one.numbers(entries);
    distributed<std::int64_t> spread_table(entries, one.world);
    spread_table.fill_from(table);
    // Fewer tasks than there are elements, sometimes.
    const shape some{one.below(one.extents[0] + 1), one.extents[1]};
    const shape& range = one.below(2) == 0 ? some : one.extents;
    const std::vector<std::int64_t> before = one.numbers(one.extents);
    array<std::int64_t> want = foldwise::to_device(foldwise::host(before, one.extents));
    spread::own_rows(range, one.host(), table, want, std::int64_t{5});
    const auto run = [&](const auto& elements, const auto& entries_given) {
        distributed<std::int64_t> out = one.spread_as(before);
        spread::own_rows(range, elements, entries_given, out, std::int64_t{5});
        CHECK(out.to_host() == want.to_host(), one.text);
    };
    run(x, table);
    run(x, spread_table);
    run(one.host(), spread_table);
    run(x.replicated(), table);
    distributed<std::int64_t> everywhere = one.spread_as(before).replicated();
    spread::own_rows(range, x.replicated(), table, everywhere, std::int64_t{5});
    CHECK(everywhere.to_host() == want.to_host(), one.text);
    if (one.extents[1] == 0) return;
    distributed<std::int64_t> out = one.spread_as(before);
    const shape more{one.extents[0] + 1, one.extents[1]};
    CHECK(!message_of<foldwise::shape_error>([&] { spread::own_rows(more, x, table, out, std::int64_t{5}); }).empty(),
          one.text);
}

void tasks_of_one_axis(trial& one, const distributed<std::int64_t>& x) {
    std::vector<std::int64_t> want = one.values;
    spread::in_place(one.extents[0], want);
    distributed<std::int64_t> doubled = one.spread();
    spread::in_place(one.extents[0], doubled);
    CHECK(doubled.to_host() == want, one.text);

    distributed<std::int64_t> two({2}, one.world);
    CHECK(message_of<std::invalid_argument>([&] {
              spread::counted(one.extents[0], x, two);
          }).find("spread::counted: out is written elsewhere") == 0,
          one.text);
    std::vector<std::int64_t> plain(one.values.size());
    const std::string refused = message_of<std::invalid_argument>([&] { spread::counted(one.extents[0], x, plain); });
    if (is_a_rank(one.world))
        CHECK(refused.find("spread::counted: out is written") == 0, one.text);
    else
        CHECK(refused == all_would_write, one.text);
}

void rows(trial& one, const distributed<std::int64_t>& x) {
    const auto [sums, running] = spread::row_ranges(x);
    const auto [want_sums, want_running] = spread::row_ranges(one.host());
    CHECK(running.shape() == one.extents && running.to_host() == want_running.to_host(), one.text);
    CHECK(sums.shape() == want_sums.shape() && sums.to_host() == want_sums.to_host(), one.text);
    CHECK(running.is_replicated() == (one.extents.rank() == 1), one.text);
    if (one.extents.rank() == 1) return;  // one item, which every process computes

    const shape items(
        std::span<const std::int64_t>(one.extents.begin(), static_cast<std::size_t>(one.extents.rank() - 1)));
    const std::vector<std::int64_t> factors = one.numbers(items);
    distributed<std::int64_t> spread_factors(items, one.world, one.row_counts);
    spread_factors.fill_from(factors);
    const auto want = spread::scaled_rows(one.host(), foldwise::host(factors, items)).to_host();
    CHECK(spread::scaled_rows(x, spread_factors).to_host() == want, one.text);
    CHECK(spread::scaled_rows(x, foldwise::host(factors, items)).to_host() == want, one.text);
    CHECK(spread::scaled_rows(one.host(), spread_factors).to_host() == want, one.text);
    CHECK(spread::scaled_rows(x, std::int64_t{3}).to_host() ==
              spread::scaled_rows(one.host(), std::int64_t{3}).to_host(),
          one.text);
    distributed<std::int64_t> out = one.empty<std::int64_t>();
    spread::scaled_rows(x, spread_factors, out);
    CHECK(out.to_host() == want, one.text);
}

}  // namespace

void item_cases(trial& one) {
    const distributed<std::int64_t> x = one.spread();
    if (one.extents.rank() == 1) tasks_of_one_axis(one, x);
    if (one.extents.rank() == 2) tasks(one, x);
    rows(one, x);
}
