// bench/host.cpp: arrays on the host, in and out, against a plain program in CUDA and against the copies alone. The
// clock on the wall, from a call to its return.
//
// usage: bench_host [--json=FILE] [--only=TEXT]... [--quick]
#include "host.kernels.hpp"
#include "host_peers.hpp"
#include "noise.hpp"
#include "results.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace {

/// Host memory as programs have it, or pinned.
class numbers {
  public:
    numbers(std::int64_t n, bool is_pinned) {
        const auto size = static_cast<std::size_t>(n);
        if (is_pinned)
            BENCH_CHECK(cudaHostAlloc(&pinned_, size * sizeof(float), cudaHostAllocDefault));
        else
            pageable_.resize(size);
        all = {is_pinned ? static_cast<float*>(pinned_) : pageable_.data(), size};
    }
    numbers(const numbers&) = delete;
    ~numbers() { cudaFreeHost(pinned_); }

    void fill(std::uint32_t seed) {
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = std::bit_cast<float>(0x3f800000u | (bench::noise_at(static_cast<std::int64_t>(i) ^ seed) >> 9));
    }

    std::span<float> all;

  private:
    std::vector<float> pageable_;
    void* pinned_ = nullptr;
};

using call = std::function<void()>;

/// Both implementations, if what they leave behind is right.
void measure(bench::results& results, const bench::workload& cell, const call& foldwise, const call& plain,
             const std::function<bool()>& is_right) {
    for (const auto& [impl, run] : {std::pair<const char*, const call&>{"foldwise", foldwise}, {"cuda", plain}}) {
        run();
        if (is_right())
            results.add(cell, impl, bench::time_calls(9, run));
        else
            results.add_wrong(cell, impl);
    }
}

void measure_all(bench::results& results, const bench::gpu& gpu, std::int64_t n, bool is_pinned) {
    const auto cell = [&](const char* name, int arrays) {
        return bench::workload{"host",
                               std::string(name) + (is_pinned ? " pinned" : " pageable"),
                               "float",
                               n,
                               4.0 * arrays * static_cast<double>(n),
                               {}};
    };
    if (!results.want(cell("rel_diff", 3))) return;
    const foldwise::executor where = foldwise::cuda(gpu.stream);
    bench::plain_cuda plain(n);
    numbers x(n, is_pinned), y(n, is_pinned), out(n, is_pinned);
    x.fill(0);
    y.fill(0x5555'5555u);
    const auto is_each = [&](auto f) {
        for (std::size_t i = 0; i < out.all.size(); ++i)
            if (!(std::abs(out.all[i] - f(x.all[i], y.all[i])) <= 1e-6f)) return false;
        std::fill(out.all.begin(), out.all.end(), 0.0f);  // for the next one
        return true;
    };

    measure(
        results, cell("rel_diff", 3), [&] { bench::rel_diff(x.all, y.all, out.all, where); },
        [&] { plain.rel_diff(x.all.data(), y.all.data(), out.all.data()); },
        [&] { return is_each([](float a, float b) { return 2 * (a - b) / (a + b); }); });
    if (is_pinned) {
        const std::size_t bytes = out.all.size_bytes();
        results.add(
            cell("rel_diff", 3), "copy in", bench::time_calls(9, [&] {
                BENCH_CHECK(cudaMemcpyAsync(plain.x(), x.all.data(), bytes, cudaMemcpyHostToDevice, gpu.stream));
                BENCH_CHECK(cudaMemcpyAsync(plain.y(), y.all.data(), bytes, cudaMemcpyHostToDevice, gpu.stream));
                BENCH_CHECK(cudaStreamSynchronize(gpu.stream));
            }));
        results.add(cell("rel_diff", 3), "copy out", bench::time_calls(9, [&] {
                        BENCH_CHECK(
                            cudaMemcpyAsync(out.all.data(), plain.x(), bytes, cudaMemcpyDeviceToHost, gpu.stream));
                        BENCH_CHECK(cudaStreamSynchronize(gpu.stream));
                    }));
    }

    double exact = 0;
    for (float value : x.all) exact += value;
    float total = 0;
    measure(
        results, cell("sum", 1), [&] { total = bench::sum(x.all, where); }, [&] { total = plain.sum(x.all.data()); },
        [&] {
            const bool is_right = std::abs(total - exact) <= 1e-5 * exact;
            total = 0;
            return is_right;
        });
    measure(
        results, cell("forall", 2), [&] { bench::twice(n, x.all, out.all, where); },
        [&] { plain.twice(x.all.data(), out.all.data()); },
        [&] { return is_each([](float a, float) { return 2 * a; }); });
}

}  // namespace

int main(int argc, char** argv) {
    const bench::options options(argc, argv);
    const bench::gpu gpu = bench::open_gpu();
    bench::results results(options, gpu);
    for (std::int64_t n : {1'000'000, 10'000'000, 100'000'000})
        for (bool is_pinned : {false, true}) measure_all(results, gpu, n, is_pinned);
    return results.status();
}
