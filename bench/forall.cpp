// bench/forall.cpp: tasks, against kernels written by hand and a forall of extended lambdas. peers_forall.py measures
// the same cases with CuPy and Numba. bench_forall_checked is the same program with kernels that are CHECKED.
//
// usage: bench_forall [--json=FILE] [--only=TEXT]
#include "delay.hpp"
#include "forall.kernels.hpp"
#include "forall_peers.hpp"
#include "gpu.hpp"

#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace {

using bench::forall_case;
using bench::forall_operands;
using bench::timing;
using foldwise::shape;

struct row {
    std::string name;
    std::int64_t tasks;
    double bytes;
    timing own, by_hand, by_lambda, in_shared_memory;
    double host_us;
};

/// Sets of operands that leave the cache behind, with one more output for what is compared.
class operands {
  public:
    operands(forall_case what, std::int64_t rows, std::int64_t columns, const bench::gpu& gpu)
        : rows_(rows), columns_(columns) {
        const std::int64_t n = rows * columns;
        const bool is_double = what == forall_case::round || what == forall_case::relax;
        const std::int64_t in = what == forall_case::histogram ? n : is_double ? 8 * n : 4 * n;
        out_bytes_ = what == forall_case::histogram ? 1024 : in;
        const std::int64_t places = what == forall_case::gather ? n : 0;
        bytes_ = static_cast<double>(in + 4 * places + (what == forall_case::histogram ? 0 : in));
        sets_ = gpu.sets_of(bytes_);
        for (int set = 0; set < sets_; ++set) {
            memory_.push_back({foldwise::array<std::uint32_t>(shape{in / 4 + 4}),
                               foldwise::array<std::int32_t>(shape{places}),
                               foldwise::array<std::uint32_t>(shape{out_bytes_ / 4})});
            one& last = memory_.back();
            // Doubles whose upper halves are those of 1 to 2, floats of 1 to 2, or any bytes.
            bench::noise(what == forall_case::histogram ? 0u : 0x3f800000u,
                         what == forall_case::histogram ? ~0u : 0x000fffffu, last.in);
            if (places) bench::random_places(last.at.data(), n);
            clear(last.out);
        }
        clear(other_);
    }

    forall_operands at(int set) {
        one& from = memory_[static_cast<std::size_t>(set)];
        return {from.in.data(), from.at.data(), from.out.data(), rows_, columns_};
    }
    forall_operands with_other_output(int set) {
        if (other_.size() == 0) other_ = foldwise::array<std::uint32_t>(shape{out_bytes_ / 4}), clear(other_);
        forall_operands result = at(set);
        result.out = other_.data();
        return result;
    }
    int sets() const { return sets_; }
    double bytes() const { return bytes_; }
    std::int64_t out_bytes() const { return out_bytes_; }

  private:
    struct one {
        foldwise::array<std::uint32_t> in;
        foldwise::array<std::int32_t> at;
        foldwise::array<std::uint32_t> out;
    };
    static void clear(foldwise::array<std::uint32_t>& all) {
        BENCH_CHECK(cudaMemset(all.data(), 0, static_cast<std::size_t>(all.size()) * 4));
    }

    std::int64_t rows_, columns_, out_bytes_;
    double bytes_;
    int sets_;
    std::vector<one> memory_;
    foldwise::array<std::uint32_t> other_{shape{0}};
};

/// A device array of a case, as the kernel's view.
template <class T> foldwise::view<T> seen(const void* data, const shape& extents) {
    return foldwise::device(static_cast<T*>(const_cast<void*>(data)), extents);
}

void run_own(forall_case what, const forall_operands& on, foldwise::executor where) {
    const shape line{on.columns}, sheet{on.rows, on.columns}, turned{on.columns, on.rows};
    switch (what) {
    case forall_case::round:
        return bench::round_to(line, seen<double>(on.in, line), seen<double>(on.out, line), 1000.0, where);
    case forall_case::transpose:
        return bench::transpose(sheet, seen<float>(on.in, sheet), seen<float>(on.out, turned), where);
    case forall_case::relax:
        return bench::relax(sheet, seen<double>(on.in, sheet), seen<double>(on.out, sheet), where);
    case forall_case::histogram:
        return bench::histogram(line, seen<std::uint8_t>(on.in, line), seen<std::uint32_t>(on.out, shape{256}), where);
    case forall_case::gather:
        return bench::gather(line, seen<float>(on.in, line), seen<std::int32_t>(on.at, line), seen<float>(on.out, line),
                             where);
    }
}

row measure(const char* name, forall_case what, std::int64_t rows, std::int64_t columns, const bench::gpu& gpu) {
    operands o(what, rows, columns, gpu);
    const foldwise::executor where = foldwise::cuda(gpu.stream);

    run_own(what, o.at(0), where);
    const double expected = bench::time_once(gpu.stream, [&] { run_own(what, o.at(1), where); });
    bench::run_by_hand(what, o.with_other_output(0), gpu.stream);
    BENCH_CHECK(cudaStreamSynchronize(gpu.stream));
    if (!bench::equal_bytes(o.at(0).out, o.with_other_output(0).out, o.out_bytes())) {
        std::fprintf(stderr, "%s: Foldwise and the kernel written by hand differ\n", name);
        std::exit(1);
    }

    row r{name, rows * columns, o.bytes(), {}, {}, {}, {}, 0};
    const auto fill_queue = [&](int launches) { bench::delay(50 + 6.0 * launches, gpu.stream); };
    const auto time = [&](const std::function<void(const forall_operands&)>& call) {
        return bench::time_device(
            gpu.stream, o.sets(), expected, [&](int set) { call(o.at(set)); }, fill_queue);
    };
    r.own = time([&](const forall_operands& on) { run_own(what, on, where); });
    r.by_hand = time([&](const forall_operands& on) { bench::run_by_hand(what, on, gpu.stream); });
    r.by_lambda = time([&](const forall_operands& on) { bench::run_by_lambda(what, on, gpu.stream); });
    if (what == forall_case::histogram)
        r.in_shared_memory =
            time([&](const forall_operands& on) { bench::histogram_in_shared_memory(on, gpu.stream); });
    r.host_us = bench::time_host(
        gpu.stream, o.sets(), [&](int set) { run_own(what, o.at(set), where); }, expected > 1000 ? 10 : 200);
    return r;
}

void print(const std::vector<row>& rows, double rate) {
    std::printf("%-10s %11s %10s %8s %8s %10s %10s %10s %8s\n", "case", "tasks", "queued us", "of copy", "spread",
                "by hand", "lambda", "shared", "host us");
    for (const row& r : rows)
        std::printf("%-10s %11lld %10.3f %8.3f %7.1f%% %10.3f %10.3f %10.3f %8.2f\n", r.name.c_str(),
                    static_cast<long long>(r.tasks), r.own.device_us, r.bytes / r.own.device_us / rate,
                    100 * r.own.spread, r.by_hand.device_us, r.by_lambda.device_us, r.in_shared_memory.device_us,
                    r.host_us);
}

void write_members(std::ostream& out, const row& r) {
    out << "\"case\": \"" << r.name << "\", \"tasks\": " << r.tasks << ", \"bytes\": " << r.bytes
        << ", \"foldwise_us\": " << r.own.device_us << ", \"spread\": " << r.own.spread
        << ", \"by_hand_us\": " << r.by_hand.device_us << ", \"lambda_us\": " << r.by_lambda.device_us
        << ", \"shared_us\": " << r.in_shared_memory.device_us << ", \"host_us\": " << r.host_us;
}

}  // namespace

int main(int argc, char** argv) {
    const char *json = nullptr, *only = "";
    for (int i = 1; i < argc; ++i) {
        if (std::strncmp(argv[i], "--json=", 7) == 0)
            json = argv[i] + 7;
        else if (std::strncmp(argv[i], "--only=", 7) == 0)
            only = argv[i] + 7;
        else
            return std::fprintf(stderr, "usage: %s [--json=FILE] [--only=TEXT]\n", argv[0]), 2;
    }
    const bench::gpu gpu = bench::open_gpu();
    std::vector<row> rows;
    for (const std::int64_t side : {1000, 10'000}) {
        const auto add = [&](const char* name, forall_case what, bool is_sheet) {
            if (!std::strstr(name, only)) return;
            rows.push_back(is_sheet ? measure(name, what, side, side, gpu) : measure(name, what, 1, side * side, gpu));
        };
        add("round", forall_case::round, false);
        add("transpose", forall_case::transpose, true);
        add("stencil", forall_case::relax, true);
        add("histogram", forall_case::histogram, false);
        add("gather", forall_case::gather, false);
    }
    print(rows, gpu.copy_rate);
    if (json) bench::write_json(json, gpu, rows, write_members);
}
