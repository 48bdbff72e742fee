// bench/layouts.cpp: broadcast, strided, transposed, narrow and misaligned operands, against CUB and a copy of as many
// bytes. peers_layouts.py measures the same cases with PyTorch, torch.compile and CuPy.
//
// usage: bench_layouts [--json=FILE] [--only=TEXT]
#include "gpu.hpp"
#include "layout_peers.hpp"
#include "layouts.kernels.hpp"

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

using bench::timing;
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

struct row {
    std::string name, type, size;
    double bytes;
    timing queued, issued, cub;
    double host_us;
};

class benchmark {
  public:
    benchmark(cudaStream_t stream, const char* only) : stream_(stream), only_(only) {}

    bool wants(const std::string& name) const { return !only_ || name.find(only_) != std::string::npos; }

    /// Measures both; `check` compares what they wrote for set 0.
    void add(const std::string& name, const std::string& type, const std::string& size, double bytes, int sets,
             const std::function<void(int)>& foldwise, const std::function<void(int)>& cub,
             const std::function<bool()>& check) {
        foldwise(0);
        cub(0);
        BENCH_CHECK(cudaStreamSynchronize(stream_));
        if (!check()) {
            std::fprintf(stderr, "%s %s %s: Foldwise and CUB differ\n", name.c_str(), type.c_str(), size.c_str());
            std::exit(1);
        }
        const double expected = 3 + bytes / 4e6;
        const auto fill_queue = [&](int launches) { bench::delay(50 + 6.0 * launches, stream_); };
        row r{name, type, size, bytes, {}, {}, {}, 0};
        r.queued = bench::time_device(stream_, sets, expected, foldwise, fill_queue);
        r.issued = bench::time_device(stream_, sets, expected, foldwise);
        r.cub = bench::time_device(stream_, sets, expected, cub, fill_queue);
        r.host_us = bench::time_host(stream_, sets, foldwise);
        rows.push_back(r);
    }

    std::vector<row> rows;

  private:
    cudaStream_t stream_;
    const char* only_;
};

struct setting {
    benchmark& out;
    const bench::gpu& gpu;
    foldwise::executor executor() const { return foldwise::cuda(gpu.stream); }
};

std::string times(std::int64_t a, std::int64_t b) { return std::to_string(a) + "x" + std::to_string(b); }

template <class T> foldwise::view<T> seen(T* data, const shape& extents) { return foldwise::device(data, extents); }

/// x[m, n] * s[n] + t[m, 1]
void broadcast(const setting& at, std::int64_t m, std::int64_t n) {
    if (!at.out.wants("broadcast")) return;
    operands o({m * n * 4, n * 4, m * 4, m * n * 4, m * n * 4}, 'f', at.gpu);
    at.out.add(
        "broadcast", "float", times(m, n), 8.0 * static_cast<double>(m * n) + 4.0 * static_cast<double>(m + n),
        o.sets(),
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
    if (!at.out.wants("x+yT")) return;
    operands o({n * n * 4, n * n * 4, n * n * 4, n * n * 4}, 'f', at.gpu);
    at.out.add(
        "x+yT", "float", times(n, n), 12.0 * static_cast<double>(n * n), o.sets(),
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
    if (!at.out.wants("x[:,::2]")) return;
    const std::int64_t half = n / 2;
    operands o({m * n * 4, m * half * 4, m * half * 4}, 'f', at.gpu);
    at.out.add(
        "x[:,::2]", "float", times(m, n), 6.0 * static_cast<double>(m * n), o.sets(),
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
    const char* name = back ? "nhwc->nchw" : "nchw->nhwc";
    if (!at.out.wants(name)) return;
    const std::int64_t pixels = side * side, count = n * c * pixels,
                       bytes = count * static_cast<std::int64_t>(sizeof(T));
    operands o({bytes, bytes, bytes}, kind, at.gpu);
    const shape from = back ? shape{n, side, side, c} : shape{n, c, side, side};
    const shape to = back ? shape{n, c, side, side} : shape{n, side, side, c};
    at.out.add(
        name, type, std::to_string(n) + "x" + std::to_string(c) + "x" + times(side, side),
        2.0 * static_cast<double>(bytes), o.sets(),
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

/// Two inputs, two outputs.
void polar(const setting& at, std::int64_t n) {
    if (!at.out.wants("polar")) return;
    operands o({n * 4, n * 4, n * 4, n * 4, n * 4, n * 4}, 'f', at.gpu);
    at.out.add(
        "polar", "float", std::to_string(n), 16.0 * static_cast<double>(n), o.sets(),
        [&](int set) {
            bench::polar(seen(o.at<float>(set, 0), {n}), seen(o.at<float>(set, 1), {n}), seen(o.at<float>(set, 2), {n}),
                         seen(o.at<float>(set, 3), {n}), at.executor());
        },
        [&](int set) {
            bench::cub_polar(o.at<float>(set, 0), o.at<float>(set, 1), o.at<float>(set, 4), o.at<float>(set, 5), n,
                             at.gpu.stream);
        },
        [&] {
            return bench::same_floats(o.at<float>(0, 2), o.at<float>(0, 4), n) &&
                   bench::same_floats(o.at<float>(0, 3), o.at<float>(0, 5), n);
        });
}

/// x + y, x beginning that many elements behind a boundary.
template <class T> void add(const setting& at, const char* type, char kind, std::int64_t n, int offset) {
    const char* name = offset ? "x[1:]+y" : "x+y";
    if (!at.out.wants(name)) return;
    const std::int64_t bytes = n * static_cast<std::int64_t>(sizeof(T));
    operands o({bytes, bytes, bytes, bytes}, kind, at.gpu);
    at.out.add(
        name, type, std::to_string(n), 3.0 * static_cast<double>(bytes), o.sets(),
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
        permute<foldwise::bfloat16>(at, "bf16", 'h', back, 128, 256, 80);
        permute<std::int8_t>(at, "int8", 'b', back, 128, 256, 80);
        permute<bench::triple>(at, "12 bytes", 'f', back, 32, 128, 96);
    }
    for (std::int64_t n : {1'000'000, 100'000'000}) {
        polar(at, n);
        for (int offset : {0, 1}) {
            add<float>(at, "float", 'f', n, offset);
            add<std::int8_t>(at, "int8", 'b', n, offset);
            add<foldwise::bfloat16>(at, "bf16", 'h', n, offset);
            add<bench::triple>(at, "12 bytes", 'f', n, offset);
        }
    }
}

void print(const std::vector<row>& rows, double rate) {
    std::printf("%-11s %-9s %-16s %10s %8s %8s %10s %8s %10s\n", "case", "type", "size", "queued us", "of copy",
                "spread", "issued us", "host us", "CUB us");
    for (const row& r : rows)
        std::printf("%-11s %-9s %-16s %10.3f %8.3f %7.1f%% %10.3f %8.2f %10.3f\n", r.name.c_str(), r.type.c_str(),
                    r.size.c_str(), r.queued.device_us, r.bytes / r.queued.device_us / rate, 100 * r.queued.spread,
                    r.issued.device_us, r.host_us, r.cub.device_us);
}

void write_members(std::ostream& out, const row& r) {
    out << "\"case\": \"" << r.name << "\", \"type\": \"" << r.type << "\", \"size\": \"" << r.size
        << "\", \"bytes\": " << r.bytes << ", \"foldwise_us\": " << r.queued.device_us
        << ", \"spread\": " << r.queued.spread << ", \"issued_us\": " << r.issued.device_us
        << ", \"host_us\": " << r.host_us << ", \"cub_us\": " << r.cub.device_us;
}

}  // namespace

int main(int argc, char** argv) {
    const char *json = nullptr, *only = nullptr;
    for (int i = 1; i < argc; ++i) {
        if (std::strncmp(argv[i], "--json=", 7) == 0)
            json = argv[i] + 7;
        else if (std::strncmp(argv[i], "--only=", 7) == 0)
            only = argv[i] + 7;
        else
            return std::fprintf(stderr, "usage: %s [--json=FILE] [--only=TEXT]\n", argv[0]), 2;
    }
    const bench::gpu gpu = bench::open_gpu();
    benchmark out(gpu.stream, only);
    measure_all({out, gpu});
    print(out.rows, gpu.copy_rate);
    if (json) bench::write_json(json, gpu, out.rows, write_members);
}
