// runtime/src/scan/run_scan_on_cpu.cpp: passes a scan's kernel runs of elements, rows or columns side by side.
#include "scan/run_scan.hpp"

#include "elements.hpp"
#include "parallel.hpp"
#include "scan/restarts.hpp"
#include "scratch.hpp"

#include <algorithm>
#include <cstring>

namespace foldwise::detail {

namespace {

/// Rows of at least two chunks are split if there are fewer than `many_rows` of them. Results depend on both numbers,
/// but not on the number of threads.
constexpr std::int64_t chunk = 32768, many_rows = 64;

/// The number of neighbouring columns that a thread scans together.
constexpr std::int64_t neighbours = 256;

/// The most elements, or rows of columns, for which it is found out at once where the scan begins anew.
constexpr std::int64_t longest_run = 8192;

class cpu_scan {
  public:
    cpu_scan(const scan_kernel& kernel, const scan_call& call)
        : kernel_(kernel), call_(call), size_(kernel.accumulator_size), operands_(kernel.inputs + 1) {
        if (call.elements.layout) {
            const element_layout& layout = *call.elements.layout;
            kept_ = {call.kept, layout.extents};
            scanned_ = {layout.rank - call.kept, layout.extents + call.kept};
            for (int i = 0; i <= operands_; ++i) std::copy_n(layout.strides[i], layout.rank, strides_[i]);
        } else {
            extents_[0] = rows();
            extents_[1] = call.length;
            kept_ = {1, extents_};
            scanned_ = {1, extents_ + 1};
            for (int i = 0; i <= operands_; ++i) {
                const bool is_scalar = i < operands_ && call.elements.operands[i].is_scalar;
                strides_[i][0] = is_scalar ? 0 : call.length;
                strides_[i][1] = is_scalar ? 0 : 1;
            }
        }
        start_ = call.start;
        if (!start_ && call.is_exclusive) {
            kernel.cpu->identity(identity_);
            start_ = identity_;
        }
    }

    void run() {
        if (call_.ends) return fold();
        if (goes_by_columns()) return scan_columns();
        if (rows() < many_rows && call_.length >= 2 * chunk) return scan_chunks();
        in_parallel(rows(), [&](std::int64_t begin, std::int64_t end) {
            alignas(largest_accumulator) std::byte prefix[largest_accumulator];
            for (std::int64_t row = begin; row < end; ++row) scan_part(row, 0, call_.length, prefix, false);
        });
    }

  private:
    std::int64_t rows() const { return call_.elements.count / call_.length; }

    /// A run of one row: its addresses live here.
    struct run_of_row : scan_run {
        void* addresses[max_operands];
        std::int64_t own_steps[max_operands];
        unsigned char places[longest_run];
    };

    /// Fills in a run along the innermost scanned axis, or as many of its elements as there is room for; returns their
    /// number.
    std::int64_t fill(run_of_row& run, const cursor& row, std::int64_t first, std::int64_t count) const {
        const cursor at(scanned_, first);
        const int inner = kept_.rank + scanned_.rank - 1;
        const bool has_axis = scanned_.rank > 0;
        count = std::min(count, has_axis ? at.left_in_row() : 1);
        if (call_.restarts) count = std::min(count, longest_run);
        for (int i = 0; i < operands_; ++i) {
            run.addresses[i] = address(i, row.offset(strides_[i]) + at.offset(strides_[i] + kept_.rank));
            run.own_steps[i] = has_axis ? strides_[i][inner] : 0;
        }
        const std::int64_t* const positions = strides_[operands_];
        if (kernel_.index_rank > 0)
            run.position = {call_.elements.first + row.offset(positions) + at.offset(positions + kept_.rank),
                            has_axis ? positions[inner] : 0, 0, call_.elements.shape};
        run.begins = nullptr;
        if (call_.restarts) {
            find_restarts(call_, first, count, run.places);
            run.begins = run.places;
        }
        run.operands = run.addresses;
        run.steps = run.own_steps;
        run.count = count;
        run.start = nullptr;
        run.is_exclusive = call_.is_exclusive;
        return count;
    }

    std::byte* address(int i, std::int64_t offset) const {
        const operand_address& operand = call_.elements.operands[i];
        if (operand.is_scalar) return static_cast<std::byte*>(operand.data);
        return static_cast<std::byte*>(operand.data) + offset * static_cast<std::int64_t>(kernel_.operands[i].size);
    }

    /// Scans elements [first, first + count) of a row.
    void scan_part(std::int64_t row, std::int64_t first, std::int64_t count, void* prefix, bool has_prefix) const {
        const cursor in_kept(kept_, row);
        run_of_row run;
        for (const std::int64_t end = first + count; first < end; has_prefix = true) {
            first += fill(run, in_kept, first, end - first);
            run.start = start_of(row);
            kernel_.cpu->scan(run, prefix, has_prefix);
        }
    }

    /// Combines elements [first, first + count) of a row, or those from the last place on where it begins anew.
    /// Returns whether there is such a place.
    bool fold_part(std::int64_t row, std::int64_t first, std::int64_t count, void* folded) const {
        const cursor in_kept(kept_, row);
        alignas(largest_accumulator) std::byte next[largest_accumulator];
        run_of_row run;
        bool is_first = true, is_new = false;
        for (const std::int64_t end = first + count; first < end; is_first = false) {
            first += fill(run, in_kept, first, end - first);
            const bool begins = run.begins && std::memchr(run.begins, 1, static_cast<std::size_t>(run.count));
            kernel_.cpu->fold(run, is_first || begins ? folded : next);
            if (!is_first && !begins) kernel_.cpu->join(folded, next);
            is_new = is_new || begins;
        }
        return is_new;
    }

    /// Scans few long rows: chunks are folded, then each is scanned from what the ones before it make.
    void scan_chunks() const {
        const std::int64_t chunks = (call_.length + chunk - 1) / chunk, all = rows() * chunks;
        scratch memory(static_cast<std::size_t>(all) * (size_ + 1));
        std::byte* const folded = memory.data();
        std::byte* const is_new = folded + static_cast<std::size_t>(all) * size_;
        const auto length_of = [&](std::int64_t number) { return std::min(chunk, call_.length - number * chunk); };
        in_parallel(all, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i)
                if (const std::int64_t number = i % chunks; number + 1 < chunks)
                    is_new[i] = std::byte{fold_part(i / chunks, number * chunk, length_of(number), at(folded, i))};
        });
        for (std::int64_t row = 0; row < rows(); ++row) {
            // What is left of each chunk becomes what its successor begins with.
            for (std::int64_t number = 0; number + 1 < chunks; ++number) {
                std::byte* const own = at(folded, row * chunks + number);
                const bool begins = number == 0 || is_new[row * chunks + number] != std::byte{0};
                const void* const before = begins ? start_of(row) : own - size_;
                if (!before) continue;
                alignas(largest_accumulator) std::byte both[largest_accumulator];
                std::memcpy(both, before, size_);
                kernel_.cpu->join(both, own);
                std::memcpy(own, both, size_);
            }
        }
        in_parallel(all, [&](std::int64_t begin, std::int64_t end) {
            alignas(largest_accumulator) std::byte prefix[largest_accumulator];
            for (std::int64_t i = begin; i < end; ++i) {
                const std::int64_t number = i % chunks;
                if (number > 0) std::memcpy(prefix, at(folded, i - 1), size_);
                scan_part(i / chunks, number * chunk, length_of(number), prefix, number > 0);
            }
        });
    }
    /// Writes what each row makes, and no results.
    void fold() const {
        if (goes_by_columns()) return scan_columns();
        if (rows() < many_rows && call_.length >= 2 * chunk) return fold_chunks();
        in_parallel(rows(), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end; ++row) fold_part(row, 0, call_.length, end_of(row));
        });
    }
    void fold_chunks() const {
        const std::int64_t chunks = (call_.length + chunk - 1) / chunk, all = rows() * chunks;
        scratch memory(static_cast<std::size_t>(all) * size_);
        std::byte* const folded = memory.data();
        in_parallel(all, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                const std::int64_t first = i % chunks * chunk;
                fold_part(i / chunks, first, std::min(chunk, call_.length - first), at(folded, i));
            }
        });
        for (std::int64_t row = 0; row < rows(); ++row) {
            std::memcpy(end_of(row), at(folded, row * chunks), size_);
            for (std::int64_t number = 1; number < chunks; ++number)
                kernel_.cpu->join(end_of(row), at(folded, row * chunks + number));
        }
    }

    /// Returns what a row begins with, or null.
    const void* start_of(std::int64_t row) const {
        if (!call_.starts) return start_;
        return static_cast<const std::byte*>(call_.starts) + static_cast<std::size_t>(row) * size_;
    }
    std::byte* end_of(std::int64_t row) const {
        return static_cast<std::byte*>(call_.ends) + static_cast<std::size_t>(row) * size_;
    }
    std::byte* at(std::byte* accumulators, std::int64_t i) const {
        return accumulators + static_cast<std::size_t>(i) * size_;
    }

    /// Returns whether rows lie side by side: then neighbours are scanned together.
    bool goes_by_columns() const {
        if (kept_.rank == 0 || scanned_.rank != 1) return false;
        const std::int64_t* const results = strides_[operands_ - 1];
        return kept_.extents[kept_.rank - 1] >= 8 && results[kept_.rank - 1] == 1 && results[kept_.rank] != 1;
    }

    void scan_columns() const {
        const int inner = kept_.rank - 1;
        const std::int64_t across = kept_.extents[inner], groups = (across + neighbours - 1) / neighbours;
        std::int64_t steps[max_operands], columns[max_operands];
        for (int i = 0; i < operands_; ++i) {
            columns[i] = strides_[i][inner];
            steps[i] = strides_[i][inner + 1];
        }
        if (call_.ends) {  // all results go to one row, which nobody reads
            columns[operands_ - 1] = 1;
            steps[operands_ - 1] = 0;
        }
        const std::int64_t* const positions = strides_[operands_];
        in_parallel(rows() / across * groups, [&](std::int64_t begin, std::int64_t end) {
            scratch prefixes(static_cast<std::size_t>(neighbours) * size_);
            scratch unused(call_.ends ? neighbours * std::size_t{kernel_.operands[operands_ - 1].size} : 1);
            unsigned char places[longest_run];
            for (std::int64_t i = begin; i < end; ++i) {
                const std::int64_t first = i % groups * neighbours;
                const std::int64_t number = i / groups * across + first,
                                   count_across = std::min(neighbours, across - first);
                const std::size_t bytes_across = static_cast<std::size_t>(count_across) * size_;
                const cursor row(kept_, number);
                if (call_.starts) std::memcpy(prefixes.data(), start_of(number), bytes_across);
                for (std::int64_t done = 0; done < call_.length;) {
                    const std::int64_t count = std::min(longest_run, call_.length - done);
                    void* addresses[max_operands];
                    for (int k = 0; k < operands_; ++k)
                        addresses[k] = address(k, row.offset(strides_[k]) + done * steps[k]);
                    if (call_.ends) addresses[operands_ - 1] = unused.data();
                    scan_run run{addresses, steps, count, {}, nullptr, start_, call_.is_exclusive};
                    if (kernel_.index_rank > 0)
                        run.position = {call_.elements.first + row.offset(positions) + done * positions[inner + 1],
                                        positions[inner], positions[inner + 1], call_.elements.shape};
                    if (call_.restarts) {
                        find_restarts(call_, done, count, places);
                        run.begins = places;
                    }
                    kernel_.cpu->scan_columns(run, columns, count_across, prefixes.data(), done > 0 || call_.starts);
                    done += count;
                }
                if (call_.ends) std::memcpy(end_of(number), prefixes.data(), bytes_across);
            }
        });
    }

    const scan_kernel& kernel_;
    const scan_call& call_;
    const std::size_t size_;
    const int operands_;  ///< The inputs and the results; the strides of positions follow theirs.
    axes_of kept_, scanned_;
    std::int64_t extents_[2];
    std::int64_t strides_[max_operands + 1][max_axes];
    const void* start_;
    alignas(largest_accumulator) std::byte identity_[largest_accumulator];
};

}  // namespace

void run_scan_on_cpu(const scan_kernel& kernel, const scan_call& call) { cpu_scan(kernel, call).run(); }

}  // namespace foldwise::detail
