// tests/distributed/trial.hpp: one random case, of which all processes draw the same numbers.
#pragma once

#include "check.hpp"

#include <foldwise/distributed.hpp>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

using foldwise::array;
using foldwise::axis;
using foldwise::distributed;
using foldwise::shape;

/// What a call says that all threads of a group make and that would write an array of the process.
inline constexpr const char* all_would_write =
    "all threads of a group would write the same array: call with a distributed array as output, or make the call in "
    "run() with an array of each thread's own";

/// A case: an array of random shape and numbers, spread in a random way.
struct trial {
    const foldwise::communicator& world;
    std::mt19937 random;
    shape extents;
    std::vector<std::int64_t> values;
    std::vector<std::int64_t> row_counts;  ///< How rows are spread over the processes.
    std::string text;                      ///< Says which case it is.

    trial(const foldwise::communicator& group, std::uint32_t seed) : world(group), random(seed) {
        std::vector<std::int64_t> drawn(1 + below(3));
        for (std::int64_t& one : drawn) one = below(8) == 0 ? 0 : 1 + below(6);
        if (below(2) == 0) drawn[0] = below(40);
        extents = shape(std::span<const std::int64_t>(drawn));
        values = numbers(extents);
        text = foldwise::to_string(extents) + ", seed " + std::to_string(seed);
        const std::int64_t rows = extents[0], processes = world.size();
        for (std::int64_t rank = 0; rank < processes; ++rank)
            row_counts.push_back(rows / processes + (rank < rows % processes ? 1 : 0));
        if (below(3) > 0) return;
        row_counts.assign(row_counts.size(), 0);
        for (std::int64_t row = 0; row < rows; ++row) ++row_counts[static_cast<std::size_t>(below(processes))];
    }

    /// A number from 0 to less than `count`.
    std::int64_t below(std::int64_t count) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(count));
    }

    std::vector<std::int64_t> numbers(const shape& of) {
        std::vector<std::int64_t> all(static_cast<std::size_t>(of.size()));
        for (std::int64_t& one : all) one = below(2001) - 1000;
        return all;
    }

    foldwise::view<const std::int64_t> host() const { return foldwise::host(std::as_const(values), extents); }

    /// An array that is spread as the case's is.
    template <class T> distributed<T> spread_as(const std::vector<T>& all) const {
        distributed<T> result(extents, world, row_counts);
        result.fill_from(all);
        return result;
    }
    template <class T> distributed<T> empty() const { return distributed<T>(extents, world, row_counts); }
    distributed<std::int64_t> spread() const { return spread_as(values); }
};

// Compare the calls of some patterns with those of one process.
void elementwise_cases(trial&);
void fold_cases(trial&);
void scan_cases(trial&);
void scatter_cases(trial&);
void stencil_cases(trial&);
void item_cases(trial&);
