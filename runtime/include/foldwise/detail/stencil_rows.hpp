// foldwise/detail/stencil_rows.hpp: the operands of a stencil call whose rows are spread over processes.
#pragma once

#include <foldwise/detail/buffer.hpp>
#include <foldwise/detail/operand_ref.hpp>
#include <foldwise/detail/row_transfer.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace foldwise::detail {

/// How far a stencil looks along axis 0, and whether beyond the last row is the first one.
struct row_reach {
    std::int64_t before, behind;
    bool wraps;
};

/// An operand with a row for each of a call's: this process's rows and, if it is looked around in, those around them.
class stencil_rows {
  public:
    /// `own` has the rows [mine.begin, mine.end) of a shape of `size` bytes per element.
    stencil_rows(const operand_ref& own, std::size_t size, const row_split& split, const communicator& world)
        : own_(own), size_(size), split_(split), world_(world) {}

    /// Replaces the rows of this process, and forgets those around them.
    void replace(const operand_ref& own) {
        own_ = own;
        all_ = {};
        knows_all_ = false;
    }
    /// Says that this process has all rows.
    void know(const operand_ref& all) {
        all_ = all;
        knows_all_ = true;
    }
    bool is_known() const { return knows_all_; }
    const operand_ref& own() const { return own_; }
    std::size_t size() const { return size_; }
    /// Returns how many rows around those of this process there are, after begin_halo().
    std::int64_t rows_before() const { return before_; }
    std::int64_t rows_behind() const { return behind_; }

    /// Begins to fetch the rows around those of this process. Called by all processes. If `are_on_gpus`, as agree() has
    /// returned it, rows do not pass through the host where the group can do without. The rows of this process are not
    /// to change before finish_halo() has returned.
    void begin_halo(const row_reach& reach, CUstream_st* stream, bool are_on_gpus);
    /// Waits for them.
    void finish_halo(CUstream_st* stream);

    /// Returns memory for some rows, where those of this process are; and a copy of the rows from `first` to `last`,
    /// where 0 is the first row of this process: rows around them if they have been fetched, and otherwise the nearest
    /// rows of this process once more.
    buffer memory_for(std::int64_t rows, CUstream_st* stream) const {
        return buffer(static_cast<std::size_t>(rows) * row_bytes(), memory_source{own_.place, stream, {}});
    }
    buffer rows(std::int64_t first, std::int64_t last, CUstream_st* stream) const;

  private:
    shape with(std::int64_t rows) const { return with_rows(own_.layout.shape, rows); }
    std::size_t row_bytes() const;
    void copy_rows(std::byte* to, const operand_ref& from, std::int64_t first, std::int64_t last,
                   CUstream_st* stream) const;

    operand_ref own_, all_{};
    bool knows_all_ = false;
    std::size_t size_;
    row_split split_;
    communicator world_;
    std::unique_ptr<row_transfer> transfer_;
    buffer halo_;  ///< Rows before those of this process, then rows behind them.
    std::int64_t before_ = 0, behind_ = 0;
    bool has_halo_ = false;
};

/// Copies the rows [first, last) of some contiguous rows to those of an output from the one numbered `to` on.
void copy_rows_back(const operand_ref& output, std::int64_t to, const buffer& rows, std::int64_t first,
                    std::int64_t last, std::size_t size, CUstream_st* stream);

}  // namespace foldwise::detail
