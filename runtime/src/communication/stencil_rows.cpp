// runtime/src/communication/stencil_rows.cpp: fetches the rows around those of a process, and puts them together.
#include <foldwise/detail/stencil_rows.hpp>

#include <foldwise/detail/copy.hpp>
#include <foldwise/detail/layout.hpp>

#include <algorithm>

namespace foldwise::detail {

namespace {

/// Some rows of an operand.
struct row_part {
    std::byte* data;
    layout rows;
    place where;

    row_part(const operand_ref& of, std::int64_t first, std::int64_t last, std::size_t size) : where(of.place) {
        const sublayout part = slice(of.layout, 0, first, last, 1);
        data = static_cast<std::byte*>(of.data) + part.offset * static_cast<std::int64_t>(size);
        rows = part.layout;
    }
    bool is_contiguous() const { return detail::is_contiguous(rows.shape, rows.strides); }
};

/// Copies rows. On one GPU, contiguous ones are copied asynchronously on the stream, so that what is queued there
/// already goes on meanwhile; all others are complete on return.
void copy_part(const row_part& to, const row_part& from, std::size_t size, CUstream_st* stream) {
    if (to.where == from.where && to.is_contiguous() && from.is_contiguous())
        queue_copy(to.data, from.data, to.where, static_cast<std::size_t>(to.rows.shape.size()) * size, stream);
    else
        copy_between(to.data, to.where, to.rows, from.data, from.where, from.rows, size, stream);
}

}  // namespace

std::size_t stencil_rows::row_bytes() const { return static_cast<std::size_t>(with(1).size()) * size_; }

void stencil_rows::copy_rows(std::byte* to, const operand_ref& from, std::int64_t first, std::int64_t last,
                             CUstream_st* stream) const {
    if (first >= last) return;
    const operand_ref copied{to, row_major(with_rows(from.layout.shape, last - first)), own_.place, false};
    copy_part({copied, 0, last - first, size_}, {from, first, last, size_}, size_, stream);
}

void stencil_rows::begin_halo(const row_reach& reach, CUstream_st* stream, bool are_on_gpus) {
    const std::int64_t all = split_.rows();
    const auto around = [&](int rank) {
        const row_range own = split_.of(rank);
        return halo_ranges{halos_of(own, reach.before, all, reach.wraps).before,
                           halos_of(own, reach.behind, all, reach.wraps).behind};
    };
    const halo_ranges mine = around(world_.rank());
    before_ = rows_in(mine.before);
    behind_ = rows_in(mine.behind);
    has_halo_ = true;
    halo_ = memory_for(before_ + behind_, stream);
    if (knows_all_) {
        auto* to = static_cast<std::byte*>(halo_.data());
        for (const row_range& range : mine.joined()) {
            copy_rows(to, all_, range.begin, range.end, stream);
            to += static_cast<std::size_t>(range.count()) * row_bytes();
        }
        return;
    }
    std::vector<row_ranges> wanted;
    for (int rank = 0; rank < world_.size(); ++rank) wanted.push_back(around(rank).joined());
    transfer_ = std::make_unique<row_transfer>(world_, split_, wanted, row_bytes(),
                                               row_memory{own_.data, own_.place, stream}, are_on_gpus, halo_.data());
}

void stencil_rows::finish_halo(CUstream_st* stream) {
    if (!transfer_) return;
    transfer_->wait_for({halo_.data(), own_.place, stream});
    transfer_.reset();
}

buffer stencil_rows::rows(std::int64_t first, std::int64_t last, CUstream_st* stream) const {
    const std::int64_t own = own_.layout.shape[0];
    buffer result = memory_for(last - first, stream);
    auto* to = static_cast<std::byte*>(result.data());
    const auto place_of = [&](std::int64_t row) { return to + static_cast<std::size_t>(row - first) * row_bytes(); };
    const std::int64_t begin = std::max<std::int64_t>(first, 0), end = std::min(last, own);
    copy_rows(place_of(begin), own_, begin, end, stream);
    if (has_halo_) {
        const operand_ref halo{halo_.data(), row_major(with(before_ + behind_)), own_.place, false};
        copy_rows(to, halo, before_ + first, before_, stream);
        copy_rows(place_of(std::max(first, own)), halo, before_ + std::max<std::int64_t>(first - own, 0),
                  before_ + last - own, stream);
    } else {
        for (std::int64_t row = first; row < 0; ++row) copy_rows(place_of(row), own_, 0, 1, stream);
        for (std::int64_t row = own; row < last; ++row) copy_rows(place_of(row), own_, own - 1, own, stream);
    }
    return result;
}

void copy_rows_back(const operand_ref& output, std::int64_t to, const buffer& rows, std::int64_t first,
                    std::int64_t last, std::size_t size, CUstream_st* stream) {
    if (first >= last) return;
    const operand_ref copied{rows.data(), row_major(with_rows(output.layout.shape, last)), output.place, false};
    copy_part({output, to, to + last - first, size}, {copied, first, last, size}, size, stream);
}

}  // namespace foldwise::detail
