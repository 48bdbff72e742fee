// tests/distributed/cases_test.cpp: random calls with arrays over several processes give what the same calls give with
// arrays of one: mpirun -np N cases_test mpi [how many] [seed], or cases_test threads N [how many] [seed].
#include "groups.hpp"
#include "trial.hpp"

#include <cstdlib>
#include <functional>
#include <span>

namespace {

void use(const foldwise::communicator& world) {
    const int rank = world.rank(), size = world.size();
    std::vector<int> own(static_cast<std::size_t>(rank % 3), rank), all;
    for (int i = 0; i < size; ++i) all.insert(all.end(), static_cast<std::size_t>(i % 3), i);
    CHECK(world.all_gather(own) == all);
    CHECK(world.all_reduce(rank + 1, [](int a, int b) { return a * 10 + b; }) == [&] {
        int number = 1;
        for (int i = 1; i < size; ++i) number = number * 10 + i + 1;
        return number;
    }());
    CHECK(world.broadcast(rank, size - 1) == size - 1);
    CHECK(!message_of<foldwise::communication_error>([&] { (void)world.broadcast(rank, size); }).empty());
    world.barrier();
    if (size > 1) {
        const std::vector<double> sent(1000, rank);
        std::vector<double> got(1000);
        if (rank % 2 == 0 && rank + 1 < size) world.send(sent, rank + 1, 4);
        if (rank % 2 == 1) world.receive(got, rank - 1, 4);
        CHECK(rank % 2 == 0 || got == std::vector<double>(1000, rank - 1));
    }
}

}  // namespace

int main(int argc, char** argv) try {
    const group_maker groups(argc, argv);
    const std::span<char*> options = groups.options();
    const int cases = options.size() > 0 ? std::atoi(options[0]) : 60,
              seed = options.size() > 1 ? std::atoi(options[1]) : 1;
    const foldwise::communicator world = groups.make();
    const auto run = [&](const foldwise::communicator& own) {
        for (int i = 0; i < cases; ++i) {
            trial one(own, static_cast<std::uint32_t>(seed * 100'000 + i));
            elementwise_cases(one);
            fold_cases(one);
            scan_cases(one);
            scatter_cases(one);
            stencil_cases(one);
            item_cases(one);
        }
    };
    // Each rank makes the calls, and where the ranks are threads, the process makes them for all.
    world.run(use);
    world.run(run);
    if (!is_a_rank(world)) run(world);
    const int failed =
        world.run([](const foldwise::communicator& own) { return own.all_reduce(failures.load(), std::plus<>()); });
    if (world.rank() == 0) std::printf("%d cases, %d ranks: %d failed\n", cases, world.size(), failed);
    return failed != 0;
} catch (const foldwise::device_error& error) {
    std::printf("%s\n", error.what());
    return 1;
}
