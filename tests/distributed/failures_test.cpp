// tests/distributed/failures_test.cpp: what fails in one process fails in all, and none waits for another that has
// failed: mpirun -np N failures_test, or failures_test threads N.
#include "check.hpp"
#include "distributed.kernels.hpp"
#include "groups.hpp"

#include <foldwise/distributed.hpp>

#include <cstdint>
#include <functional>
#include <memory_resource>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using foldwise::distributed;
using foldwise::shape;

class no_memory final : public std::pmr::memory_resource {
    void* do_allocate(std::size_t, std::size_t) override { throw std::bad_alloc(); }
    void do_deallocate(void*, std::size_t, std::size_t) override {}
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};
no_memory none;

/// An executor that has no memory in one process.
foldwise::executor failing_in(const foldwise::communicator& world, int rank) {
    return world.rank() == rank ? foldwise::cpu(foldwise::resource(&none)) : foldwise::cpu();
}

/// Whether all processes have the same text, which is not empty.
bool is_same(const foldwise::communicator& world, const std::string& text) {
    const std::vector<char> all = world.all_gather(text);
    bool same = !text.empty() && all.size() == text.size() * static_cast<std::size_t>(world.size());
    for (std::size_t i = 0; same && i < all.size(); ++i) same = all[i] == text[i % text.size()];
    return same;
}

/// What fails in one rank: `outside` is a group of the same ranks as `world`, which tells what they have found.
void fail_in(int failing, const foldwise::communicator& world, const foldwise::communicator& outside) {
    const int size = outside.size(), rank = outside.rank();
    distributed<std::int64_t> x({100}, world);
    spread::number(x);

    // An allocation in one process fails in all, and the group goes on.
    CHECK(is_same(outside, message_of<foldwise::out_of_memory>(
                               [&] { distributed<double> y({100}, world, failing_in(world, failing)); })));
    CHECK(spread::sum(x) == 4950);

    // So does a fold, whose outcome processes exchange.
    const auto where = rank == failing ? foldwise::cuda() : foldwise::cpu();
    CHECK(is_same(outside, message_of<foldwise::error>([&] { (void)spread::sum(x, where); })));
    CHECK(is_same(outside, message_of<foldwise::error>([&] { (void)spread::sum(x, foldwise::axis(0), where); })));
    CHECK(spread::sum(x) == 4950);

    // Shapes that do not fit are found by all.
    distributed<std::int64_t> longer({101}, world);
    CHECK(is_same(outside, message_of<foldwise::shape_error>([&] { (void)spread::difference(x, longer); })));
    CHECK(is_same(outside, message_of<foldwise::shape_error>([&] { (void)spread::difference(x, x, longer); })));
    CHECK(is_same(outside, message_of<foldwise::shape_error>([&] { (void)spread::sum(x, foldwise::axis(1)); })));
    CHECK(spread::sum(x) == 4950);

    // Different calls are told.
    if (size > 1) {
        const std::string difference = message_of<foldwise::communication_error>([&] {
            if (rank == failing)
                (void)spread::sum(x, foldwise::axis(0));
            else
                (void)spread::compose(x, foldwise::axis(0));
        });
        CHECK(is_same(outside, difference));
        const char* const others = "spread::compose with rows of shape (100)";
        const char* const one = "spread::sum with rows of shape (100)";
        const int other = failing == 0 ? 1 : failing;
        CHECK(difference == std::string("processes make different calls: process 0 calls ") +
                                (failing == 0 ? one : others) + ", and process " + std::to_string(other) + " " +
                                (failing == 0 ? others : one),
              difference);
    }
    CHECK(spread::sum(x) == 4950);

    // An elementwise call asks no other process: if it fails in one, the others' next call that waits for this
    // process throws the same, and the group is of no use any more.
    const std::string message = message_of<foldwise::out_of_memory>([&] {
        const auto y = spread::difference(x, x, failing_in(world, failing));
        for (;;) (void)spread::sum(y);
    });
    CHECK(is_same(outside, message));
    if (size > 1) CHECK(message_of<foldwise::out_of_memory>([&] { (void)spread::sum(x); }) == message);
}

/// What fails in one rank in calls that the process makes for all of them: it is thrown, and nothing is lost.
void fail_for_all(int failing, const foldwise::communicator& world) {
    distributed<std::int64_t> x({100}, world), longer({101}, world);
    spread::number(x);
    const std::string message = message_of<std::runtime_error>([&] {
        world.run([&](const foldwise::communicator& own) {
            if (own.rank() == failing) throw std::runtime_error("of rank " + std::to_string(failing));
            own.barrier();
            if (own.size() > 1) CHECK(false, std::string("a barrier that one rank does not reach is left"));
        });
    });
    CHECK(message == "of rank " + std::to_string(failing), message);
    CHECK(!message_of<foldwise::shape_error>([&] { (void)spread::difference(x, longer); }).empty());
    CHECK(!message_of<foldwise::communication_error>([&] { (void)world.all_gather(1); }).empty());
    CHECK(!message_of<foldwise::communication_error>([&] {
               world.run([&](const foldwise::communicator&) { (void)spread::sum(x); });
           }).empty());
    if (world.size() > 1) {
        CHECK(!message_of<foldwise::communication_error>([&] { (void)x.local(); }).empty());
        const std::string left = message_of<foldwise::communication_error>([&] {
            world.run([&](const foldwise::communicator& own) {
                if (own.rank() != failing) own.barrier();
            });
        });
        CHECK(left.find("rank " + std::to_string(failing) + " has returned") != std::string::npos, left);
        const std::string no_message = message_of<foldwise::communication_error>([&] {
            world.run([&](const foldwise::communicator& own) {
                std::vector<int> one(1);
                if (own.rank() != failing) own.receive(one, failing);
            });
        });
        CHECK(no_message.find("waits for a message") != std::string::npos, no_message);
        const std::string different = message_of<foldwise::communication_error>([&] {
            world.run([&](const foldwise::communicator& own) {
                if (own.rank() == failing)
                    own.barrier();
                else
                    (void)own.broadcast(1);
            });
        });
        CHECK(different.find("barrier") != std::string::npos && different.find("broadcast") != std::string::npos,
              different);
    }
    CHECK(spread::sum(x) == 4950);
}

}  // namespace

int main(int argc, char** argv) {
    const group_maker groups(argc, argv);
    const foldwise::communicator outside = groups.make();
    for (int failing = 0; failing < outside.size(); ++failing) {
        const foldwise::communicator world = groups.make();
        if (is_a_rank(world)) {
            fail_in(failing, world, outside);
            continue;
        }
        fail_for_all(failing, world);
        const foldwise::communicator second = groups.make();
        outside.run([&](const foldwise::communicator& own) {
            fail_in(failing, second.transport().ranks_here()->ranks()[static_cast<std::size_t>(own.rank())], own);
        });
    }
    const int failed =
        outside.run([](const foldwise::communicator& own) { return own.all_reduce(failures.load(), std::plus<>()); });
    if (outside.rank() == 0) std::printf("failures of %d ranks: %d failed\n", outside.size(), failed);
    return failed != 0;
}
