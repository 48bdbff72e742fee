// tests/unit/generator/model/ForallTasks_test.cpp: plans for threads that run several tasks.
#include "model/ForallTasks.hpp"
#include "model/Instances.hpp"

#include "samples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

using namespace foldwise;

namespace {

using Axes = std::vector<std::uint32_t>;

ForallParameter assigned(const Axes& own, Access access = Access::Write) {
    ForallParameter parameter = writtenView("out", floatType(), static_cast<std::uint32_t>(own.size()));
    parameter.access = access;
    parameter.own = parameter.moves = own;
    parameter.isAssigned = true;
    return parameter;
}

ForallParameter readAround(const Axes& moves, const Axes& reach) {
    ForallParameter parameter = writtenView("in", floatType(), static_cast<std::uint32_t>(moves.size()));
    parameter.access = Access::Read;
    parameter.follows.clear();
    parameter.moves = moves;
    parameter.reach = reach;
    return parameter;
}

ForallParameter readOwn(const Axes& own) {
    ForallParameter parameter = readAround(own, {});
    parameter.own = own;
    return parameter;
}

ForallSignature signatureOf(std::uint32_t rank, std::vector<ForallParameter> parameters) {
    ForallSignature signature;
    signature.indexRank = rank;
    signature.parameters = std::move(parameters);
    return signature;
}

std::optional<ForallTasks> tasksOf(std::uint32_t rank, std::vector<ForallParameter> parameters) {
    return severalTasks(signatureOf(rank, std::move(parameters)));
}

}  // namespace

TEST(ForallTasks, AreFarApartWhereTheyShareNothing) {
    const auto tasks = tasksOf(2, {readOwn({0, 1}), assigned({0, 1}), assigned({0, 1}, Access::ReadWrite)});
    ASSERT_TRUE(tasks);
    EXPECT_FALSE(tasks->row);
    EXPECT_EQ(tasks->reach, (Axes{0, 0}));
    EXPECT_EQ(tasks->accesses, (std::vector{TaskAccess::Reads, TaskAccess::Writes, TaskAccess::Updates}));
    EXPECT_EQ(tasks->isStaged, (std::vector{false, false, false}));
}

TEST(ForallTasks, TakeWholeRowsWhereNeighboursInOtherRowsReadOtherElements) {
    const auto isLinear = [](const ForallParameter& read) {
        const auto tasks = tasksOf(2, {read, assigned({0, 1})});
        return tasks && tasks->isLinear;
    };
    EXPECT_TRUE(isLinear(readOwn({0, 1})));
    EXPECT_TRUE(isLinear(readAround({0, 1}, {0, 2})));
    EXPECT_FALSE(isLinear(readAround({0, 1}, {1, 0}))) << "these are neighbours along the first axis";
    EXPECT_FALSE(isLinear(readOwn({1, 0}))) << "these go through tiles";
    ForallParameter anywhere = readAround({0, 1}, {});
    EXPECT_FALSE(isLinear(anywhere)) << "as x((i + 1) % n, j)";
    anywhere.hasDataPlaces = true;
    EXPECT_TRUE(isLinear(anywhere));
    EXPECT_TRUE(isLinear(readAround({0}, {}))) << "an element for each row";
    EXPECT_FALSE(isLinear(readAround({1}, {}))) << "all rows read the same elements";
}

TEST(ForallTasks, AreNeighboursAlongTheFirstAxisTheyReadAround) {
    const auto row = [](const Axes& reach) {
        return tasksOf(3, {readAround({0, 1, 2}, reach), assigned({0, 1, 2})})->row;
    };
    EXPECT_EQ(row({1, 1, 1}), 0u);
    EXPECT_EQ(row({0, 2, 1}), 1u);
    EXPECT_EQ(row({0, 0, 2}), std::nullopt) << "lanes are neighbours along the last axis";
    const auto tasks = tasksOf(2, {readAround({0, 1}, {1, 0}), readAround({1, 0}, {0, 2}), assigned({0, 1})});
    EXPECT_EQ(tasks->reach, (Axes{1, 2}));
    EXPECT_EQ(tasks->accesses, (std::vector{TaskAccess::Near, TaskAccess::Near, TaskAccess::Writes}));
    EXPECT_EQ(axesOf(readAround({1, 0}, {0, 2}), TaskAccess::Near), (Axes{1, 0}));
}

TEST(ForallTasks, GoThroughTilesWhereAViewIsTurned) {
    const auto out = tasksOf(3, {readOwn({0, 1, 2}), assigned({2, 0, 1})});
    EXPECT_EQ(out->row, 1u);
    EXPECT_EQ(out->isStaged, (std::vector{false, true}));
    EXPECT_EQ(out->accesses, (std::vector{TaskAccess::Unknown, TaskAccess::Writes}));
    const auto in = tasksOf(2, {readOwn({1, 0}), assigned({0, 1})});
    EXPECT_EQ(in->row, 0u);
    EXPECT_EQ(in->isStaged, (std::vector{true, false}));
    EXPECT_EQ(in->accesses, (std::vector{TaskAccess::Reads, TaskAccess::Writes}));
    const auto both = tasksOf(3, {readOwn({0, 2, 1}), assigned({1, 2, 0})});
    EXPECT_EQ(both->row, 0u) << "that of the written view";
    EXPECT_EQ(both->isStaged, (std::vector{false, true}));
    EXPECT_FALSE(tasksOf(3, {assigned({1, 0, 2})})->row) << "its last axis is the last one";
}

TEST(ForallTasks, AreVectorsWhereTheyAreElementwise) {
    const auto elementwise = [](std::vector<ForallParameter> parameters) {
        ForallSignature signature = signatureOf(2, std::move(parameters));
        signature.isElementwise = true;
        return severalTasks(signature);
    };
    ForallParameter row = readAround({1}, {});
    row.shared = {1};
    const auto tasks = elementwise({readOwn({0, 1}), row, assigned({0, 1})});
    EXPECT_EQ(tasks->width, 4u);
    EXPECT_FALSE(tasks->hasSeveral);
    EXPECT_EQ(tasks->accesses, (std::vector{TaskAccess::Reads, TaskAccess::Reads, TaskAccess::Writes}));
    const auto turned = elementwise({readOwn({1, 0}), assigned({0, 1})});
    EXPECT_EQ(turned->width, 4u);
    EXPECT_EQ(turned->vectorOrder, (Axes{0, 1}));
    EXPECT_EQ(elementwise({readOwn({0, 1}), assigned({1, 0})})->vectorOrder, (Axes{1, 0}));
    EXPECT_TRUE(turned->hasSeveral) << "tiles in shared memory are for long axes";
    const auto widthOf = [&](std::uint32_t size) {
        ForallParameter large = readOwn({0, 1});
        large.type.size = size;
        return elementwise({large, assigned({0, 1})})->width;
    };
    EXPECT_EQ(widthOf(2), 4u) << "the largest element counts";
    EXPECT_EQ(widthOf(8), 2u);
    EXPECT_EQ(widthOf(12), 1u);
    EXPECT_EQ(widthOf(16), 1u);
    EXPECT_EQ(widthOf(17), 0u);
    ForallParameter sometimes = readOwn({0, 1});
    sometimes.isReadSometimes = true;
    EXPECT_FALSE(elementwise({sometimes, assigned({0, 1})}));
}

TEST(ForallTasks, AreVectorsWhereTheyUseTheirIndexOtherwise) {
    ForallParameter table = readAround({}, {});
    table.rank = 2;
    table.type.size = 16;
    table.hasDataPlaces = true;
    const auto tasks = tasksOf(2, {table, readAround({0}, {}), readOwn({0, 1}), assigned({0, 1})});
    EXPECT_TRUE(tasks->needsIndex);
    EXPECT_EQ(tasks->width, 4u) << "only elements that tasks own are loaded and stored together";
    EXPECT_EQ(tasks->accesses,
              (std::vector{TaskAccess::Unknown, TaskAccess::Unknown, TaskAccess::Reads, TaskAccess::Writes}));
    EXPECT_TRUE(tasks->hasSeveral) << "for short rows";
    EXPECT_EQ(tasksOf(3, {readOwn({1, 0, 2}), assigned({1, 0, 2})})->vectorOrder, (Axes{1, 0, 2}));
    const auto widthOf = [&](std::vector<ForallParameter> parameters) {
        return tasksOf(2, std::move(parameters))->width;
    };
    ForallParameter large = assigned({0, 1});
    large.type.size = 12;
    EXPECT_EQ(widthOf({large}), 0u) << "one in 16 bytes";
    EXPECT_EQ(widthOf({readOwn({0, 1}), assigned({1, 0})}), 0u) << "tiles in shared memory";
    EXPECT_EQ(widthOf({readAround({0, 1}, {0, 1}), assigned({0, 1})}), 0u) << "neighbours";
    ForallSignature loops = signatureOf(2, {readOwn({0, 1}), assigned({0, 1})});
    EXPECT_EQ(severalTasks(loops)->width, 4u);
    loops.operations.repeated.emplace_back();
    loops.hasLoopInStep = true;
    EXPECT_EQ(severalTasks(loops)->width, 0u);
}

TEST(ForallTasks, HaveTilesThatFitIntoSharedMemory) {
    ForallParameter in = readOwn({1, 0}), out = assigned({1, 0});
    in.type = out.type = pointType();
    in.type.size = out.type.size = 19;
    EXPECT_EQ(tasksOf(2, {in, out})->isStaged, (std::vector{true, true}));
    in.type.size = 20;
    const auto tasks = tasksOf(2, {in, out});
    EXPECT_FALSE(tasks->row);
    EXPECT_EQ(tasks->isStaged, (std::vector{false, false}));
    EXPECT_FALSE(tasksOf(2, {in, out, readAround({0, 1}, {1, 1})})->row) << "which would be a tile's";
}

TEST(ForallTasks, HaveTilesForTheBytesThatAreOnTheirWay) {
    const auto tiles = [](std::uint32_t read, std::uint32_t written) {
        ForallParameter in = readOwn({1, 0}), out = assigned({1, 0});
        in.type.size = read;
        out.type.size = written;
        return tasksOf(2, {in, out})->tiles;
    };
    EXPECT_EQ(tiles(1, 1), 4u) << "and no more";
    EXPECT_EQ(tiles(2, 2), 4u);
    EXPECT_EQ(tiles(2, 3), 2u);
    EXPECT_EQ(tiles(4, 4), 2u);
    EXPECT_EQ(tiles(1, 8), 1u);
    EXPECT_EQ(tiles(19, 19), 1u);
    std::vector<ForallParameter> many(6, readOwn({1, 0}));
    many.push_back(assigned({1, 0}));
    EXPECT_EQ(tasksOf(2, many)->tiles, 1u) << "which fit into shared memory";
    EXPECT_EQ(tasksOf(2, {readOwn({0, 1}), assigned({0, 1})})->tiles, 0u);
}

TEST(ForallTasks, WalkAlongWhatIsWritten) {
    const auto across = tasksOf(3, {readOwn({0, 1, 2}), assigned({2, 0, 1})});
    EXPECT_EQ(across->beside, 1u);
    EXPECT_EQ(across->order, (Axes{2, 0, 1}));
    const auto back = tasksOf(3, {readOwn({0, 2, 1}), assigned({0, 1, 2})});
    EXPECT_EQ(back->beside, 2u);
    EXPECT_EQ(back->order, (Axes{0, 1, 2}));
}

TEST(ForallTasks, BeginToWriteAtSectors) {
    const auto of = [](std::uint32_t size, bool isWrittenAcross) {
        ForallParameter in = readOwn(isWrittenAcross ? Axes{0, 1} : Axes{1, 0}),
                        out = assigned(isWrittenAcross ? Axes{1, 0} : Axes{0, 1});
        in.type.size = out.type.size = size;
        return *tasksOf(2, {in, out});
    };
    for (const bool isWrittenAcross : {false, true}) {
        const std::uint32_t read = isWrittenAcross ? 1 : 0, written = 1 - read;
        EXPECT_EQ(of(4, isWrittenAcross).sector, 8u);
        EXPECT_EQ(of(4, isWrittenAcross).written, 1u) << "the parameter";
        EXPECT_EQ(of(4, isWrittenAcross).beside, read);
        EXPECT_EQ(of(8, isWrittenAcross).sector, 4u);
        EXPECT_EQ(of(16, isWrittenAcross).sector, 2u);
        EXPECT_EQ(of(12, isWrittenAcross).sector, 0u) << "an element can lie in two";
        EXPECT_EQ(of(2, isWrittenAcross).sector, 0u) << "a warp would read from sixteen rows";
        EXPECT_EQ(of(2, isWrittenAcross).beside, written);
        EXPECT_EQ(of(1, isWrittenAcross).sector, 0u);
        EXPECT_EQ(of(1, isWrittenAcross).beside, read);
    }
    EXPECT_EQ(tasksOf(2, {readOwn({0, 1}), assigned({1, 0}), assigned({1, 0})})->sector, 8u);
    EXPECT_EQ(tasksOf(2, {readOwn({0, 1}), assigned({1, 0}), assigned({0, 1})})->sector, 0u) << "two ways to write";
    EXPECT_EQ(tasksOf(3, {readOwn({0, 1, 2}), assigned({2, 0, 1})})->sector, 0u) << "places take too long";
}

TEST(ForallTasks, LoadUnconditionallyOrKnowTheConditions) {
    ForallParameter sometimes = readAround({0, 1}, {});
    sometimes.isReadSometimes = true;
    EXPECT_FALSE(tasksOf(2, {sometimes, assigned({0, 1})}));
    sometimes.reach = {1, 0};
    EXPECT_TRUE(tasksOf(2, {sometimes, assigned({0, 1})})) << "conditions for edges";
    ForallParameter turned = readOwn({1, 0});
    turned.isReadSometimes = true;
    EXPECT_TRUE(tasksOf(2, {turned, assigned({0, 1})})) << "a tile is loaded whole";
    ForallParameter shared = readAround({1}, {});
    shared.isReadSometimes = true;
    EXPECT_FALSE(tasksOf(2, {shared, assigned({0, 1})})) << "other elements, too";
    shared.shared = {1};
    const auto tasks = tasksOf(2, {shared, assigned({0, 1})});
    ASSERT_TRUE(tasks);
    EXPECT_EQ(tasks->accesses[0], TaskAccess::Reads) << "of many tasks, loaded in any case";
    EXPECT_FALSE(tasks->isStaged[0]);
    EXPECT_EQ(axesOf(shared, TaskAccess::Reads), (Axes{1}));
    shared.isReadSometimes = false;
    EXPECT_EQ(tasksOf(2, {shared, assigned({0, 1})})->accesses[0], TaskAccess::Reads) << "by vectors of tasks";
    EXPECT_EQ(tasksOf(2, {shared, readAround({0, 1}, {1, 0}), assigned({0, 1})})->accesses[0], TaskAccess::Unknown);
}

TEST(ForallTasks, ScatterRowsOfWhatIsLoadedBefore) {
    ForallParameter written = assigned({0, 1});  // out(rows(i), j)
    written.own.clear();
    written.moves = {2, 1};
    written.isAssigned = false;
    ForallParameter rows = readAround({0}, {});
    rows.shared = {0};
    const auto tasks = tasksOf(2, {readOwn({0, 1}), rows, written});
    ASSERT_TRUE(tasks);
    EXPECT_TRUE(tasks->hasSeveral);
    EXPECT_FALSE(tasks->row);
    EXPECT_EQ(tasks->accesses, (std::vector{TaskAccess::Reads, TaskAccess::Reads, TaskAccess::Unknown}));
    EXPECT_EQ(tasks->width, 0u);
    ForallParameter sometimes = assigned({0, 1});  // if (x(i, j) > 0) out(i, j) = x(i, j)
    sometimes.isAssigned = false;
    ForallSignature elementwise = signatureOf(2, {readOwn({0, 1}), sometimes});
    elementwise.isElementwise = true;
    ASSERT_TRUE(severalTasks(elementwise));
    EXPECT_TRUE(severalTasks(elementwise)->hasSeveral);
    EXPECT_EQ(severalTasks(elementwise)->width, 0u) << "vectors tell no coordinates";

    const auto with = [&](const auto& change) {
        ForallParameter in = readOwn({0, 1}), out = written;
        change(in, out);
        return tasksOf(2, {in, rows, out}).has_value();
    };
    EXPECT_TRUE(with([](auto&, auto&) {}));
    EXPECT_FALSE(with([](auto& in, auto&) { in.own.clear(); })) << "loaded behind the stores of another task";
    EXPECT_FALSE(with([](auto& in, auto&) { in.isReadSometimes = true; }));
    EXPECT_FALSE(with([](auto&, auto& out) { out.access = Access::ReadWrite; }));
    EXPECT_FALSE(with([](auto&, auto& out) { out.isHandedOn = true; }));
    EXPECT_FALSE(with([](auto&, auto& out) { out.moves = {1, 2}; })) << "each element in a sector of its own";
    EXPECT_FALSE(with([](auto&, auto& out) { out.moves.clear(); }));
    EXPECT_FALSE(with([](auto&, auto& out) { out.isInLoops = true; }));
}

TEST(ForallTasks, LoopInStep) {
    ForallParameter looped = readAround({0}, {});
    looped.isInLoops = true;
    ForallSignature signature = signatureOf(1, {looped, assigned({0})});
    signature.operations.add(Repetition{});
    EXPECT_FALSE(severalTasks(signature));
    signature.hasLoops = signature.hasLoopInStep = true;
    EXPECT_TRUE(severalTasks(signature));
    Repetition large;
    large.each.add(Operation::Float32Multiply, 65);
    signature.operations.add(large);
    EXPECT_FALSE(severalTasks(signature)) << "little of a turn is shared";
    ForallSignature writesInLoop = signatureOf(1, {looped, assigned({0})});
    writesInLoop.hasLoops = writesInLoop.hasLoopInStep = true;
    writesInLoop.parameters[1].isInLoops = true;
    EXPECT_FALSE(severalTasks(writesInLoop));
}

TEST(ForallTasks, AreNotSeveralWhereThatIsWrongOrGainsNothing) {
    EXPECT_FALSE(tasksOf(2, {readOwn({0, 1})})) << "nothing is written";
    ForallParameter anywhere = assigned({0, 1}), perhaps = anywhere, summed = anywhere, looped = readOwn({0, 1});
    anywhere.own.clear();
    EXPECT_FALSE(tasksOf(2, {anywhere}));
    EXPECT_FALSE(tasksOf(2, {assigned({0, 1}), anywhere}));
    perhaps.isAssigned = false;
    EXPECT_FALSE(tasksOf(2, {perhaps}));
    summed.isSummed = true;
    EXPECT_FALSE(tasksOf(2, {summed}));
    looped.isInLoops = true;
    EXPECT_FALSE(tasksOf(2, {looped, assigned({0, 1})}));
    ForallSignature signature = signatureOf(2, {assigned({0, 1})});
    signature.operations.add(Operation::Float32Multiply, 256);
    EXPECT_TRUE(severalTasks(signature));
    signature.operations.add(Operation::Float32Multiply, 1);
    EXPECT_FALSE(severalTasks(signature));
    signature.operations = {};
    signature.operations.add(Repetition{});
    EXPECT_FALSE(severalTasks(signature));
}

TEST(ForallTasks, HaveAnInstance) {
    const auto exists = [](const ForallSignature& signature) {
        return std::ranges::any_of(instancesOf(signature),
                                   [](const Instance& one) { return one.name == "several" && one.exists; });
    };
    EXPECT_TRUE(exists(signatureOf(2, {assigned({0, 1})})));
    EXPECT_FALSE(exists(signatureOf(2, {readOwn({0, 1})})));
}
