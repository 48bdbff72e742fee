// tests/distributed/nccl_test.cpp: groups of processes with a GPU each, over fakes of CUDA and NCCL:
//   mpirun -np N nccl_test mpi    NCCL beside MPI
//   nccl_test threads N           NCCL beside a group of threads
//   nccl_test alone N             NCCL alone, in N threads
//   nccl_test gpus N              GPUs of this process, without NCCL
//   nccl_test killed N            NCCL alone, in N processes, one of which is killed
#include "check.hpp"
#include "fake/fake_nccl.hpp"
#include "fake_gpu.hpp"

#include <foldwise/distributed.hpp>
#include <foldwise/mpi.hpp>
#include <foldwise/nccl.hpp>
#include <gtest/gtest.h>
#include <mpi.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using foldwise::communication_error;
using foldwise::communicator;
using foldwise::distributed;
using foldwise::memory;
using foldwise::shape;

constexpr int most_gpus = 8;

fake_gpu& gpus() { return fake_gpu::current(); }

/// The `count` bytes that process `rank` sends, which every process can compute.
std::vector<std::uint8_t> bytes_of(int rank, std::size_t count) {
    std::vector<std::uint8_t> all(count);
    for (std::size_t i = 0; i < count; ++i)
        all[i] = static_cast<std::uint8_t>(i * 7 + static_cast<std::size_t>(rank) * 31);
    return all;
}

/// Messages of the host's, of sizes that are sent in different ways.
void use_host(const communicator& world) {
    const int rank = world.rank(), size = world.size();
    for (const std::size_t count : {0, 1, 999, 1001, 70'000, 17'000'000}) {
        if (count > 1'000'000 && size > 3) continue;  // a second for each
        const std::size_t own = count == 1 ? static_cast<std::size_t>(rank) : count + static_cast<std::size_t>(rank);
        std::vector<std::uint8_t> want;
        for (int other = 0; other < size; ++other) {
            const auto part =
                bytes_of(other, count == 1 ? static_cast<std::size_t>(other) : count + static_cast<std::size_t>(other));
            want.insert(want.end(), part.begin(), part.end());
        }
        CHECK(world.all_gather(bytes_of(rank, own)) == want, std::to_string(count));
    }
    struct large {
        std::uint8_t bytes[3000];
    } told{};
    if (rank == size - 1) std::ranges::copy(bytes_of(5, sizeof told), told.bytes);
    told = world.broadcast(told, size - 1);
    CHECK(std::ranges::equal(told.bytes, bytes_of(5, sizeof told)));
    CHECK(world.broadcast(rank * 10, size - 1) == (size - 1) * 10);
    CHECK(world.all_reduce(rank + 1, [](int a, int b) { return a * 3 + b; }) == [&] {
        int number = 1;
        for (int i = 1; i < size; ++i) number = number * 3 + i + 1;
        return number;
    }());
    world.barrier();
    if (rank + 1 < size && rank % 2 == 0) {
        world.send(bytes_of(1, 10), rank + 1, 7);
        world.send(bytes_of(2, 10), rank + 1, 8);
        world.send(bytes_of(3, 5000), rank + 1, 7);
    } else if (rank % 2 == 1) {
        std::vector<std::uint8_t> got(10), more(10), last(5000);
        world.receive(got, rank - 1, 8);
        world.receive(more, rank - 1, 7);
        world.receive(last, rank - 1, 7);
        CHECK(got == bytes_of(2, 10) && more == bytes_of(1, 10) && last == bytes_of(3, 5000));
    }
    world.barrier();
}

bool has(const std::vector<std::string>& calls, const std::string& name) {
    return std::ranges::find(calls, name) != calls.end();
}

/// A stencil that is written as the generator writes it, whose kernel reads and writes the memory of the fake GPUs: the
/// elements above and below, 2 rows away.
struct rows_around {
    static constexpr foldwise::detail::operand_info operands[] = {{"a", 4, 4}, {"out", 4, 4}};
    static constexpr foldwise::detail::stencil_role roles[] = {foldwise::detail::stencil_role::around,
                                                               foldwise::detail::stencil_role::result};
    static constexpr foldwise::detail::stencil_kernel kernel{
        "test::rows_around", operands, roles, 1, 1, 2, true, false, 2, 2, nullptr, nullptr, nullptr};
    using signature = foldwise::items<true, std::int32_t(foldwise::view<const std::int32_t, 2>)>;

    void operator()(foldwise::operand<const foldwise::view<const std::int32_t, 2>> a,
                    foldwise::operand<std::int32_t> out, foldwise::executor where) const {
        if (where.asked()) {
            *where.asked() = &kernel;
            return;
        }
        const foldwise::detail::operand_ref from = a.ref(), to = out.ref();
        CHECK(from.place.kind == memory::cuda && to.place.kind == memory::cuda);
        const auto* const read = static_cast<const std::int32_t*>(from.data);
        auto* const written = static_cast<std::int32_t*>(to.data);
        const std::int64_t rows = from.layout.shape[0], columns = from.layout.shape[1];
        gpus().set_device(to.place.device);
        gpus().launch([=] { compute(read, written, rows, columns); }, where.stream());
    }
    /// Nobody calls it for arrays of one process.
    foldwise::array<std::int32_t> operator()(foldwise::operand<const foldwise::view<const std::int32_t, 2>>,
                                             foldwise::executor) const {
        return {};
    }
    static void compute(const std::int32_t* a, std::int32_t* out, std::int64_t rows, std::int64_t columns) {
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < columns; ++j)
                out[i * columns + j] =
                    a[std::max<std::int64_t>(0, i - 2) * columns + j] * 3 - a[std::min(rows - 1, i + 2) * columns + j];
    }
    template <class... A> static auto call(A&&... given) {
        return foldwise::stencil_call<foldwise::signatures<signature>, A...>::make(rows_around(), given...);
    }
};

/// Stencils of arrays on GPUs: halos go from one to another without the host, in each step.
void use_stencils(const communicator& world, bool is_own_process) {
    constexpr std::int64_t columns = 2000;
    constexpr int steps = 3;
    for (const std::int64_t rows : {1, 7, 40}) {
        std::vector<std::int32_t> values(static_cast<std::size_t>(rows * columns)), want = values;
        std::iota(values.begin(), values.end(), 5);
        std::vector<std::int32_t> last = values;
        for (int step = 0; step < steps; ++step) {
            rows_around::compute(last.data(), want.data(), rows, columns);
            std::swap(last, want);
        }
        rows_around::compute(values.data(), want.data(), rows, columns);
        distributed<std::int32_t> x({rows, columns}, world);
        x.fill_from(values);
        world.barrier();
        const std::size_t before = gpus().bytes_to_host();
        const distributed<std::int32_t> once = rows_around::call(x),
                                        more = rows_around::call(x, foldwise::steps(steps));
        const std::size_t after = gpus().bytes_to_host();
        world.barrier();
        if (is_own_process) CHECK(after - before == 0, std::to_string(after - before));
        CHECK(once.to_host() == want, std::to_string(rows));
        CHECK(more.to_host() == last, std::to_string(rows));
    }
}

/// Two exchanges at once, as of a stencil of two arrays: a process may begin the second one while others still begin
/// the first.
void exchange_two_at_once(const communicator& world, int device) {
    const int rank = world.rank(), size = world.size(), next = (rank + 1) % size, last = (rank + size - 1) % size;
    constexpr std::size_t count = 16;
    const foldwise::executor own = foldwise::cuda(device);
    const foldwise::array<std::uint8_t> one = foldwise::to_device(bytes_of(rank, count), own),
                                        other = foldwise::to_device(bytes_of(rank + size, count), own);
    foldwise::array<std::uint8_t> of_one({count}, own), of_other({count}, own);
    int wrong = 0;
    for (int turn = 0; turn < 300; ++turn) {
        foldwise::detail::gpu_transport& between = *world.transport().between_gpus();
        const foldwise::detail::sent_message sent[] = {{one.data(), count, next}, {other.data(), count, next}};
        const foldwise::detail::received_message received[] = {{of_one.data(), count, last},
                                                               {of_other.data(), count, last}};
        const auto first = between.begin_exchange({&sent[0], 1}, {&received[0], 1}, one.stream());
        const auto second = between.begin_exchange({&sent[1], 1}, {&received[1], 1}, one.stream());
        first->wait();
        second->wait();
        wrong += of_one.to_host() != bytes_of(last, count) || of_other.to_host() != bytes_of(last + size, count);
    }
    CHECK(wrong == 0, std::to_string(wrong));
}

/// Arrays whose rows are on GPUs, and go from one to another without the host.
void use_arrays(const communicator& world, bool is_own_process) {
    const foldwise::place own{memory::cuda, world.transport().device()};
    for (const std::int64_t rows : {0, 1, 5, 64}) {
        std::vector<std::int32_t> values(static_cast<std::size_t>(rows) * 3000);
        std::iota(values.begin(), values.end(), 17);
        distributed<std::int32_t> x({rows, 3000}, world);
        CHECK(x.local().place() == own || x.local().size() == 0);
        x.fill_from(values);
        CHECK(x.to_host() == values);
        world.barrier();
        fake_nccl::calls();
        world.barrier();
        const std::size_t before = gpus().bytes_to_host();
        const foldwise::array<std::int32_t> all = x.gathered();
        const std::size_t after = gpus().bytes_to_host();
        world.barrier();
        if (is_own_process) {
            CHECK(after - before < 100'000, std::to_string(after - before));  // what processes say of themselves
            const std::vector<std::string> calls = fake_nccl::calls();
            const bool is_even = rows % world.size() == 0;
            CHECK(has(calls, "ncclGroupStart") && has(calls, "ncclGroupEnd"));
            CHECK(has(calls, is_even ? "ncclAllGather" : "ncclBroadcast"), std::to_string(rows));
        }
        CHECK(all.to_host() == values && (all.place() == own || rows == 0));
        CHECK(x.redistribute().to_host() == values && x.replicated().to_host() == values);
    }
    // Messages between GPUs.
    const int rank = world.rank(), size = world.size();
    const auto count = static_cast<std::int64_t>(1000);
    foldwise::array<std::uint8_t> sent = foldwise::to_device(bytes_of(rank, 1000), foldwise::cuda(own.device));
    foldwise::array<std::uint8_t> received({size, count}, foldwise::cuda(own.device));
    std::vector<foldwise::detail::sent_message> to;
    std::vector<foldwise::detail::received_message> from;
    for (int other = 0; other < size; ++other) {
        to.push_back({sent.data() + other, 100, other});
        from.push_back({received.data() + other * 100, 100, other});
    }
    world.transport().between_gpus()->begin_exchange(to, from, sent.stream())->wait();
    const std::vector<std::uint8_t> got = received.to_host();
    for (int other = 0; other < size; ++other) {
        const std::vector<std::uint8_t> whole = bytes_of(other, 1000);
        CHECK(std::equal(whole.begin() + rank, whole.begin() + rank + 100, got.begin() + other * 100));
    }
    exchange_two_at_once(world, own.device);
}

/// Seconds that something takes.
template <class F> double seconds_of(const F& f) {
    const auto begin = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The message of the error that ends a call in all processes, when one of them fails in a call that the others do not
/// know of: it abandons the group.
void abandon_in(int failing, const communicator& world, const communicator& outside) {
    distributed<std::int32_t> x({40, 10}, world);
    x.fill_from(std::vector<std::int32_t>(400, 1));
    std::string message;
    const double took = seconds_of([&] {
        message = message_of<foldwise::out_of_memory>([&] {
            foldwise::detail::run_alone(world, [&] {
                if (world.rank() == failing) throw foldwise::out_of_memory("of process " + std::to_string(failing));
            });
            for (;;) {
                (void)x.gathered();
                world.barrier();
            }
        });
    });
    CHECK(message == "of process " + std::to_string(failing), message);
    CHECK(took < 30, std::to_string(took));
    CHECK(message_of<foldwise::out_of_memory>([&] { (void)x.gathered(); }) == message);
    CHECK(message_of<foldwise::out_of_memory>([&] { world.barrier(); }) == message);
    outside.barrier();
}

/// NCCL reports an error while a process waits.
void report_error(const communicator& world, const communicator& outside) {
    distributed<std::int32_t> x({40, 10}, world);
    x.fill_from(std::vector<std::int32_t>(400, 1));
    outside.barrier();
    fake_nccl::calls();
    outside.barrier();
    if (world.rank() == 0) fake_nccl::report(ncclRemoteError);
    // The first process waits for the others, which do not come.
    if (world.rank() == 0) {
        const auto wait = [&] {
            foldwise::array<std::int32_t> all({40, 10}, foldwise::cuda(world.transport().device()));
            std::vector<std::size_t> bytes(static_cast<std::size_t>(world.size()), 40);
            world.transport().between_gpus()->all_gather(x.local().data(), all.data(), bytes, nullptr);
        };
        const std::string message = message_of<communication_error>(wait);
        CHECK(message.find("NCCL: ") == 0 && message.find("remote process exited") != std::string::npos, message);
        CHECK(message_of<communication_error>(wait) == message);
        CHECK(has(fake_nccl::calls(), "ncclCommAbort"));
    }
    outside.barrier();
    fake_nccl::report(ncclSuccess);
    outside.barrier();
}

void use_beside(const communicator& outside, bool is_own_process, const std::function<communicator()>& make) {
    const int rank = outside.rank(), size = outside.size();
    {
        const communicator world = foldwise::nccl(outside);
        CHECK(world.rank() == rank && world.size() == size && world.transport().device() == rank);
        use_host(world);
        use_arrays(world, is_own_process);
        use_stencils(world, is_own_process);
    }
    for (int failing = 0; failing < size; ++failing) abandon_in(failing, foldwise::nccl(make()), outside);
    if (size > 1 && is_own_process) report_error(foldwise::nccl(make()), outside);

    // What is wrong at the beginning is wrong in all processes.
    outside.barrier();
    if (!is_own_process) return;
    fake_nccl::set_version(21003);
    const std::string old = message_of<communication_error>([&] { foldwise::nccl(outside); });
    CHECK(old.find("NCCL 2.10.3") != std::string::npos && old.find("2.18.0 or later") != std::string::npos, old);
    fake_nccl::set_version(0);
    for (int failing = 0; failing < size; ++failing) {
        if (rank == failing) fake_nccl::fail_next("ncclCommInitRankConfig", ncclSystemError);
        const communicator again = make();
        const std::string message = message_of<communication_error>([&] { foldwise::nccl(again); });
        CHECK(message.find("unhandled system error") != std::string::npos, message);
    }
}

/// Runs in each of some threads that have NCCL alone.
void use_alone(const communicator& outside, const ncclUniqueId& id, const std::function<ncclUniqueId()>& next) {
    const int rank = outside.rank(), size = outside.size();
    gpus().set_device(rank);
    CUstream_st* stream = nullptr;
    gpus().make_stream(stream);
    const auto join = [&](const ncclUniqueId& own) {
        ncclComm_t made = nullptr;
        CHECK(ncclCommInitRank(&made, size, own, rank) == ncclSuccess);
        return made;
    };
    const auto next_id = [&] {
        ncclUniqueId own{};
        if (rank == 0) own = next();
        return outside.broadcast(own);
    };
    ncclComm_t processes = join(id);
    CHECK(message_of<foldwise::device_error>([&] {
              foldwise::nccl(processes, (rank + 1) % most_gpus, nullptr);
          }).find("is one of GPU " + std::to_string(rank)) != std::string::npos);
    {
        const communicator world = foldwise::nccl(processes, rank, stream);
        CHECK(world.rank() == rank && world.size() == size && world.transport().device() == rank);
        use_host(world);
        use_arrays(world, false);
        use_stencils(world, false);
        if (size > 1) {
            // Different calls are told, and the group goes on.
            const std::string different = message_of<communication_error>([&] {
                if (rank == size - 1)
                    world.barrier();
                else
                    (void)world.broadcast(1);
            });
            CHECK(different == "process 0 calls broadcast, and process " + std::to_string(size - 1) + " barrier",
                  different);
            CHECK(message_of<communication_error>([&] { world.send(std::vector<int>(1), rank); }).find("itself") !=
                  std::string::npos);
        }
        world.barrier();
    }
    for (int failing = 0; failing < size; ++failing) {
        ncclComm_t own = join(next_id());
        {
            const communicator world = foldwise::nccl(own, rank, stream);
            abandon_in(failing, world, outside);
        }
        ncclCommAbort(own);
    }
    if (size > 1) {
        // One does not come.
        const communicator world = foldwise::nccl(join(next_id()), rank, stream, std::chrono::milliseconds(300));
        if (rank > 0) {
            const std::string message = message_of<communication_error>([&] { world.barrier(); });
            CHECK(message.find("have not taken part for 300 ms") != std::string::npos, message);
            CHECK(message_of<communication_error>([&] { (void)world.all_gather(1); }) == message);
        }
        outside.barrier();
    }
    ncclCommDestroy(processes);
    gpus().destroy(stream);
}

ncclUniqueId new_id() {
    ncclUniqueId id{};
    CHECK(ncclGetUniqueId(&id) == ncclSuccess);
    return id;
}

/// What a process sees when another one is killed.
int survive(int rank, int size, const ncclUniqueId& id) {
    gpus().set_device(rank);
    CUstream_st* stream = nullptr;
    gpus().make_stream(stream);
    ncclComm_t processes = nullptr;
    if (ncclCommInitRank(&processes, size, id, rank) != ncclSuccess) return 1;
    const communicator world = foldwise::nccl(processes, rank, stream);
    world.barrier();
    if (rank == size - 1) fake_nccl::die_in_next_transfer();
    const std::string message = message_of<communication_error>([&] {
        for (;;) (void)world.all_gather(rank);
    });
    CHECK(message.find("remote process exited") != std::string::npos, message);
    return failures != 0;
}

int kill_one(int size) {
    const ncclUniqueId id = new_id();
    std::vector<pid_t> children;
    for (int rank = 0; rank < size; ++rank) {
        const pid_t child = fork();
        if (child == 0) _exit(survive(rank, size, id));
        children.push_back(child);
    }
    // The killed process is gone only when its parent has asked for it.
    int failed = 0, left = size;
    const double took = seconds_of([&] {
        while (left-- > 0) {
            int status = 0;
            const pid_t ended = wait(&status);
            const int want = ended == children.back() ? 9 : 0;
            if (!WIFEXITED(status) || WEXITSTATUS(status) != want) ++failed;
        }
    });
    if (took > 30) ++failed;
    std::printf("killed one of %d: %d failed, %.1f s\n", size, failed, took);
    return failed != 0;
}

int run(int argc, char** argv) {
    const std::string_view kind = argc > 1 ? argv[1] : "mpi";
    const int size = argc > 2 ? std::atoi(argv[2]) : 1;
    if (kind == "killed") return kill_one(size);
    if (kind == "mpi") {
        MPI_Init(&argc, &argv);
        {
            const communicator outside = foldwise::mpi(MPI_COMM_WORLD);
            CHECK(foldwise::nccl(MPI_COMM_WORLD).size() == outside.size());
            use_beside(outside, true, [] { return foldwise::mpi(MPI_COMM_WORLD); });
            const int failed = outside.all_reduce(failures.load(), std::plus<>());
            if (outside.rank() == 0) std::printf("NCCL beside MPI, %d processes: %d failed\n", outside.size(), failed);
            failures = failed;
        }
        MPI_Finalize();
        return failures != 0;
    }
    if (kind == "gpus") {
        std::vector<int> devices(static_cast<std::size_t>(size));
        std::iota(devices.begin(), devices.end(), 0);
        const communicator world = foldwise::gpus(devices);
        world.run([](const communicator& own) {
            use_arrays(own, false);
            use_stencils(own, false);
        });
        use_stencils(world, true);
        std::printf("GPUs of one process, %d threads: %d failed\n", size, failures.load());
        return failures != 0;
    }
    const communicator outside = foldwise::threads(size);
    if (kind == "alone") {
        const ncclUniqueId id = new_id();
        outside.run([&](const communicator& own) { use_alone(own, id, new_id); });
    } else {
        CHECK(message_of<communication_error>([&] { foldwise::nccl(outside); }).find("threads of one process") !=
              std::string::npos);
        std::vector<communicator> others;
        for (int i = 0; i <= size; ++i) others.push_back(foldwise::threads(size));
        outside.run([&](const communicator& own) {
            std::size_t next = 0;
            use_beside(own, false, [&] {
                return others[next++].transport().ranks_here()->ranks()[static_cast<std::size_t>(own.rank())];
            });
        });
    }
    std::printf("NCCL %s, %d threads: %d failed\n", kind.data(), size, failures.load());
    return failures != 0;
}

}  // namespace

int main(int argc, char** argv) {
    int status = 0;
    {
        fake_gpu fake;
        fake.devices = most_gpus;
        fake.run_streams_in_threads();
        status = run(argc, argv);
    }
    return status != 0 || testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed();
}
