// bench/forall.cpp: tasks, against kernels written by hand and a forall of extended lambdas. peers_forall.py measures
// the same cases with Python's libraries. bench_forall_checked is the same program with kernels that are CHECKED.
//
// usage: bench_forall [--json=FILE] [--only=TEXT]... [--quick]
#include "forall.kernels.hpp"
#include "forall_peers.hpp"
#include "results.hpp"

#include <functional>
#include <string>
#include <vector>

namespace {

using bench::forall_case;
using bench::forall_operands;
using bench::workload;
using foldwise::shape;

const std::string own = BENCH_IS_CHECKED ? "foldwise checked" : "foldwise";

/// Bytes of the operands of a case of n tasks.
struct operand_bytes {
    std::int64_t in, places, out;

    operand_bytes(forall_case what, std::int64_t n) {
        const bool is_double = what == forall_case::round || what == forall_case::relax;
        in = what == forall_case::histogram ? n : is_double ? 8 * n : 4 * n;
        places = what == forall_case::gather ? 4 * n : 0;
        out = what == forall_case::histogram ? 1024 : in;
    }
    double total() const { return static_cast<double>(in + places + out); }
};

/// Sets of operands that leave the cache behind, with one more output for what is compared.
class operands {
  public:
    operands(forall_case what, std::int64_t rows, std::int64_t columns, const bench::gpu& gpu)
        : rows_(rows), columns_(columns), bytes_(what, rows * columns), sets_(gpu.sets_of(bytes_.total())) {
        for (int set = 0; set < sets_; ++set) {
            memory_.push_back({foldwise::array<std::uint32_t>(shape{bytes_.in / 4 + 4}),
                               foldwise::array<std::int32_t>(shape{bytes_.places / 4}),
                               foldwise::array<std::uint32_t>(shape{bytes_.out / 4})});
            one& last = memory_.back();
            // Doubles whose upper halves are those of 1 to 2, floats of 1 to 2, or any bytes.
            bench::noise(what == forall_case::histogram ? 0u : 0x3f800000u,
                         what == forall_case::histogram ? ~0u : 0x000fffffu, last.in);
            if (bytes_.places) bench::random_places(last.at.data(), rows * columns);
            clear(last.out);
        }
        clear(other_);
    }

    forall_operands at(int set) {
        one& from = memory_[static_cast<std::size_t>(set)];
        return {from.in.data(), from.at.data(), from.out.data(), rows_, columns_};
    }
    forall_operands with_other_output(int set) {
        if (other_.size() == 0) other_ = foldwise::array<std::uint32_t>(shape{bytes_.out / 4}), clear(other_);
        forall_operands result = at(set);
        result.out = other_.data();
        return result;
    }
    int sets() const { return sets_; }
    bool are_equal() { return bench::equal_bytes(at(0).out, with_other_output(0).out, bytes_.out); }

  private:
    struct one {
        foldwise::array<std::uint32_t> in;
        foldwise::array<std::int32_t> at;
        foldwise::array<std::uint32_t> out;
    };
    static void clear(foldwise::array<std::uint32_t>& all) {
        BENCH_CHECK(cudaMemset(all.data(), 0, static_cast<std::size_t>(all.size()) * 4));
    }

    const std::int64_t rows_, columns_;
    const operand_bytes bytes_;
    const int sets_;
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

void measure(const char* name, const char* type, forall_case what, std::int64_t rows, std::int64_t columns,
             const bench::gpu& gpu, bench::results& out) {
    const workload work{"forall", name, type, rows * columns, operand_bytes(what, rows * columns).total(), ""};
    if (!out.want(work)) return;
    operands o(what, rows, columns, gpu);
    const foldwise::executor where = foldwise::cuda(gpu.stream);

    run_own(what, o.at(0), where);
    bench::run_by_hand(what, o.with_other_output(0), gpu.stream);
    BENCH_CHECK(cudaStreamSynchronize(gpu.stream));
    if (!o.are_equal()) return out.add_wrong(work, own);

    const auto time = [&](const std::string& impl, const std::function<void(const forall_operands&)>& call) {
        out.measure(work, impl, o.sets(), [&](int set) { call(o.at(set)); });
    };
    time(own, [&](const forall_operands& on) { run_own(what, on, where); });
    if (BENCH_IS_CHECKED) return;
    time("cuda", [&](const forall_operands& on) { bench::run_by_hand(what, on, gpu.stream); });
    time("lambda", [&](const forall_operands& on) { bench::run_by_lambda(what, on, gpu.stream); });
    if (what == forall_case::histogram)
        time("cuda, shared", [&](const forall_operands& on) { bench::histogram_in_shared_memory(on, gpu.stream); });
}

}  // namespace

int main(int argc, char** argv) {
    const bench::options options(argc, argv);
    const bench::gpu gpu = bench::open_gpu();
    bench::results out(options, gpu);
    for (const std::int64_t side : {100, 1000, 10'000}) {
        measure("round", "double", forall_case::round, 1, side * side, gpu, out);
        measure("transpose", "float", forall_case::transpose, side, side, gpu, out);
        measure("stencil", "double", forall_case::relax, side, side, gpu, out);
        measure("histogram", "uint8", forall_case::histogram, 1, side * side, gpu, out);
        measure("gather", "float", forall_case::gather, 1, side * side, gpu, out);
    }
    return out.status();
}
