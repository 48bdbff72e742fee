// tests/distributed/cases_test.cpp: random calls with arrays over several processes give what the same calls give with
// arrays of one: mpirun -np N cases_test [how many] [seed].
#include "trial.hpp"

#include <foldwise/mpi.hpp>
#include <mpi.h>

#include <cstdlib>

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

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int cases = argc > 1 ? std::atoi(argv[1]) : 60, seed = argc > 2 ? std::atoi(argv[2]) : 1;
    {
        const foldwise::communicator world = foldwise::mpi(MPI_COMM_WORLD);
        use(world);
        for (int i = 0; i < cases; ++i) {
            trial one(world, static_cast<std::uint32_t>(seed * 100'000 + i));
            elementwise_cases(one);
            fold_cases(one);
            scan_cases(one);
        }
        failures = world.all_reduce(failures, [](int a, int b) { return a + b; });
        if (world.rank() == 0) std::printf("%d cases, %d processes: %d failed\n", cases, world.size(), failures);
    }
    MPI_Finalize();
    return failures != 0;
}
