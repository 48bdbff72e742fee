// runtime/src/communication/process_folds.cpp: each process combines some accumulators of all processes.
#include <foldwise/detail/process_folds.hpp>

#include <foldwise/detail/buffer.hpp>
#include <foldwise/error.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace foldwise::detail {

namespace {

/// Memory of accumulators, aligned for any of them.
buffer memory_for(std::size_t bytes) { return buffer(bytes, memory_source{}); }

std::byte* at(void* accumulators, std::int64_t number, std::size_t size) {
    return static_cast<std::byte*>(accumulators) + static_cast<std::size_t>(number) * size;
}

/// Replaces the accumulators of each part but the last by what the parts up to it combine to.
void make_exclusive(std::byte* all, std::size_t parts, std::int64_t count, std::size_t size, join_function join) {
    const std::size_t bytes = static_cast<std::size_t>(count) * size;
    for (std::size_t part = 2; part < parts; ++part)
        for (std::int64_t i = 0; i < count; ++i) {
            // The earlier one stands first; the sum takes the later one's place.
            alignas(largest_accumulator) std::byte both[largest_accumulator];
            std::memcpy(both, at(all, i, size) + (part - 2) * bytes, size);
            join(both, at(all, i, size) + (part - 1) * bytes);
            std::memcpy(at(all, i, size) + (part - 1) * bytes, both, size);
        }
}

}  // namespace

bool combine_before(const communicator& world, std::span<const int> order, const accumulators& mine,
                    join_function join) {
    const int rank = world.rank();
    const auto own = std::find(order.begin(), order.end(), rank);
    const bool has_any = own != order.end() && own != order.begin();
    if (order.size() < 2 || mine.count == 0) return has_any;
    if (mine.count == 1) {
        std::vector<std::size_t> bytes(static_cast<std::size_t>(world.size()), 0);
        for (const int other : order) bytes[static_cast<std::size_t>(other)] = mine.size;
        const buffer all = memory_for(order.size() * mine.size);
        world.transport().all_gather(mine.data, all.data(), bytes);
        if (!has_any) return false;
        std::vector<int> by_rank(order.begin(), order.end());
        std::sort(by_rank.begin(), by_rank.end());
        const auto of = [&](int other) {
            return at(all.data(), std::lower_bound(by_rank.begin(), by_rank.end(), other) - by_rank.begin(), mine.size);
        };
        std::memcpy(mine.data, of(order[0]), mine.size);
        for (auto other = order.begin() + 1; other != own; ++other) join(mine.data, of(*other));
        return true;
    }
    // Each process combines some accumulators of all, which they send it and get back.
    const row_split shares = row_split::even(mine.count, world.size());
    const auto bytes_of = [&](int other) { return static_cast<std::size_t>(shares.of(other).count()) * mine.size; };
    const auto share_of = [&](int other) { return at(mine.data, shares.of(other).begin, mine.size); };
    const std::size_t own_bytes = bytes_of(rank);
    const buffer all = memory_for(order.size() * own_bytes);
    std::vector<sent_message> sent;
    std::vector<received_message> received;
    for (int other = 0; own != order.end() && other < world.size(); ++other)
        sent.push_back({share_of(other), bytes_of(other), other});
    for (std::size_t i = 0; i < order.size(); ++i)
        received.push_back({static_cast<std::byte*>(all.data()) + i * own_bytes, own_bytes, order[i]});
    world.transport().begin_exchange(sent, received)->wait();
    make_exclusive(static_cast<std::byte*>(all.data()), order.size(), shares.of(rank).count(), mine.size, join);
    sent.clear();
    received.clear();
    for (std::size_t i = 1; i < order.size(); ++i)
        sent.push_back({static_cast<std::byte*>(all.data()) + (i - 1) * own_bytes, own_bytes, order[i]});
    for (int other = 0; has_any && other < world.size(); ++other)
        received.push_back({share_of(other), bytes_of(other), other});
    world.transport().begin_exchange(sent, received)->wait();
    return has_any;
}

void combine_shares(const communicator& world, const row_split& shares, const accumulators& bins,
                    join_bins_function join) {
    const row_range own = shares.of(world.rank());
    const std::size_t own_bytes = static_cast<std::size_t>(own.count()) * bins.size;
    const buffer all = memory_for(static_cast<std::size_t>(world.size()) * own_bytes);
    std::vector<sent_message> sent;
    std::vector<received_message> received;
    for (int other = 0; other < world.size(); ++other) {
        const row_range share = shares.of(other);
        sent.push_back(
            {at(bins.data, share.begin, bins.size), static_cast<std::size_t>(share.count()) * bins.size, other});
        received.push_back(
            {static_cast<std::byte*>(all.data()) + static_cast<std::size_t>(other) * own_bytes, own_bytes, other});
    }
    world.transport().begin_exchange(sent, received)->wait();
    if (own.count() == 0) return;
    std::memcpy(at(bins.data, own.begin, bins.size), all.data(), own_bytes);
    for (int other = 1; other < world.size(); ++other)
        join(at(bins.data, own.begin, bins.size),
             static_cast<std::byte*>(all.data()) + static_cast<std::size_t>(other) * own_bytes, own.count(), 1);
}

void gather_shares(const communicator& world, const row_split& shares, const accumulators& bins) {
    const row_range own = shares.of(world.rank());
    const auto* const from = at(bins.data, own.begin, bins.size);
    const std::vector<std::byte> mine(from, from + static_cast<std::size_t>(own.count()) * bins.size);
    std::vector<std::size_t> bytes;
    for (int rank = 0; rank < world.size(); ++rank)
        bytes.push_back(static_cast<std::size_t>(shares.of(rank).count()) * bins.size);
    world.transport().all_gather(mine.data(), bins.data, bytes);
}

void check_combines(const char* kernel, bool has_cpu) {
    if (!has_cpu)
        throw error(std::string(kernel) +
                    ": what processes bring is combined by the backend cpu, which this kernel was "
                    "not generated for: add cpu to BACKENDS");
}

}  // namespace foldwise::detail
