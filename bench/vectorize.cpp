// bench/vectorize.cpp: contiguous vectorize kernels against CUB and against a device-to-device copy of as many bytes.
//
// usage: bench_vectorize [--json=FILE]
#include "gpu.hpp"
#include "peers.hpp"
#include "vectorize.kernels.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace {

using bench::timing;

struct row {
    std::string type, what;
    std::int64_t n;
    double bytes;
    timing time;
    double host_us;
};

/// Operands of one case: as many sets as it takes to leave the cache behind. `x` and `out` are half as long again as
/// the operands, so that a copy of one to the other moves as many bytes as the kernel.
template <class T> struct operand_sets {
    std::int64_t n;
    std::vector<foldwise::array<T>> x, y, out;

    operand_sets(std::int64_t size, const bench::gpu& gpu) : n(size) {
        const int sets = gpu.sets_of(3.0 * sizeof(T) * static_cast<double>(n));
        std::mt19937 rng(1);
        std::uniform_real_distribution<T> values(1, 2);
        std::vector<T> random(static_cast<std::size_t>(n + n / 2));
        for (T& value : random) value = values(rng);
        for (int set = 0; set < sets; ++set) {
            x.push_back(foldwise::to_device(random));
            std::rotate(random.begin(), random.begin() + static_cast<std::ptrdiff_t>(random.size() / 3), random.end());
            y.push_back(foldwise::to_device(std::span(random).first(static_cast<std::size_t>(n))));
            out.emplace_back(x.back().shape());
        }
    }
    foldwise::view<T> first(std::vector<foldwise::array<T>>& arrays, int set) {
        return arrays[static_cast<std::size_t>(set)].slice(0, 0, n);
    }
    int count() const { return static_cast<int>(x.size()); }
};

/// Largest relative difference from the same formula on the host.
template <class T> double worst_error(const operand_sets<T>& sets) {
    const std::vector<T> x = sets.x[0].to_host(), y = sets.y[0].to_host(), out = sets.out[0].to_host();
    double worst = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const double a = x[i], b = y[i], want = 2 * (a - b) / (a + b);
        worst = std::fmax(worst, std::abs(out[i] - want) / (std::abs(want) + 1e-3));
    }
    return worst;
}

template <class T> void measure(const char* type, std::int64_t n, const bench::gpu& gpu, std::vector<row>& rows) {
    operand_sets<T> sets(n, gpu);
    const double bytes = 3.0 * sizeof(T) * static_cast<double>(n), expected = 3 + bytes / 4e6;
    const auto add = [&](const char* what, auto launch) {
        const timing time = bench::time_device(gpu.stream, sets.count(), expected, launch);
        rows.push_back({type, what, n, bytes, time, bench::time_host(gpu.stream, sets.count(), launch)});
    };
    add("foldwise", [&](int set) {
        bench::rel_diff(sets.first(sets.x, set), sets.first(sets.y, set), sets.first(sets.out, set),
                        foldwise::cuda(gpu.stream));
    });
    const double error = worst_error(sets);
    if (!(error < (sizeof(T) == 4 ? 1e-3 : 1e-10))) {
        std::fprintf(stderr, "%s n=%lld: wrong by %g\n", type, static_cast<long long>(n), error);
        std::exit(1);
    }
    add("cub", [&](int set) {
        bench::cub_rel_diff(sets.first(sets.x, set).data(), sets.first(sets.y, set).data(),
                            sets.first(sets.out, set).data(), n, gpu.stream);
    });
    add("copy", [&](int set) {
        const foldwise::array<T>& from = sets.x[static_cast<std::size_t>(set)];
        BENCH_CHECK(cudaMemcpyAsync(sets.out[static_cast<std::size_t>(set)].data(), from.data(),
                                    static_cast<std::size_t>(from.size()) * sizeof(T), cudaMemcpyDeviceToDevice,
                                    gpu.stream));
    });
}

void print(const std::vector<row>& rows, double rate) {
    std::printf("%-7s %10s  %-9s %10s %8s %7s %8s %9s\n", "type", "n", "what", "device us", "TB/s", "of copy", "spread",
                "host us");
    for (const row& r : rows)
        std::printf("%-7s %10lld  %-9s %10.3f %8.3f %7.3f %7.1f%% %9.2f\n", r.type.c_str(), static_cast<long long>(r.n),
                    r.what.c_str(), r.time.device_us, r.bytes / r.time.device_us / 1e6,
                    r.bytes / r.time.device_us / rate, 100 * r.time.spread, r.host_us);
}

void write_members(std::ostream& out, const row& r) {
    out << "\"case\": \"rel_diff\", \"type\": \"" << r.type << "\", \"n\": " << r.n << ", \"what\": \"" << r.what
        << "\", \"device_us\": " << r.time.device_us << ", \"spread\": " << r.time.spread
        << ", \"host_us\": " << r.host_us << ", \"bytes\": " << r.bytes;
}

}  // namespace

int main(int argc, char** argv) {
    const char* json = nullptr;
    for (int i = 1; i < argc; ++i) {
        if (std::strncmp(argv[i], "--json=", 7) == 0)
            json = argv[i] + 7;
        else
            return std::fprintf(stderr, "usage: %s [--json=FILE]\n", argv[0]), 2;
    }
    const bench::gpu gpu = bench::open_gpu();
    std::vector<row> rows;
    for (std::int64_t n : {1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000}) {
        measure<float>("float", n, gpu, rows);
        measure<double>("double", n, gpu, rows);
    }
    print(rows, gpu.copy_rate);
    if (json) bench::write_json(json, gpu, rows, write_members);
}
