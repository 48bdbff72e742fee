// bench/layouts.cpp: broadcast, strided, transposed, narrow and misaligned operands, against CUB and a copy of as many
// bytes. peers_layouts.py measures the same cases with Python's libraries.
//
// usage: bench_layouts [--json=FILE] [--only=TEXT]... [--quick]
#include "layout_peers.hpp"
#include "layouts.kernels.hpp"
#include "results.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace {

using bench::workload;
using foldwise::shape;

/// Device memory full of numbers, in as many sets as it takes to leave the cache behind.
class operands {
  public:
    /// `bytes` of each operand, those of outputs among them; `kind` is 'f' for floats, 'h' for bfloat16s, else bytes.
    operands(std::vector<std::int64_t> bytes, char kind, const bench::gpu& gpu) {
        double total = 0;
        for (std::int64_t one : bytes) total += static_cast<double>(one);
        sets_ = gpu.sets_of(total);
        const std::uint32_t fixed = kind == 'f' ? 0x3f800000u : kind == 'h' ? 0x3f803f80u : 0u;
        const std::uint32_t random = kind == 'f' ? 0x007fffffu : kind == 'h' ? 0x007f007fu : ~0u;
        for (int set = 0; set < sets_; ++set) {
            memory_.emplace_back();
            for (std::int64_t one : bytes) {
                memory_.back().emplace_back(shape{one / 4 + 64});  // room for operands that begin late
                bench::noise(fixed, random, memory_.back().back());
            }
        }
    }
    int sets() const { return sets_; }
    template <class T> T* at(int set, std::size_t operand, int offset = 0) {
        return reinterpret_cast<T*>(memory_[static_cast<std::size_t>(set)][operand].data()) + offset;
    }

  private:
    int sets_;
    std::vector<std::vector<foldwise::array<std::uint32_t>>> memory_;
};

struct setting {
    bench::results& out;
    const bench::gpu& gpu;
    foldwise::executor executor() const { return foldwise::cuda(gpu.stream); }

    /// Measures both; `check` compares what they wrote for set 0.
    void compare(const workload& work, int sets, const std::function<void(int)>& foldwise,
                 const std::function<void(int)>& cub, const std::function<bool()>& check) const {
        foldwise(0);
        cub(0);
        BENCH_CHECK(cudaStreamSynchronize(gpu.stream));
        if (!check()) return out.add_wrong(work, "foldwise");
        out.measure(work, "foldwise", sets, foldwise);
        out.measure(work, "cub", sets, cub);
    }
};

std::string times(std::int64_t a, std::int64_t b) { return std::to_string(a) + "x" + std::to_string(b); }

template <class T> foldwise::view<T> seen(T* data, const shape& extents) { return foldwise::device(data, extents); }

/// x[m, n] * s[n] + t[m, 1]
void broadcast(const setting& at, std::int64_t m, std::int64_t n) {
    const workload work{"layouts",  "broadcast", "float", m * n, 4.0 * static_cast<double>(2 * m * n + m + n),
                        times(m, n)};
    if (!at.out.want(work)) return;
    operands o({m * n * 4, n * 4, m * 4, m * n * 4, m * n * 4}, 'f', at.gpu);
    at.compare(
        work, o.sets(),
        [&](int set) {
            bench::scale_shift(seen(o.at<float>(set, 0), {m, n}), seen(o.at<float>(set, 1), {n}),
                               seen(o.at<float>(set, 2), {m, 1}), seen(o.at<float>(set, 3), {m, n}), at.executor());
        },
        [&](int set) {
            bench::cub_scale_shift(o.at<float>(set, 0), o.at<float>(set, 1), o.at<float>(set, 2), o.at<float>(set, 4),
                                   m, n, at.gpu.stream);
        },
        [&] { return bench::same_floats(o.at<float>(0, 3), o.at<float>(0, 4), m * n); });
}

/// x + transpose(y)
void add_transposed(const setting& at, std::int64_t n) {
    const workload work{"layouts", "x+yT", "float", n * n, 12.0 * static_cast<double>(n * n), times(n, n)};
    if (!at.out.want(work)) return;
    operands o({n * n * 4, n * n * 4, n * n * 4, n * n * 4}, 'f', at.gpu);
    at.compare(
        work, o.sets(),
        [&](int set) {
            bench::add(seen(o.at<float>(set, 0), {n, n}), seen(o.at<float>(set, 1), {n, n}).transpose(),
                       seen(o.at<float>(set, 2), {n, n}), at.executor());
        },
        [&](int set) {
            bench::cub_add_transposed(o.at<float>(set, 0), o.at<float>(set, 1), o.at<float>(set, 3), n, at.gpu.stream);
        },
        [&] { return bench::same_bytes(o.at<float>(0, 2), o.at<float>(0, 3), n * n * 4); });
}

/// Every second column, which all the lines of x are read for.
void every_second(const setting& at, std::int64_t m, std::int64_t n) {
    const workload work{"layouts", "x[:,::2]", "float", m * n, 6.0 * static_cast<double>(m * n), times(m, n)};
    if (!at.out.want(work)) return;
    const std::int64_t half = n / 2;
    operands o({m * n * 4, m * half * 4, m * half * 4}, 'f', at.gpu);
    at.compare(
        work, o.sets(),
        [&](int set) {
            bench::same(seen(o.at<float>(set, 0), {m, n}).slice(1, 0, n, 2), seen(o.at<float>(set, 1), {m, half}),
                        at.executor());
        },
        [&](int set) { bench::cub_every(o.at<float>(set, 0), o.at<float>(set, 2), m * half, 2, at.gpu.stream); },
        [&] { return bench::same_bytes(o.at<float>(0, 1), o.at<float>(0, 2), m * half * 4); });
}

/// (n, c, h, w) to (n, h, w, c), or back.
template <class T>
void permute(const setting& at, const char* type, char kind, bool back, std::int64_t n, std::int64_t c,
             std::int64_t side) {
    const std::int64_t pixels = side * side, count = n * c * pixels,
                       bytes = count * static_cast<std::int64_t>(sizeof(T));
    const workload work{"layouts", back ? "nhwc->nchw" : "nchw->nhwc", type,
                        count,     2.0 * static_cast<double>(bytes),   times(n, c) + "x" + times(side, side)};
    if (!at.out.want(work)) return;
    operands o({bytes, bytes, bytes}, kind, at.gpu);
    const shape from = back ? shape{n, side, side, c} : shape{n, c, side, side};
    const shape to = back ? shape{n, c, side, side} : shape{n, side, side, c};
    at.compare(
        work, o.sets(),
        [&](int set) {
            const foldwise::view<T> x = seen(o.at<T>(set, 0), from);
            bench::same(back ? x.permute(0, 3, 1, 2) : x.permute(0, 2, 3, 1), seen(o.at<T>(set, 1), to), at.executor());
        },
        [&](int set) {
            bench::cub_transpose(o.at<T>(set, 0), o.at<T>(set, 2), n, back ? pixels : c, back ? c : pixels,
                                 at.gpu.stream);
        },
        [&] { return bench::same_bytes(o.at<T>(0, 1), o.at<T>(0, 2), bytes); });
}

/// x + y, x beginning that many elements behind a boundary.
template <class T> void add(const setting& at, const char* type, char kind, std::int64_t n, int offset) {
    const std::int64_t bytes = n * static_cast<std::int64_t>(sizeof(T));
    const workload work{"layouts", offset ? "x[1:]+y" : "x+y", type, n, 3.0 * static_cast<double>(bytes), ""};
    if (!at.out.want(work)) return;
    operands o({bytes, bytes, bytes, bytes}, kind, at.gpu);
    at.compare(
        work, o.sets(),
        [&](int set) {
            bench::add(seen(o.at<T>(set, 0, offset), {n}), seen(o.at<T>(set, 1), {n}), seen(o.at<T>(set, 2), {n}),
                       at.executor());
        },
        [&](int set) { bench::cub_add(o.at<T>(set, 0, offset), o.at<T>(set, 1), o.at<T>(set, 3), n, at.gpu.stream); },
        [&] { return bench::same_bytes(o.at<T>(0, 2), o.at<T>(0, 3), bytes); });
}

void measure_all(const setting& at) {
    broadcast(at, 32, 32);
    broadcast(at, 1000, 1000);
    broadcast(at, 10'000, 10'000);
    broadcast(at, 9'999, 10'001);
    add_transposed(at, 1000);
    add_transposed(at, 8192);
    every_second(at, 1000, 1000);
    every_second(at, 10'000, 20'000);
    for (bool back : {false, true}) {
        permute<float>(at, "float", 'f', back, 32, 64, 56);
        permute<float>(at, "float", 'f', back, 64, 256, 80);
        permute<float>(at, "float", 'f', back, 256, 3, 384);
        permute<foldwise::bfloat16>(at, "bfloat16", 'h', back, 128, 256, 80);
        permute<std::int8_t>(at, "int8", 'b', back, 128, 256, 80);
        permute<bench::triple>(at, "12 bytes", 'f', back, 32, 128, 96);
    }
    for (std::int64_t n : {1'000'000, 100'000'000}) {
        for (int offset : {0, 1}) {
            add<float>(at, "float", 'f', n, offset);
            add<std::int8_t>(at, "int8", 'b', n, offset);
            add<foldwise::bfloat16>(at, "bfloat16", 'h', n, offset);
            add<bench::triple>(at, "12 bytes", 'f', n, offset);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    const bench::options options(argc, argv);
    const bench::gpu gpu = bench::open_gpu();
    bench::results out(options, gpu);
    measure_all({out, gpu});
    return out.status();
}
