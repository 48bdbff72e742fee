// tests/run/planted_test.cpp: each mistake of planted.kernels.cpp is told at its own line, or by the call before
// anything runs, nothing is written out of bounds, and what comes after works. What the generator says of others is in
// tests/errors, what the simulator and ThreadSanitizer say of missing phases in tests/simulator.
#include "mistakes.hpp"
#include "planted.kernels.hpp"
#include "plantedSources.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace {

using foldwise::shape;
using run::guarded;
using ints = std::vector<std::int32_t>;

ints count(int n) {
    ints all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), 1);
    return all;
}

void expect_reported(const std::string& name, const std::string& words, const std::function<void()>& call) {
    run::expect_reported(foldwise::plantedSources(), "planted", name, words, call);
    // Later calls work.
    guarded<std::int32_t> in({2, 3}, {1, 2, 3, 4, 5, 6}), out({3, 2});
    planted::turned({2, 3}, in.view(), out.view());
    EXPECT_EQ(out.values(), (ints{1, 4, 2, 5, 3, 6}));
    EXPECT_TRUE(out.is_intact());
}

std::string shape_error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const foldwise::shape_error& error) {
        return error.what();
    }
    return "no shape_error";
}

class Planted : public testing::Test {
  protected:
    guarded<std::int32_t> x{shape{16}, count(16)}, y{shape{16}}, square{shape{4, 4}, count(16)}, turned{shape{4, 4}};

    void TearDown() override {
        EXPECT_TRUE(x.is_intact() && y.is_intact() && square.is_intact() && turned.is_intact());
        EXPECT_EQ(x.values(), count(16));
    }
};

TEST_F(Planted, InArraysThatItemsShare) {
    expect_reported("first_has_no_neighbour", "index -1 is out of bounds for axis 0 with size 8",
                    [&] { planted::first_has_no_neighbour(16, x.view(), y.view()); });
    expect_reported("last_has_no_neighbour", "index 8 is out of bounds for axis 0 with size 8",
                    [&] { planted::last_has_no_neighbour(16, x.view(), y.view()); });
    expect_reported("halo_without_room", "index 9 is out of bounds for axis 0 with size 9",
                    [&] { planted::halo_without_room(16, x.view(), y.view()); });
    guarded<std::int32_t> wide({4, 8}), wider({4, 8});
    expect_reported("turned_tile", "is out of bounds for axis 0 with size 2", [&] {
        planted::turned_tile({4, 8}, wide.view(), wider.view());
    });
    expect_reported("beyond_a_row", "index 4 is out of bounds for axis 1 with size 4", [&] {
        planted::beyond_a_row({4, 4}, square.view(), turned.view());
    });
    expect_reported("one_too_many", "index 5 is out of bounds for axis 0 with size 5",
                    [&] { planted::one_too_many(4, 5, x.view(), y.view()); });
    guarded<std::int32_t> keys(shape{8}, {0, 1, 3, 2, 4, 0, 1, 2}), signs(shape{8}, {0, 1, 3, 2, -1, 0, 1, 2});
    expect_reported("no_such_bin", "index 4 is out of bounds for axis 0 with size 4",
                    [&] { planted::no_such_bin(8, keys.view(), y.view()); });
    expect_reported("no_such_bin", "index -1 is out of bounds for axis 0 with size 4",
                    [&] { planted::no_such_bin(8, signs.view(), y.view()); });
}

TEST_F(Planted, InViewsOfBlocks) {
    const auto ten = x.view().slice(0, 0, 10), of_ten = y.view().slice(0, 0, 10);
    expect_reported("halo_of_the_first_block", "index -1 is out of bounds for axis 0 with size 16",
                    [&] { planted::halo_of_the_first_block(16, x.view(), y.view()); });
    // The call knows of these before any item runs.
    EXPECT_EQ(
        shape_error_of([&] { planted::items_without_an_element(10, ten, of_ten); }),
        "planted::items_without_an_element: whole blocks have 16 items along axis 0, each of which accesses an "
        "element of x, and x, of shape (10), has 10 there: in the kernel, if (x.has(b.at(t))) leaves out the items "
        "that have none");
    EXPECT_EQ(
        shape_error_of([&] { planted::written_by_all_items(10, ten, of_ten); }),
        "planted::written_by_all_items: whole blocks have 16 items along axis 0, each of which accesses an element "
        "of y, and y, of shape (10), has 10 there: in the kernel, if (y.has(b.at(t))) leaves out the items that "
        "have none");
    const auto narrow = square.view().slice(1, 0, 3);
    guarded<std::int32_t> out({4, 3});
    expect_reported("last_tile_of_a_matrix", "index 3 is out of bounds for axis 1 with size 3", [&] {
        planted::last_tile_of_a_matrix({4, 3}, narrow, out.view());
    });
    EXPECT_TRUE(out.is_intact());
    expect_reported("a_result_for_each_block", "index 1 is out of bounds for axis 0 with size 1",
                    [&] { planted::a_result_for_each_block(16, x.view(), y.view().slice(0, 0, 1)); });
    expect_reported("handed_to_a_tile", "is out of bounds for axis 0 with size 10",
                    [&] { planted::handed_to_a_tile(10, ten, y.view()); });
}

TEST_F(Planted, InArithmeticOfBlocks) {
    guarded<std::int32_t> holes(shape{8}, {1, 2, 3, 0, 5, 6, 7, 8});
    expect_reported("divided_in_a_phase", "division by zero, of 12",
                    [&] { planted::divided_in_a_phase(8, holes.view(), y.view()); });
    expect_reported("divided_in_a_fold", "division by zero, of ",
                    [&] { planted::divided_in_a_fold(8, holes.view(), y.view()); });
    expect_reported("divided_between_phases", "division by zero, of 16",
                    [&] { planted::divided_between_phases(16, 0, x.view(), y.view()); });
    expect_reported("asserted_in_a_phase", "assertion failed: mine[t] > 0",
                    [&] { planted::asserted_in_a_phase(8, holes.view(), y.view()); });
}

TEST_F(Planted, InStencils) {
    expect_reported("beyond_the_radius", "offset -3 reaches beyond the radius along axis 1, 2",
                    [&] { planted::beyond_the_radius(square.view(), -3, turned.view()); });
    EXPECT_EQ(planted::beyond_the_radius(square.view(), 2).to_host()[0], 3);
    expect_reported("above_the_radius", "offset 2 reaches beyond the radius along axis 0, 1",
                    [&] { planted::above_the_radius(square.view(), 2, turned.view()); });
    expect_reported("offset_from_data", "offset 4 reaches beyond the radius along axis 0, 3",
                    [&] { planted::offset_from_data(x.view(), y.view()); });
    expect_reported("more_weights", "index 3 is out of bounds for axis 0 with size 3",
                    [&] { planted::more_weights(x.view(), x.view().slice(0, 0, 3), y.view()); });
    guarded<std::int32_t> plateau(shape{5}, {1, 2, 1, 4, 5});
    expect_reported("slope_of_a_plateau", "division by zero, of 100",
                    [&] { planted::slope_of_a_plateau(plateau.view(), y.view().slice(0, 0, 5)); });
}

TEST_F(Planted, InFunctionsOfRows) {
    expect_reported("beyond_the_item", "index 4 is out of bounds for axis 0 with size 4, in planted::beyond_the_item",
                    [&] { planted::beyond_the_item(square.view(), turned.view()); });
    guarded<std::int32_t> left({5, 2, 3}), right({5, 3, 4}), product({5, 2, 4});
    expect_reported("turned_factor", "is out of bounds for axis 0 with size 3",
                    [&] { planted::turned_factor(left.view(), right.view(), product.view()); });
    EXPECT_TRUE(product.is_intact());
    expect_reported("fourth_of_three", "index 3 is out of bounds for axis 0 with size 3", [&] {
        planted::fourth_of_three(x.view().slice(0, 0, 15).reshape({5, 3}), y.view().slice(0, 0, 5));
    });
    expect_reported("result_beyond", "is out of bounds for axis 0 with size 4",
                    [&] { planted::result_beyond(square.view(), turned.view()); });
    expect_reported("divided_in_an_item", "division by zero, of ",
                    [&] { planted::divided_in_an_item(square.view(), 0, turned.view()); });
}

/// On the CPU, the block is told, and the item if a phase was running.
TEST_F(Planted, TheBlockIsNamed) {
    const foldwise::executor cpu = foldwise::cpu();
    ints in = count(16), out(16), tile = count(32), turned_tile(32);
    const auto square_of = [](ints& all, std::int64_t rows) {
        return foldwise::host(all.data(), {rows, std::ssize(all) / rows});
    };
    expect_reported("last_has_no_neighbour",
                    "index 8 is out of bounds for axis 0 with size 8, in planted::last_has_no_neighbour, block (0), "
                    "item (7)",
                    [&] { planted::last_has_no_neighbour(8, in, out, cpu); });
    ints bins{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 4, 1, 1, 1, 1};
    expect_reported("no_such_bin", "in planted::no_such_bin, block (1), item (3)",
                    [&] { planted::no_such_bin(16, bins, out, cpu); });
    expect_reported("turned_tile", "in planted::turned_tile, block (0, 0), item (0, 2)", [&] {
        planted::turned_tile({2, 8}, square_of(tile, 4).slice(0, 0, 2), square_of(turned_tile, 4).slice(0, 0, 2), cpu);
    });
    try {
        planted::divided_between_phases(16, 0, in, out, cpu);
        ADD_FAILURE() << "nothing was reported";
    } catch (const foldwise::device_error& error) {
        const std::string said = error.what();
        EXPECT_NE(said.find("in planted::divided_between_phases, block ("), said.npos) << said;
        EXPECT_EQ(said.find("item"), said.npos) << said;
    }
}

/// An item is told by its number in row-major order, wherever items lie.
TEST_F(Planted, TheItemIsNamed) {
    const auto rows = foldwise::to_device(ints{0, 1, 1, 1, 1, 0, 5, 0, 0, 0, 1, 1});
    foldwise::array<std::int32_t> out(6), grid(shape{3, 2});
    expect_reported("place_from_the_item",
                    "index 5 is out of bounds for axis 0 with size 2, in planted::place_from_the_item, item 3", [&] {
                        planted::place_from_the_item(rows.reshape({6, 2}), out);
                    });
    expect_reported("place_from_the_item",
                    "index 5 is out of bounds for axis 0 with size 2, in planted::place_from_the_item, item 1", [&] {
                        planted::place_from_the_item(rows.reshape({2, 3, 2}).permute(1, 0, 2), grid);
                    });
}

}  // namespace
