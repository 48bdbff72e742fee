// tests/distributed/failures_test.cpp: what fails in one process fails in all, and none waits for another that has
// failed.
#include "check.hpp"
#include "distributed.kernels.hpp"

#include <foldwise/distributed.hpp>
#include <foldwise/mpi.hpp>
#include <mpi.h>

#include <cstdint>
#include <memory_resource>
#include <new>
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

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        const foldwise::communicator outside = foldwise::mpi(MPI_COMM_WORLD);
        const int size = outside.size(), rank = outside.rank();
        for (int failing = 0; failing < size; ++failing) {
            const foldwise::communicator world = foldwise::mpi(MPI_COMM_WORLD);
            distributed<std::int64_t> x({100}, world);
            spread::number(x);

            // An allocation in one process fails in all, and the group goes on.
            CHECK(is_same(outside, message_of<foldwise::out_of_memory>(
                                       [&] { distributed<double> y({100}, world, failing_in(world, failing)); })));
            CHECK(spread::sum(x) == 4950);

            // So does a fold, whose outcome processes exchange.
            const auto where = rank == failing ? foldwise::cuda() : foldwise::cpu();
            CHECK(is_same(outside, message_of<foldwise::error>([&] { spread::sum(x, where); })));
            CHECK(is_same(outside, message_of<foldwise::error>([&] { spread::sum(x, foldwise::axis(0), where); })));
            CHECK(spread::sum(x) == 4950);

            // Shapes that do not fit are found by all.
            distributed<std::int64_t> longer({101}, world);
            CHECK(is_same(outside, message_of<foldwise::shape_error>([&] { spread::difference(x, longer); })));
            CHECK(is_same(outside, message_of<foldwise::shape_error>([&] { spread::difference(x, x, longer); })));
            CHECK(is_same(outside, message_of<foldwise::shape_error>([&] { spread::sum(x, foldwise::axis(1)); })));
            CHECK(spread::sum(x) == 4950);

            // Different calls are told.
            if (size > 1) {
                CHECK(is_same(outside, message_of<foldwise::communication_error>([&] {
                                  if (rank == failing)
                                      spread::sum(x, foldwise::axis(0));
                                  else
                                      spread::compose(x, foldwise::axis(0));
                              })));
            }
            CHECK(spread::sum(x) == 4950);

            // An elementwise call asks no other process: if it fails in one, the others' next call that waits for this
            // process throws the same, and the group is of no use any more.
            const std::string message = message_of<foldwise::out_of_memory>([&] {
                const auto y = spread::difference(x, x, failing_in(world, failing));
                for (;;) spread::sum(y);
            });
            CHECK(is_same(outside, message));
            if (size > 1) CHECK(message_of<foldwise::out_of_memory>([&] { spread::sum(x); }) == message);
        }
        failures = outside.all_reduce(failures, [](int a, int b) { return a + b; });
        if (rank == 0) std::printf("failures of %d processes: %d failed\n", size, failures);
    }
    MPI_Finalize();
    return failures != 0;
}
