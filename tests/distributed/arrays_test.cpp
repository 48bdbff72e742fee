// tests/distributed/arrays_test.cpp: what arrays over several processes are made of: rows that move between processes,
// halos, and files: mpirun -np N arrays_test mpi [how many] [seed], or arrays_test threads N [how many] [seed].
#include "check.hpp"
#include "groups.hpp"

#include <foldwise/distributed.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace {

using foldwise::communicator;
using foldwise::distributed;
using foldwise::shape;

struct record {
    std::int16_t a;
    float b;
    bool operator==(const record&) const = default;
};

/// A group that has nothing better than messages in turn, and plain files.
class plain_transport final : public foldwise::detail::transport {
  public:
    explicit plain_transport(const communicator& world) : world_(world) {}
    int rank() const override { return world_.rank(); }
    int size() const override { return world_.size(); }
    void all_gather(const void* mine, void* all, std::span<const std::size_t> bytes) override {
        world_.transport().all_gather(mine, all, bytes);
    }
    void broadcast(void* data, std::size_t bytes, int root) override {
        world_.transport().broadcast(data, bytes, root);
    }
    void barrier() override { world_.barrier(); }
    void send(const void* data, std::size_t bytes, int to, int tag) override {
        world_.transport().send(data, bytes, to, tag);
    }
    void receive(void* data, std::size_t bytes, int from, int tag) override {
        world_.transport().receive(data, bytes, from, tag);
    }
    void abandon(const std::string& failure) noexcept override { world_.transport().abandon(failure); }

  private:
    communicator world_;
};

/// Numbers of rows for each process, the same in all of them.
std::vector<std::int64_t> counts_of(std::int64_t rows, int processes, std::mt19937& random) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(processes), 0);
    for (std::int64_t row = 0; row < rows; ++row) ++counts[random() % counts.size()];
    if (random() % 4 == 0) {
        std::fill(counts.begin(), counts.end(), 0);
        counts[random() % counts.size()] = rows;
    }
    return counts;
}

template <class T> T element(std::mt19937& random) {
    if constexpr (std::is_same_v<T, record>)
        return {static_cast<std::int16_t>(random()), static_cast<float>(random() % 1000)};
    else
        return static_cast<T>(random() % 1000);
}

template <class T> void trial(const communicator& world, std::uint32_t seed, const std::string& file) {
    std::mt19937 random(seed);
    std::vector<std::int64_t> extents(1 + random() % 3);
    for (std::int64_t& one : extents) one = static_cast<std::int64_t>(random() % 5);
    if (random() % 2 == 0) extents[0] = static_cast<std::int64_t>(random() % 30);
    const shape whole{std::span<const std::int64_t>(extents)};
    std::vector<T> values(static_cast<std::size_t>(whole.size()));
    for (T& one : values) one = element<T>(random);
    const std::string text = foldwise::to_string(whole) + ", seed " + std::to_string(seed);
    const std::int64_t rows = whole[0], row = rows > 0 ? whole.size() / rows : 0;

    const std::vector<std::int64_t> counts = counts_of(rows, world.size(), random);
    distributed<T> x(whole, world, counts);
    x.fill_from(values);
    CHECK(x.to_host() == values && x.row_counts() == counts, text);
    CHECK(x.end() - x.begin() == counts[static_cast<std::size_t>(world.rank())], text);

    // Rows that move.
    const std::vector<std::int64_t> others = counts_of(rows, world.size(), random);
    const distributed<T> moved = x.redistribute(others), even = moved.redistribute(), all = moved.replicated();
    CHECK(moved.row_counts() == others && moved.to_host() == values, text);
    CHECK(even.to_host() == values && all.is_replicated() && all.to_host() == values, text);
    CHECK(all.local().shape() == whole && all.begin() == 0 && all.end() == rows, text);
    const std::vector<std::int64_t> even_counts = even.row_counts();
    for (std::size_t i = 1; i < even_counts.size(); ++i)
        CHECK(even_counts[i - 1] - even_counts[i] == 0 || even_counts[i - 1] - even_counts[i] == 1, text);
    CHECK(all.redistribute(counts).to_host() == values && all.redistribute(counts).row_counts() == counts, text);

    // Halos, with more rows than a neighbour or the whole array has.
    const auto reach = static_cast<std::int64_t>(random() % 6);
    const distributed<T>& any = random() % 4 == 0 ? all : x;
    for (const bool wraps : {false, true}) {
        const foldwise::halos<T> halo =
            wraps ? any.exchange_halos(reach, foldwise::periodic) : any.exchange_halos(reach);
        std::vector<T> want;
        const bool has_rows = any.end() > any.begin();
        const std::int64_t first = wraps ? any.begin() - reach : std::max<std::int64_t>(0, any.begin() - reach),
                           last = wraps ? any.end() + reach : std::min(rows, any.end() + reach);
        for (std::int64_t i = first; has_rows && i < last; ++i)
            for (std::int64_t k = 0; k < row; ++k)
                want.push_back(values[static_cast<std::size_t>(((i % rows + rows) % rows) * row + k)]);
        CHECK(halo.rows.to_host() == want, text);
        CHECK(!has_rows || (halo.before == any.begin() - first && halo.behind == last - any.end()), text);
        CHECK(has_rows || (halo.before == 0 && halo.behind == 0), text);
        CHECK(halo.rows.shape()[0] == halo.before + (any.end() - any.begin()) + halo.behind, text);
    }

    // Files, which another number of processes might have written.
    any.save(file);
    const distributed<T> loaded = distributed<T>::load(file, world);
    CHECK(loaded.shape() == whole && loaded.to_host() == values, text);
    const communicator alone;
    const distributed<T> whole_file = distributed<T>::load(file, alone);
    CHECK(whole_file.shape() == whole && whole_file.to_host() == values, text);
    world.barrier();
}

/// Whether all processes have the same message, which has this text in it.
bool all_say(const communicator& world, const std::string& message, const std::string& text) {
    const std::vector<char> all = world.all_gather(message);
    bool same = all.size() == message.size() * static_cast<std::size_t>(world.size());
    for (std::size_t i = 0; same && i < all.size(); ++i) same = all[i] == message[i % message.size()];
    if (!same || message.find(text) == std::string::npos) std::printf("  message: %s\n", message.c_str());
    return same && message.find(text) != std::string::npos;
}

void write(const communicator& world, const std::string& file, const std::string& header, std::size_t bytes) {
    if (world.rank() == 0) {
        std::ofstream out(file, std::ios::binary);
        const std::string padded = header + std::string(117 - header.size(), ' ') + '\n';
        out << std::string("\x93NUMPY\1\0\x76\0", 10) << padded << std::string(bytes, '\1');
    }
    world.barrier();
}

/// Numbers of rows that do not fit.
void refuse_counts(const communicator& world, const distributed<double>& x) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(world.size()) + 1, 0);
    CHECK(
        all_say(world, message_of<foldwise::shape_error>([&] { auto y = x.redistribute(counts); }), "numbers of rows"));
    counts.pop_back();
    CHECK(all_say(world, message_of<foldwise::shape_error>([&] { auto y = x.redistribute(counts); }),
                  "add up to 0, and there are 100"));
    counts[0] = 101;
    CHECK(all_say(world, message_of<foldwise::shape_error>([&] { auto y = x.redistribute(counts); }),
                  "more than the 100"));
    counts[0] = -1;
    CHECK(all_say(world, message_of<foldwise::shape_error>([&] { auto y = x.redistribute(counts); }), "-1 rows"));
    CHECK(all_say(world, message_of<std::invalid_argument>([&] { auto y = x.exchange_halos(-1); }), "-1 rows"));
}

void refuse(const communicator& world, const std::string& file) {
    const auto message = [&] {
        const std::string text =
            message_of<foldwise::file_error>([&] { auto x = distributed<double>::load(file, world); });
        world.barrier();
        return text;
    };
    CHECK(all_say(
        world, message_of<foldwise::file_error>([&] { auto x = distributed<double>::load(file + ".missing", world); }),
        "cannot be opened: No such file"));
    write(world, file, "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 2), }", 64);
    CHECK(distributed<double>::load(file, world).shape() == shape({4, 2}));
    CHECK(all_say(world, message_of<foldwise::file_error>([&] { auto x = distributed<float>::load(file, world); }),
                  "has elements of type '<f8', and '<f4' is to be read"));
    write(world, file, "{'descr': '>f8', 'fortran_order': False, 'shape': (4, 2), }", 64);
    CHECK(all_say(world, message(), "has elements of type '>f8'"));
    write(world, file, "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (4,), }", 64);
    CHECK(all_say(world, message(), "has elements of type [('a', '<f8')]"));
    write(world, file, "{'descr': '<f8', 'fortran_order': True, 'shape': (4, 2), }", 64);
    CHECK(all_say(world, message(), "columns first"));
    write(world, file, "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 2), }", 63);
    CHECK(all_say(world, message(), "an array of shape (4, 2) has 64 bytes, and there are 63"));
    write(world, file, "{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 8);
    CHECK(all_say(world, message(), "no rows"));
    write(world, file, "{'descr': '<f8', 'shape': (4, 2), }", 64);
    CHECK(all_say(world, message(), "not NumPy's"));
    write(world, file, "{'descr': '<f8', 'fortran_order': False, 'shape': (4, -2), }", 64);
    CHECK(all_say(world, message(), "not NumPy's"));
    write(world, file, "{'descr': '<f8', 'fortran_order': False, 'shape': (4000000000, 4000000000), }", 64);
    CHECK(all_say(world, message_of<foldwise::error>([&] { auto x = distributed<double>::load(file, world); }),
                  "4000000000"));
    world.barrier();
    if (world.rank() == 0) std::ofstream(file, std::ios::binary) << "no array";
    world.barrier();
    CHECK(all_say(world, message(), "no file in NumPy's format"));
    const distributed<double> x({100, 10}, world);
    CHECK(
        all_say(world, message_of<foldwise::file_error>([&] { x.save(file + ".missing/x.npy"); }), "cannot be opened"));

    refuse_counts(world, x);
}

/// No room for a file, which a limit of the process stands for.
void refuse_without_room(const communicator& world, const std::string& file) {
    const distributed<double> x({100, 10}, world);
    const std::string limited = file + ".limited";
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{512, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const std::string no_room = message_of<foldwise::file_error>([&] { x.save(limited); });
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK(all_say(world, no_room, "cannot be written"));
    world.barrier();
    if (world.rank() == 0) std::remove(limited.c_str());
}

/// What a process does for all ranks, which are its threads.
void use_for_all(const communicator& world, const std::string& file) {
    std::vector<double> values(70);
    std::iota(values.begin(), values.end(), 0.0);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(world.size()), 0);
    counts.back() = 10;
    const distributed<double> x = [&] {
        distributed<double> made({10, 7}, world, counts);
        made.fill_from(values);
        return made;
    }();
    CHECK(x.row_counts() == counts && x.begin() == 0 && x.end() == 10 && x.to_host() == values);
    CHECK(x.parts().size() == counts.size() && x.parts().back().local().shape() == shape({10, 7}));
    const distributed<double> even = x.redistribute();
    CHECK(even.to_host() == values && even.gathered().to_host() == values &&
          even.redistribute(counts).to_host() == values);
    const distributed<double> all = even.replicated();
    CHECK(all.is_replicated() && all.to_host() == values && all.gathered().to_host() == values && all.end() == 10);
    CHECK(all.row_counts() == std::vector<std::int64_t>(counts.size(), 10));
    even.save(file);
    CHECK(distributed<double>::load(file, world).to_host() == values);
    CHECK(message_of<foldwise::file_error>([&] {
              auto y = distributed<double>::load(file + ".missing", world);
          }).find("cannot be opened") != std::string::npos);
    CHECK(!message_of<foldwise::communication_error>([&] { auto y = x.exchange_halos(1); }).empty());
    CHECK(world.run([&](const communicator& own) {
        const foldwise::halos<double> halo = even.parts()[static_cast<std::size_t>(own.rank())].exchange_halos(1);
        return own.all_reduce(halo.before + halo.behind, std::plus<>());
    }) == 2 * (std::min<std::int64_t>(10, world.size()) - 1));
}

}  // namespace

int main(int argc, char** argv) {
    const group_maker groups(argc, argv);
    const std::span<char*> options = groups.options();
    const int cases = options.size() > 0 ? std::atoi(options[0]) : 40,
              seed = options.size() > 1 ? std::atoi(options[1]) : 1;
    const communicator all = groups.make();
    const std::string file =
        "/tmp/foldwise_arrays_" + std::to_string(all.broadcast(static_cast<int>(getpid()))) + ".npy";
    const int failed = all.run([&](const communicator& world) {
        const communicator plain(std::make_shared<plain_transport>(world));
        for (int i = 0; i < cases; ++i) {
            const auto own = static_cast<std::uint32_t>(seed * 100'000 + i);
            const communicator& group = i % 2 == 0 ? world : plain;
            i % 3 == 0   ? trial<double>(group, own, file)
            : i % 3 == 1 ? trial<std::uint8_t>(group, own, file)
                         : trial<record>(group, own, file);
        }
        refuse(world, file);
        refuse(plain, file);
        if (groups.is_mpi()) {
            refuse_without_room(world, file);
            refuse_without_room(plain, file);
        }
        return world.all_reduce(failures.load(), std::plus<>());
    });
    if (!is_a_rank(all)) use_for_all(all, file);
    if (all.rank() == 0) std::remove(file.c_str());
    if (all.rank() == 0) std::printf("%d arrays, %d ranks: %d failed\n", cases, all.size(), failed + failures.load());
    return failed != 0 || failures.load() != 0;
}
