// foldwise/device/scan/column_rows.hpp: what a thread does with its rows of a column.
#pragma once

#include <foldwise/device/scan/operands.hpp>
#include <foldwise/device/scan/stretch.hpp>

namespace foldwise::device_code {
inline namespace FOLDWISE_BACKEND {

/// A thread's rows of a tile.
template <class Steps, int Rows> struct column_rows {
    using accumulator = typename Steps::accumulator;

    unsigned int tile = 0;
    int count = 0;            ///< The number of rows.
    unsigned int begins = 0;  ///< At which of them the scan begins anew, as bits.
    pack<accumulator, Rows> values;

    /// Returns whether there are as many rows as can be, and the scan begins anew at the first of them at most.
    __device__ bool is_plain() const { return count == Rows && begins <= 1; }

    /// Returns the aggregate of the rows.
    template <bool IsPlain> __device__ stretch<Steps> folded(const scan_task<Steps>& task) const {
        partial<Steps> all;
        FOLDWISE_UNROLLED
        for (int k = 0; k < Rows; ++k) {
            if (!IsPlain && k >= count) break;
            if (begins_at<IsPlain>(k)) all = task.start();
            all.append(values[k]);
        }
        return {all, begins != 0};
    }

    /// Replaces each row by what the rows up to it make, or those before it, with what precedes them.
    template <bool IsPlain> __device__ void scan(const scan_task<Steps>& task, partial<Steps> so_far) {
        FOLDWISE_UNROLLED
        for (int k = 0; k < Rows; ++k) {
            if (!IsPlain && k >= count) break;
            if (begins_at<IsPlain>(k)) so_far = task.start();
            const accumulator before = so_far.value;
            so_far.append(values[k]);
            values[k] = task.is_exclusive ? before : so_far.value;
        }
    }

  private:
    template <bool IsPlain> __device__ bool begins_at(int k) const {
        return (k == 0 || !IsPlain) && (begins >> k & 1) != 0;
    }
};

/// Returns the results of a thread's rows, with what precedes them.
template <class Steps, int Rows>
__device__ inline pack<typename Steps::result, Rows>
scanned(const scan_task<Steps>& task, column_rows<Steps, Rows>& own, const partial<Steps>& before) {
    if (own.is_plain())
        own.template scan<true>(task, before);
    else
        own.template scan<false>(task, before);
    pack<typename Steps::result, Rows> results;
    FOLDWISE_UNROLLED
    for (int k = 0; k < Rows; ++k)
        if (k < own.count) results[k] = Steps::finish(own.values[k]);
    return results;
}

}  // namespace FOLDWISE_BACKEND
}  // namespace foldwise::device_code
