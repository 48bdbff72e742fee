// tests/run/planted.kernels.cpp: mistakes in blocks, stencils and functions of rows, one in each kernel, in the line
// that bears its name. Built CHECKED.
#include <foldwise/spec.hpp>

#include <atomic>
#include <cassert>
#include <cstdint>

namespace planted {

using foldwise::around;
using foldwise::block;
using foldwise::blocks;
using foldwise::index;
using foldwise::view;
using in = view<const std::int32_t, 1>;
using out = view<std::int32_t, 1>;
using in2 = view<const std::int32_t, 2>;
using out2 = view<std::int32_t, 2>;

// clang-format off

// ---- Blocks: arrays that items share. ----

auto first_has_no_neighbour = blocks<8>([](block<1> b, in x, out y) {
    auto s = b.shared<std::int32_t, 8>();
    b.each([&](index<1> t) { s[t] = x[b.at(t)]; });
    b.each([&](index<1> t) {
        y[b.at(t)] = s(t - 1);  // first_has_no_neighbour
    });
});
auto last_has_no_neighbour = blocks<8>([](block<1> b, in x, out y) {
    auto s = b.shared<std::int32_t, 8>();
    b.each([&](index<1> t) { s[t] = x[b.at(t)]; });
    b.each([&](index<1> t) {
        y[b.at(t)] = s[t + 1];  // last_has_no_neighbour
    });
});
auto halo_without_room = blocks<8>([](block<1> b, in x, out y) {
    auto s = b.shared<std::int32_t, 9>();
    b.each([&](index<1> t) {
        s[t + 2] = x[b.at(t)];  // halo_without_room
    });
    b.each([&](index<1> t) { y[b.at(t)] = s[t]; });
});
auto turned_tile = blocks<2, 8>([](block<2> b, in2 x, out2 y) {
    auto s = b.shared<std::int32_t, 2, 8>();
    b.each([&](index<2> t) { s[t] = x[b.at(t)]; });
    b.each([&](index<2> t) {
        y[b.at(t)] = s(t[1], t[0]);  // turned_tile
    });
});
auto beyond_a_row = blocks<4, 4>([](block<2> b, in2 x, out2 y) {
    auto s = b.shared<std::int32_t, 4, 4>();
    b.each([&](index<2> t) { s[t] = x[b.at(t)]; });
    b.each([&](index<2> t) {
        y[b.at(t)] = s(t[0], t[1]) + s(t[0], t[1] + 1);  // beyond_a_row
    });
});
auto one_too_many = blocks<4>([](block<1> b, std::int32_t n, in x, out y) {
    auto s = b.shared<std::int32_t>(n);
    b.once([&] {
        for (std::int32_t k = 0; k <= n; ++k)
            s[k] = x[0];  // one_too_many
    });
    b.each([&](index<1> t) { y[b.at(t)] = s[t]; });
});
auto no_such_bin = blocks<8>([](block<1> b, in x, out counts) {
    auto bins = b.shared<std::int32_t, 4>();
    b.each([&](index<1> t) { if (t < 4) bins[t] = 0; });
    b.each([&](index<1> t) {
        std::atomic_ref(bins[x[b.at(t)]]).fetch_add(1);  // no_such_bin
    });
    b.each([&](index<1> t) { if (t < 4) std::atomic_ref(counts[t]).store(bins[t]); });
});

// ---- Blocks: views. ----

auto halo_of_the_first_block = blocks<8>([](block<1> b, in x, out y) {
    b.each([&](index<1> t) {
        y[b.at(t)] = x[b.at(t) - 1];  // halo_of_the_first_block
    });
});
auto items_without_an_element = blocks<8>([](block<1> b, in x, out y) {
    auto s = b.shared<std::int32_t, 8>();
    b.each([&](index<1> t) {
        s[t] = x[b.at(t)];
    });
    b.each([&](index<1> t) { if (y.has(b.at(t))) y[b.at(t)] = s[t]; });
});
auto written_by_all_items = blocks<8>([](block<1> b, in x, out y) {
    b.each([&](index<1> t) {
        const std::int32_t mine = x.has(b.at(t)) ? x[b.at(t)] : 0;
        y[b.at(t)] = mine;
    });
});
auto last_tile_of_a_matrix = blocks<4, 4>([](block<2> b, in2 x, out2 y) {
    b.each([&](index<2> t) {
        const index<2> at = b.at(t);
        if (at[0] < x.extent(0)) y[at] = x[at];  // last_tile_of_a_matrix
    });
});
auto a_result_for_each_block = blocks<8>([](block<1> b, in x, out totals) {
    auto mine = b.own(0);
    b.each([&](index<1> t) { mine[t] = x[b.at(t)]; });
    const std::int32_t total = b.fold(mine, [](std::int32_t p, std::int32_t q) { return p + q; });
    b.once([&] {
        totals[b.number(0)] = total;  // a_result_for_each_block
    });
});
auto handed_to_a_tile = blocks<4>([](block<1> b, in x, out y) {
    b.each([&](index<1> t) {
        const auto tile = x.slice(0, b.origin(0), b.origin(0) + 4);  // handed_to_a_tile
        y[b.at(t)] = tile[t];
    });
});

// ---- Blocks: arithmetic, and what the user says. ----

auto divided_in_a_phase = blocks<8>([](block<1> b, in x, out y) {
    b.each([&](index<1> t) {
        y[b.at(t)] = 12 / x[b.at(t)];  // divided_in_a_phase
    });
});
auto divided_in_a_fold = blocks<8>([](block<1> b, in x, out y) {
    auto mine = b.own(0);
    b.each([&](index<1> t) { mine[t] = x[b.at(t)]; });
    const std::int32_t all = b.fold(mine, [](std::int32_t p, std::int32_t q) {
        return p / q;  // divided_in_a_fold
    });
    b.each([&](index<1> t) { y[b.at(t)] = all; });
});
auto divided_between_phases = blocks<8>([](block<1> b, std::int32_t parts, in x, out y) {
    const std::int64_t each = x.extent(0) / parts;  // divided_between_phases
    b.each([&](index<1> t) { y[b.at(t)] = static_cast<std::int32_t>(each) + x[b.at(t)]; });
});
auto asserted_in_a_phase = blocks<8>([](block<1> b, in x, out y) {
    auto mine = b.own(0);
    b.each([&](index<1> t) { mine[t] = x[b.at(t)]; });
    b.each([&](index<1> t) {
        assert(mine[t] > 0);  // asserted_in_a_phase
        y[b.at(t)] = mine[t];
    });
});

// ---- Stencils. ----

auto beyond_the_radius = foldwise::stencil([](around<const std::int32_t, 2> x, std::int32_t by) {
    return x(0, by);  // beyond_the_radius
}, foldwise::radius(0, 2), foldwise::edge::wrap);
auto above_the_radius = foldwise::stencil([](around<const std::int32_t, 2> x, std::int32_t by) {
    return x(by, 0);  // above_the_radius
}, foldwise::radius(1), foldwise::edge::nearest);
auto offset_from_data = foldwise::stencil([](around<const std::int32_t, 1> x) {
    return x(x(0));  // offset_from_data
}, foldwise::radius(3), foldwise::edge::constant(0));
auto more_weights = foldwise::stencil([](around<const std::int32_t, 1> x, in weights) {
    std::int32_t sum = 0;
    for (int k = -2; k <= 2; ++k)
        sum += weights[k + 2] * x(k);  // more_weights
    return sum;
}, foldwise::edge::mirror);
auto slope_of_a_plateau = foldwise::stencil([](around<const std::int32_t, 1> x) {
    return 100 / (x(1) - x(-1));  // slope_of_a_plateau
}, foldwise::edge::skip);

// ---- Functions of rows. ----

auto beyond_the_item = foldwise::guvectorize("(n)->(n)", [](in x, out y) {
    for (std::int64_t i = 0; i < x.extent(0); ++i)
        y[i] = x[i] + x[i + 1];  // beyond_the_item
});
auto turned_factor = foldwise::guvectorize("(m,n),(n,p)->(m,p)", [](in2 x, in2 y, out2 z) {
    for (std::int64_t i = 0; i < z.extent(0); ++i)
        for (std::int64_t j = 0; j < z.extent(1); ++j) {
            z(i, j) = 0;
            for (std::int64_t k = 0; k < x.extent(1); ++k)
                z(i, j) += x(i, k) * y(j, k);  // turned_factor
        }
});
auto fourth_of_three = foldwise::guvectorize("(3)->()", [](in x, std::int32_t& y) {
    y = 0;
    for (int i = 0; i <= 3; ++i)
        y += x[i];  // fourth_of_three
});
auto place_from_the_item = foldwise::guvectorize("(n)->()", [](in x, std::int32_t& y) {
    y = x[x[0]];  // place_from_the_item
});
auto result_beyond = foldwise::guvectorize("(n)->(n)", [](in x, out y) {
    for (std::int64_t i = 0; i < x.extent(0); ++i)
        y[i + x[0]] = x[i];  // result_beyond
});
auto divided_in_an_item = foldwise::guvectorize("(n),()->(n)", [](in x, std::int32_t by, out y) {
    for (std::int64_t i = 0; i < x.extent(0); ++i)
        y[i] = x[i] / by;  // divided_in_an_item
});

// clang-format on

// What is right stays right.
auto turned = blocks<4, 4>([](block<2> b, in2 x, out2 y) {
    auto s = b.shared<std::int32_t, 4, 5>();
    b.each([&](index<2> t) {
        if (x.has(b.at(t))) s[t] = x[b.at(t)];
    });
    b.each([&](index<2> t) {
        const index<2> to(b.origin(1) + t[0], b.origin(0) + t[1]);
        if (y.has(to)) y[to] = s(t[1], t[0]);
    });
});

}  // namespace planted
