// foldwise/device/scan/column_rows.hpp: what a thread does with its rows of one or several columns.
#pragma once

#include <foldwise/device/scan/operands.hpp>
#include <foldwise/device/scan/stretch.hpp>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// A thread's rows of a tile, each with its elements of `Across` columns.
template <class Steps, int Rows, int Across = 1> struct column_rows {
    using accumulator = typename Steps::accumulator;

    unsigned int tile = 0;
    int count = 0;            ///< The number of rows.
    unsigned int begins = 0;  ///< At which of them the scan begins anew, as bits.
    pack<accumulator, Rows * Across> values;

    /// Returns whether there are as many rows as can be, and the scan begins anew at the first of them at most.
    __device__ bool is_plain() const { return count == Rows && begins <= 1; }

    /// Returns the aggregate of the rows of a column.
    template <bool IsPlain> __device__ stretch<Steps> folded(const scan_task<Steps>& task, int column = 0) const {
        partial<Steps> all;
        FOLDWISE_UNROLLED
        for (int k = 0; k < Rows; ++k) {
            if (!IsPlain && k >= count) break;
            if (begins_at<IsPlain>(k)) all = task.start();
            all.append(values[k * Across + column]);
        }
        return {all, begins != 0};
    }

    /// Replaces each row of a column by what the rows up to it make, or those before it, with what precedes them.
    template <bool IsPlain> __device__ void scan(const scan_task<Steps>& task, partial<Steps> so_far, int column) {
        FOLDWISE_UNROLLED
        for (int k = 0; k < Rows; ++k) {
            if (!IsPlain && k >= count) break;
            if (begins_at<IsPlain>(k)) so_far = task.start();
            const accumulator before = so_far.value;
            accumulator& value = values[k * Across + column];
            so_far.append(value);
            value = task.is_exclusive ? before : so_far.value;
        }
    }

  private:
    template <bool IsPlain> __device__ bool begins_at(int k) const {
        return (k == 0 || !IsPlain) && (begins >> k & 1) != 0;
    }
};

/// Returns the results of a thread's rows, with what precedes those of each column.
template <class Steps, int Rows, int Across>
__device__ inline pack<typename Steps::result, Rows * Across>
scanned(const scan_task<Steps>& task, column_rows<Steps, Rows, Across>& own, const partial<Steps> (&before)[Across]) {
    if (own.is_plain()) {
        FOLDWISE_UNROLLED
        for (int j = 0; j < Across; ++j) own.template scan<true>(task, before[j], j);
    } else {
        FOLDWISE_UNROLLED
        for (int j = 0; j < Across; ++j) own.template scan<false>(task, before[j], j);
    }
    pack<typename Steps::result, Rows * Across> results;
    FOLDWISE_UNROLLED
    for (int k = 0; k < Rows * Across; ++k)
        if (k < own.count * Across) results[k] = Steps::finish(own.values[k]);
    return results;
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
