// runtime/src/communication/row_transfer.cpp: which rows processes send one another, and the memory of those on GPUs.
#include <foldwise/detail/row_transfer.hpp>

#include <foldwise/detail/copy.hpp>

#include <algorithm>
#include <cstring>

namespace foldwise::detail {

namespace {

/// Calls each(part of the range, the process that has it) for the parts of a range of rows that are in one process.
template <class Each> void each_owner(const row_split& split, row_range rows, const Each& each) {
    while (rows.count() > 0) {
        const int owner = split.owner_of(rows.begin);
        const row_range part{rows.begin, std::min(rows.end, split.of(owner).end)};
        each(part, owner);
        rows.begin = part.end;
    }
}

row_range intersection(row_range a, row_range b) {
    const std::int64_t begin = std::max(a.begin, b.begin);
    return {begin, std::max(begin, std::min(a.end, b.end))};
}

/// Appends `count` rows from the one numbered `first` on, which may be outside of the array: rows are repeated.
void append_repeated(row_ranges& ranges, std::int64_t first, std::int64_t count, std::int64_t all) {
    std::int64_t at = (first % all + all) % all;
    while (count > 0) {
        const std::int64_t part = std::min(count, all - at);
        ranges.push_back({at, at + part});
        count -= part;
        at = 0;
    }
}

}  // namespace

halo_ranges halos_of(row_range own, std::int64_t rows, std::int64_t all, bool is_periodic) {
    halo_ranges halos;
    if (own.count() == 0 || rows == 0) return halos;
    if (is_periodic) {
        append_repeated(halos.before, own.begin - rows, rows, all);
        append_repeated(halos.behind, own.end, rows, all);
        return halos;
    }
    halos.before = {{own.begin - std::min(rows, own.begin), own.begin}};
    halos.behind = {{own.end, own.end + std::min(rows, all - own.end)}};
    return halos;
}

std::int64_t rows_in(const row_ranges& ranges) {
    std::int64_t sum = 0;
    for (const row_range& range : ranges) sum += range.count();
    return sum;
}

row_transfer::row_transfer(const communicator& world, const row_split& split, const std::vector<row_ranges>& wanted,
                           std::size_t row_bytes, const row_memory& own, bool are_on_gpus, void* target)
    : world_(world) {
    gpu_transport* const between = are_on_gpus ? world.transport().between_gpus() : nullptr;
    const int rank = world.rank();
    const row_range mine = split.of(rank);
    std::vector<sent_message> sent;
    std::size_t sent_bytes = 0;
    for (int other = 0; other < world.size(); ++other)
        for (const row_range& range : wanted[static_cast<std::size_t>(other)]) {
            const row_range part = intersection(range, mine);
            if (part.count() == 0) continue;
            const auto* const from =
                static_cast<const std::byte*>(own.data) + static_cast<std::size_t>(part.begin - mine.begin) * row_bytes;
            sent.push_back({from, static_cast<std::size_t>(part.count()) * row_bytes, other});
            sent_bytes += sent.back().bytes;
        }
    if (own.where.kind != memory::host && !between) {  // messages are in the host's memory
        sent_.reset(new std::byte[sent_bytes]);
        std::byte* next = sent_.get();
        for (sent_message& message : sent) {
            copy_bytes(next, {}, message.data, own.where, message.bytes, own.stream);
            message.data = next;
            next += message.bytes;
        }
    }
    const row_ranges& own_ranges = wanted[static_cast<std::size_t>(rank)];
    bytes_ = static_cast<std::size_t>(rows_in(own_ranges)) * row_bytes;
    is_in_place_ = between && target;
    if (!between)
        received_.reset(new std::byte[bytes_]);
    else if (!target)
        received_on_gpu_ = buffer(bytes_, {own.where, own.stream, {}});
    std::vector<received_message> received;
    std::byte* next = !between ? received_.get() : static_cast<std::byte*>(target ? target : received_on_gpu_.data());
    for (const row_range& range : own_ranges)
        each_owner(split, range, [&](row_range part, int owner) {
            received.push_back({next, static_cast<std::size_t>(part.count()) * row_bytes, owner});
            next += received.back().bytes;
        });
    under_way_ = between ? between->begin_exchange(sent, received, own.stream)
                         : world.transport().begin_exchange(sent, received);
}

row_transfer::~row_transfer() = default;

void row_transfer::wait_for(const row_memory& to) {
    under_way_->wait();
    if (bytes_ == 0 || is_in_place_) return;
    if (received_)
        copy_bytes(to.data, to.where, received_.get(), {}, bytes_, to.stream);
    else
        copy_bytes(to.data, to.where, received_on_gpu_.data(), received_on_gpu_.place(), bytes_, to.stream);
}

void transfer_rows(const communicator& world, const row_split& from, const row_split& to, std::size_t row_bytes,
                   const row_memory& own, const row_memory& target, bool are_on_gpus) {
    constexpr std::size_t most = std::size_t{1} << 26;
    const auto at_once =
        static_cast<std::int64_t>(std::max<std::size_t>(1, most / std::max<std::size_t>(1, row_bytes)));
    std::int64_t longest = 0;
    for (int rank = 0; rank < world.size(); ++rank) longest = std::max(longest, to.of(rank).count());
    for (std::int64_t first = 0; first < longest; first += at_once) {
        std::vector<row_ranges> wanted;
        for (int rank = 0; rank < world.size(); ++rank) {
            const row_range all = to.of(rank);
            const std::int64_t begin = std::min(all.end, all.begin + first);
            wanted.push_back({{begin, std::min(all.end, begin + at_once)}});
        }
        auto* const part = static_cast<std::byte*>(target.data) +
                           static_cast<std::size_t>(wanted[static_cast<std::size_t>(world.rank())][0].begin -
                                                    to.of(world.rank()).begin) *
                               row_bytes;
        row_transfer(world, from, wanted, row_bytes, own, are_on_gpus).wait_for({part, target.where, target.stream});
    }
}

}  // namespace foldwise::detail
