// bench/distributed/scaling.cpp: how long calls with arrays over several processes, threads or GPUs take, and messages.
//   scaling gpus N, scaling threads N, mpirun -np N scaling mpi, mpirun -np N scaling nccl
//   further arguments: --elements COUNT (of each rank, or of all with --strong), --calls COUNT, --messages (latency and
//   bandwidth of messages alone), --latency (small calls alone)
// Writes a line for each workload: its name, the group, weak or strong, ranks, elements altogether, milliseconds
// (median), GB/s of memory that must be read and written altogether.
#include "scaling.kernels.hpp"

#include <foldwise/distributed.hpp>
#ifdef BENCH_MPI
#include <foldwise/mpi.hpp>
#include <mpi.h>
#endif
#ifdef BENCH_NCCL
#include <foldwise/nccl.hpp>
#endif

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using foldwise::axis;
using foldwise::communicator;
using foldwise::distributed;

struct options {
    std::string group = "threads";
    int ranks = 1, calls = 20;
    std::int64_t elements = 1'000'000;
    bool is_strong = false, has_messages_alone = false, has_latency_alone = false;
};

options parse(int argc, char** argv) {
    options found;
    if (argc > 1) found.group = argv[1];
    int next = 2;
    if (found.group == "threads" || found.group == "gpus") found.ranks = std::atoi(argc > 2 ? argv[next++] : "1");
    for (; next < argc; ++next) {
        const std::string_view name = argv[next];
        if (name == "--strong")
            found.is_strong = true;
        else if (name == "--messages")
            found.has_messages_alone = true;
        else if (name == "--latency")
            found.has_latency_alone = true;
        else if (name == "--elements" && next + 1 < argc)
            found.elements = static_cast<std::int64_t>(std::atof(argv[++next]));
        else if (name == "--calls" && next + 1 < argc)
            found.calls = std::atoi(argv[++next]);
    }
    return found;
}

communicator make(const options& given) {
    if (given.group == "threads") return foldwise::threads(given.ranks);
    if (given.group == "gpus") {
        std::vector<int> devices;
        for (int rank = 0; rank < given.ranks; ++rank) devices.push_back(rank);
        return foldwise::gpus(devices);
    }
#ifdef BENCH_MPI
    if (given.group == "mpi") return foldwise::mpi(MPI_COMM_WORLD);
#ifdef BENCH_NCCL
    if (given.group == "nccl") return foldwise::nccl(MPI_COMM_WORLD);
#endif
#endif
    std::fprintf(stderr, "there is no group '%s' in this build\n", given.group.c_str());
    std::exit(2);
}

/// Milliseconds of a call, the median of several, after two to warm up.
double milliseconds(int calls, const std::function<void()>& call) {
    std::vector<double> times;
    for (int i = -2; i < calls; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        call();
        if (i >= 0)
            times.push_back(
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
    return times[times.size() / 2];
}

class suite {
  public:
    suite(const communicator& world, const options& given)
        : world_(world), given_(given), count_(given.is_strong ? given.elements : given.elements * world.size()) {}

    void run() {
        distributed<double> x({count_}, world_), y({count_}, world_), z({count_}, world_);
        fill(x, 3);
        fill(y, 5);
        write("rel_diff", 24, [&] {
            scaled::rel_diff(x, y, z);
            finish(z);
        });
        write("dot", 16, [&] { scaled::dot(x, y); });
        write("variance", 8, [&] { scaled::variance(x); });
        write("scan", 16, [&] {
            scaled::running(x, z);
            finish(z);
        });
        distributed<std::int32_t> keys({count_}, world_);
        scaled::keys(keys);
        write("histogram", 4, [&] {
            auto counts = scaled::histogram(keys, foldwise::shape{4096});
            finish(counts);
        });
        const std::int64_t columns =
                               std::min<std::int64_t>(100'000, std::max<std::int64_t>(1, count_ / world_.size() / 100)),
                           rows = std::max<std::int64_t>(world_.size(), count_ / columns);
        distributed<double> m({rows, columns}, world_);
        fill(m, 7);
        write("rows", 8, [&] {
            auto sums = scaled::sum(m, axis(1));
            finish(sums);
        });
        write("columns", 8, [&] {
            auto sums = scaled::sum(m, axis(0));
            finish(sums);
        });
        const auto side = static_cast<std::int64_t>(std::max(1.0, std::sqrt(static_cast<double>(count_))));
        distributed<double> grid({side, side}, world_), next({side, side}, world_);
        fill(grid, 1);
        write("stencil", 16, [&] {
            scaled::heat(grid, next);
            finish(next);
        });
    }

    /// Small calls: what they take beside a message of 8 bytes from each rank to all.
    void run_small() {
        const int calls = std::max(given_.calls, 1000);
        write_latency("all_gather of 8 bytes", milliseconds(calls, [&] {
                          world_.run([](const communicator& own) { (void)own.all_gather(1.0); });
                      }));
#ifdef BENCH_MPI
        if (given_.group == "mpi" || given_.group == "nccl") {
            double mine = 1, all = 0;
            write_latency("MPI_Allreduce of 8 bytes", milliseconds(calls, [&] {
                              MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
                          }));
        }
#endif
        write_latency("array made and freed", milliseconds(calls, [&] {
                          distributed<double> made({1000}, world_);
                          finish(made);
                      }));
        distributed<double> m({100, 1000}, world_);
        fill(m, 7);
        write_latency("rows of 10^5", milliseconds(calls, [&] { finish(scaled::sum(m, axis(1))); }));
        write_latency("columns of 10^5", milliseconds(calls, [&] { finish(scaled::sum(m, axis(0))); }));
        for (const std::int64_t count : {1'000, 1'000'000}) {
            const std::string elements = count == 1'000 ? "10^3" : "10^6";
            distributed<double> x({count}, world_);
            fill(x, 1);
            write_latency(("sum of " + elements).c_str(), milliseconds(calls, [&] { scaled::sum(x); }));
            const double alone = milliseconds(calls, [&] {
                world_.run([&](const communicator& own) {
                    distributed<double>& part =
                        x.parts().size() == 1 ? x.parts()[0] : x.parts()[static_cast<std::size_t>(own.rank())];
                    scaled::sum(part.local());
                });
            });
            write_latency(("each rank's sum of its own of " + elements).c_str(), alone);
        }
    }

  private:
    static void fill(distributed<double>& x, double value) {
        for (distributed<double>& part : x.parts()) {
            if (part.local().size() == 0) continue;
            const foldwise::view<double> rows = part.local();
            foldwise::array<double> values(rows.shape(), foldwise::detail::executor_of(rows.place()));
            values.fill(value);
            foldwise::copy(values, rows);
        }
    }
    /// Waits for a result, whose elements may still be computed.
    template <class T> static void finish(const distributed<T>& x) {
        for (const distributed<T>& part : x.parts()) foldwise::detail::wait_for(part.local().place(), nullptr);
    }
    void write(const char* name, int bytes, const std::function<void()>& call) {
        const double took = milliseconds(given_.calls, [&] {
            call();
            world_.barrier();
        });
        if (world_.rank() != 0) return;
        std::printf("%s\t%s\t%s\t%d\t%lld\t%.4f\t%.2f\n", name, given_.group.c_str(),
                    given_.is_strong ? "strong" : "weak", world_.size(), static_cast<long long>(count_), took,
                    static_cast<double>(count_) * bytes / took / 1e6);
        std::fflush(stdout);
    }

    void write_latency(const char* name, double took) {
        if (world_.rank() == 0)
            std::printf("%s\t%s\tlatency\t%d\t%.2f us\n", name, given_.group.c_str(), world_.size(), took * 1000);
    }

    communicator world_;
    options given_;
    std::int64_t count_;
};

/// Bytes in the memory of GPUs: from each rank to the next one, and from each to all.
void messages_between_gpus(const communicator& world, int calls,
                           const std::function<void(const char*, std::size_t, double)>& write) {
    foldwise::detail::gpu_transport* const between = world.transport().between_gpus();
    if (!between) return;
    const foldwise::executor own = world.on_own_gpu(foldwise::cuda());
    const int next = (world.rank() + 1) % world.size(), before = (world.rank() + world.size() - 1) % world.size();
    for (const std::size_t bytes : {8, 1024, 65'536, 1 << 20, 1 << 25, 1 << 28}) {
        const std::vector<std::size_t> sizes(static_cast<std::size_t>(world.size()), bytes);
        const auto count = static_cast<std::int64_t>(bytes);
        const foldwise::array<std::uint8_t> mine({count}, own);
        foldwise::array<std::uint8_t> others({count}, own), all({count * world.size()}, own);
        const int few = bytes > 1 << 20 ? 20 : calls;
        const foldwise::detail::sent_message sent{mine.data(), bytes, next};
        const foldwise::detail::received_message received{others.data(), bytes, before};
        write("gpu_exchange", bytes, milliseconds(few, [&] {
                  between->begin_exchange({&sent, 1}, {&received, 1}, mine.stream())->wait();
              }));
        write("gpu_all_gather", bytes, milliseconds(few, [&] {
                  between->all_gather(mine.data(), all.data(), sizes, mine.stream());
                  foldwise::detail::wait_for(mine.place(), mine.stream());
              }));
        world.barrier();
    }
}

/// Latency of what is sent in small pieces, and bandwidth of what is sent in large ones.
void messages(const communicator& world, const options& given) {
    const int calls = std::max(given.calls, 200);
    const auto write = [&](const char* name, std::size_t bytes, double took) {
        if (world.rank() == 0)
            std::printf("%s\t%s\t%d\t%zu\t%.2f us\t%.3f GB/s\n", name, given.group.c_str(), world.size(), bytes,
                        took * 1000, static_cast<double>(bytes) / took / 1e6);
    };
    write("barrier", 0, milliseconds(calls, [&] { world.barrier(); }));
    for (const std::size_t bytes : {8, 64, 1024, 65'536, 1 << 20}) {
        const std::vector<std::uint8_t> mine(bytes, 1);
        std::vector<std::uint8_t> all(bytes * static_cast<std::size_t>(world.size()));
        const std::vector<std::size_t> sizes(static_cast<std::size_t>(world.size()), bytes);
        write("all_gather", bytes,
              milliseconds(calls, [&] { world.transport().all_gather(mine.data(), all.data(), sizes); }));
    }
    if (world.size() < 2) return;
    for (const std::size_t bytes : {8, 1024, 65'536, 1 << 20, 1 << 25}) {
        std::vector<std::uint8_t> message(bytes, 1);
        const double both = milliseconds(bytes > 1 << 20 ? 20 : calls, [&] {  // there and back
            if (world.rank() == 0) {
                world.send(message, 1);
                world.receive(message, 1);
            } else if (world.rank() == 1) {
                world.receive(message, 0);
                world.send(message, 0);
            }
        });
        write("send", bytes, both / 2);
        world.barrier();
    }
    messages_between_gpus(world, calls, write);
}

void run(const options& given) {
    const communicator world = make(given);
    if (given.has_messages_alone)
        world.run([&](const communicator& own) { messages(own, given); });
    else if (given.has_latency_alone)
        suite(world, given).run_small();
    else
        suite(world, given).run();
}

}  // namespace

int main(int argc, char** argv) {
    const options given = parse(argc, argv);
#ifdef BENCH_MPI
    const bool has_mpi = given.group == "mpi" || given.group == "nccl";
    if (has_mpi) MPI_Init(&argc, &argv);
#endif
    try {
        run(given);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
#ifdef BENCH_MPI
    if (has_mpi) MPI_Finalize();
#endif
}
