// tests/distributed/checked_test.cpp: in checked builds, all processes are told if one makes another elementwise call
// than the others, and nobody waits: mpirun -np N checked_test, or checked_test threads N.
#include "checked.kernels.hpp"
#include "groups.hpp"

#include <foldwise/distributed.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace {

using foldwise::communication_error;
using foldwise::communicator;
using foldwise::distributed;

/// What is said of calls of which that of one rank differs.
std::string difference(int rank, const std::string& others, const std::string& one) {
    return "processes make different calls: process 0 calls " + (rank == 0 ? one : others) + ", and process " +
           std::to_string(rank == 0 ? 1 : rank) + " " + (rank == 0 ? others : one);
}

void use(const communicator& world) {
    distributed<std::int64_t> x({100}, world), fewer({50}, world);
    std::vector<std::int64_t> values(100), want(100);
    for (std::size_t i = 0; i < 100; ++i) want[i] = 2 * (values[i] = static_cast<std::int64_t>(i));
    x.fill_from(values);
    fewer.fill_from(std::vector<std::int64_t>(50, 1));
    const auto goes_on = [&] {
        CHECK(watched::twice(x).to_host() == want && watched::sum(x) == 4950 && watched::most_alike(x) == 13);
    };
    goes_on();
    if (world.size() == 1) return;
    const std::string twice = "watched::twice with rows of shape (100)";
    for (int other = 0; other < world.size(); ++other) {
        const bool is_other = world.rank() == other;
        std::string told = message_of<communication_error>([&] {
            if (is_other)
                (void)watched::square(x);
            else
                (void)watched::twice(x);
        });
        CHECK(told == difference(other, twice, "watched::square with rows of shape (100)"), told);
        goes_on();
        told = message_of<communication_error>([&] { (void)watched::twice(is_other ? fewer : x); });
        CHECK(told == difference(other, twice, "watched::twice with rows of shape (50)"), told);
        goes_on();
        // Folds send values of different lengths along.
        told = message_of<communication_error>([&] {
            if (is_other)
                (void)watched::most_alike(x);
            else
                (void)watched::twice(x);
        });
        CHECK(told == difference(other, twice, "watched::most_alike with rows of shape (100)"), told);
        told = message_of<communication_error>([&] {
            if (is_other)
                (void)watched::most_alike(x);
            else
                (void)watched::sum(x);
        });
        CHECK(told == difference(other, "watched::sum with rows of shape (100)",
                                 "watched::most_alike with rows of shape (100)"),
              told);
        told = message_of<communication_error>([&] {
            if (is_other)
                static_cast<void>(x.gathered());
            else
                (void)watched::twice(x);
        });
        CHECK(told == difference(other, twice, "an array's function with rows of shape (100)"), told);
        goes_on();
    }
}

}  // namespace

int main(int argc, char** argv) {
    const group_maker groups(argc, argv);
    const communicator world = groups.make();
    world.run(use);
    const int failed =
        world.run([](const communicator& own) { return own.all_reduce(failures.load(), std::plus<>()); });
    if (world.rank() == 0) std::printf("checked calls, %d ranks: %d failed\n", world.size(), failed);
    return failed != 0;
}
