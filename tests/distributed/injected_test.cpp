// tests/distributed/injected_test.cpp: failures of one rank at random places of random calls. All ranks throw the same
// error, soon, and what is computed afterwards is right:
//   mpirun -np N injected_test mpi COUNT SEED, or injected_test threads N COUNT SEED
//   mpirun -np N injected_test mpi kill SEED: a process is killed, and what the others print is right
#include "groups.hpp"
#include "trial.hpp"

#include "distributed.kernels.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <memory_resource>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using foldwise::communicator;

/// A wait of this many seconds is a hang.
constexpr unsigned most_seconds = 30;

/// Memory that is at its end after some allocations.
class scarce_memory final : public std::pmr::memory_resource {
  public:
    explicit scarce_memory(int allocations) : left_(allocations) {}

  private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        if (left_-- <= 0) throw std::bad_alloc();
        return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
        std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
    }
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

    int left_;
};

/// The text of what is thrown; empty if nothing is.
std::string thrown_by(const std::function<void()>& f) {
    try {
        f();
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

/// Calls one function after another, in which the failing rank fails at last.
class injection {
  public:
    injection(const communicator& world, std::mt19937& random)
        : world_(world), x_({40, 5}, world), kind_(static_cast<int>(random() % 8)),
          own_kind_(static_cast<int>(random() % 3)),
          failing_(static_cast<int>(random() % static_cast<unsigned>(world.size()))),
          calls_(static_cast<int>(random() % 4)), memory_(static_cast<int>(random() % 2)) {
        x_.fill_from(values());
    }

    static std::vector<std::int64_t> values() {
        std::vector<std::int64_t> all(200);
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int64_t>(i * i % 101) - 50;
        return all;
    }

    /// Runs calls that are right, and then fails.
    void run() {
        for (int i = 0; i < calls_; ++i) compute();
        fails();
        for (;;) {  // what one rank has thrown in a call that others do not know of, they throw where they wait for it
            compute();
            world_.barrier();
        }
    }

    void compute() const {
        const std::vector<std::int64_t> all = values();
        const auto host = foldwise::host(all, {40, 5});
        CHECK(spread::sum(x_) == spread::sum(host));
        CHECK(spread::compose(x_, axis(0)).to_host() == spread::compose(host, axis(0)).to_host());
        CHECK(spread::running(x_).to_host() == spread::running(host).to_host());
        CHECK(x_.to_host() == all);
    }
    std::string text() const {
        return "kind " + std::to_string(kind_) + ", error " + std::to_string(own_kind_) + ", rank " +
               std::to_string(failing_);
    }

  private:
    bool is_failing() const { return world_.rank() == failing_; }
    /// An executor with which the failing rank fails.
    foldwise::executor bad() {
        if (!is_failing()) return foldwise::cpu();
        return own_kind_ == 0 ? foldwise::cuda(1000) : foldwise::cpu(foldwise::resource(&memory_));
    }
    void fails() {
        const foldwise::executor where = bad();
        switch (kind_) {
        case 0:
            static_cast<void>(distributed<double>({100, 10}, world_, where));
            break;
        case 1:
            static_cast<void>(spread::sum(x_, where));
            break;
        case 2:
            static_cast<void>(spread::compose(x_, axis(0), where));
            break;
        case 3:
            static_cast<void>(spread::sum(x_, axis(1), where));
            break;
        case 4:
            static_cast<void>(spread::difference(x_, x_, where));
            break;
        case 5:
            static_cast<void>(spread::running(x_, where));
            break;
        case 6:
            (void)spread::difference(x_, distributed<std::int64_t>({41, 5}, world_));  // in all ranks
            break;
        default:
            foldwise::detail::run_alone(world_, [&] {
                if (!is_failing()) return;
                if (own_kind_ == 0) throw std::runtime_error("an exception of the program's own");
                if (own_kind_ == 1) throw std::bad_alloc();
                throw foldwise::device_error("an error of a device");
            });
        }
        // Memory may have sufficed; then the rank fails for sure.
        foldwise::detail::run_alone(world_, [&] {
            if (is_failing()) throw foldwise::out_of_memory("at last");
        });
    }

    communicator world_;
    distributed<std::int64_t> x_;
    int kind_, own_kind_, failing_, calls_;
    scarce_memory memory_;
};

/// Whether all ranks have the same text, which is not empty.
bool is_same(const communicator& world, const std::string& text) {
    const std::vector<std::size_t> lengths = world.all_gather(text.size());
    const std::vector<char> all = world.all_gather(text);
    bool same = !text.empty();
    for (const std::size_t one : lengths) same = same && one == text.size();
    for (std::size_t i = 0; same && i < all.size(); ++i) same = all[i] == text[i % text.size()];
    return same;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Kills one process of several, after some calls.
void kill_one(const communicator& world, std::uint32_t seed) {
    std::mt19937 random(seed);
    injection calls(world, random);
    const int victim = static_cast<int>(random() % static_cast<unsigned>(world.size()));
    const auto when = std::chrono::microseconds(random() % 20'000);
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
        calls.compute();
        if (failures.load() > 0) std::printf("wrong result\n");
        if (world.rank() == victim && std::chrono::steady_clock::now() - begin > when) raise(SIGKILL);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const group_maker groups(argc, argv);
    const std::span<char*> options = groups.options();
    const bool kills = options.size() > 0 && std::string_view(options[0]) == "kill";
    const int count = options.size() > 0 && !kills ? std::atoi(options[0]) : 20,
              seed = options.size() > 1 ? std::atoi(options[1]) : 1;
    std::signal(SIGALRM, [](int) {
        constexpr char text[] = "a call hangs\n";
        static_cast<void>(!write(1, text, sizeof text - 1));
        _exit(2);
    });
    alarm(most_seconds);
    const communicator outside = groups.make();
    if (kills) kill_one(outside, static_cast<std::uint32_t>(seed));
    double longest = 0;
    for (int i = 0; i < count; ++i) {
        alarm(most_seconds);
        const communicator made = groups.make();
        const auto begin = std::chrono::steady_clock::now();
        const auto inject = [&](const communicator& world, const communicator& own) {
            std::mt19937 random(static_cast<std::uint32_t>(seed * 100'000 + i));
            std::optional<injection> one(std::in_place, world, random);
            const std::string message = thrown_by([&] { one->run(); });
            CHECK(is_same(own, message), one->text() + ": " + message);
        };
        if (is_a_rank(made)) {
            inject(made, outside);
        } else {
            outside.run([&](const communicator& own) {
                inject(made.transport().ranks_here()->ranks()[static_cast<std::size_t>(own.rank())], own);
            });
            // The same for calls that the process makes for all ranks; the group goes on.
            std::mt19937 random(static_cast<std::uint32_t>(seed * 100'000 + i));
            injection one(outside, random);
            CHECK(!thrown_by([&] {
                       outside.run([&](const communicator& own) {
                           std::mt19937 same(static_cast<std::uint32_t>(seed * 100'000 + i));
                           injection(own, same).run();
                       });
                   }).empty());
            one.compute();
        }
        longest = std::max(longest, seconds_since(begin));
    }
    alarm(0);
    const int failed =
        outside.run([](const communicator& own) { return own.all_reduce(failures.load(), std::plus<>()); });
    if (outside.rank() == 0)
        std::printf("%d failures in %d ranks: %d failed, the longest took %.3f s\n", count, outside.size(), failed,
                    longest);
    return failed != 0;
}
