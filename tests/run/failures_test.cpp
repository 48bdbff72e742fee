// tests/run/failures_test.cpp: every allocation of a program with calls of all patterns fails, one after the other.
// Each call then throws out_of_memory, leaks nothing, and the next one is right.
#include "failures.kernels.hpp"
#include "heap.hpp"

#include <foldwise/error.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <typeinfo>
#include <vector>

namespace {

using foldwise::array;
using foldwise::host;
using numbers = std::vector<std::uint32_t>;

constexpr std::int64_t rows = 60, columns = 70;

/// Everything that is calculated, by the rule that it is calculated by.
struct results {
    numbers sum, difference, strided, whole, of_rows, turned;
    std::uint32_t total = 0, of_pages = 0;

    friend bool operator==(const results&, const results&) = default;
};

class scenario {
  public:
    scenario() : x_(rows * columns), y_(rows * columns), page_a_(new run::page{}), page_b_(new run::page{}) {
        for (std::size_t i = 0; i < x_.size(); ++i) {
            x_[i] = static_cast<std::uint32_t>(i * 2654435761u);
            y_[i] = static_cast<std::uint32_t>(i * i);
        }
        page_a_->numbers[0] = 40;
        page_b_->numbers[0] = 2;
    }

    results calculate() const {
        results all;
        const foldwise::shape extents{rows, columns};
        const auto x = host(x_.data(), extents), y = host(y_.data(), extents);
        const auto a = foldwise::to_device(x), b = foldwise::to_device(y.slice(0, rows - 1, -1, -1));
        {
            const auto [sum, difference] = run::both(a, b);
            all.sum = sum.to_host();
            all.difference = difference.to_host();
        }
        array<std::uint32_t> out(extents), unused(extents);
        run::both(a.slice(1, 0, columns, 2), b.slice(1, 0, columns, 2), out.slice(1, 1, columns, 2),
                  unused.slice(1, 1, columns, 2));
        all.strided = foldwise::to_host(out.slice(1, 1, columns, 2));
        all.total = run::total(a);
        all.whole = run::total(a, foldwise::axis(0)).to_host();
        all.of_rows = run::total(a.transpose(), foldwise::axis(0)).to_host();
        array<std::uint32_t> turned(foldwise::shape{columns, rows});
        run::turned(foldwise::shape{rows, columns}, a, turned);
        all.turned = turned.to_host();
        array<std::uint32_t> of_pages(foldwise::shape{100});
        run::firsts(*page_a_, *page_b_, of_pages);
        all.of_pages = of_pages.to_host().back();
        return all;
    }

  private:
    numbers x_, y_;
    std::unique_ptr<run::page> page_a_, page_b_;
};

struct outcome {
    bool is_out_of_memory = false, is_bad_alloc = false;
    std::string error;
    results made;
    std::uint64_t points = 0;
};

outcome run_failing(const scenario& calls, const interpose::heap_failures& which) {
    outcome result;
    interpose::failing_heap failing(which);
    try {
        result.made = calls.calculate();
        result.points = failing.stop();
    } catch (const std::exception& e) {
        result.points = failing.stop();
        result.error = e.what();
        result.is_out_of_memory = typeid(e) == typeid(foldwise::out_of_memory);
        result.is_bad_alloc = dynamic_cast<const std::bad_alloc*>(&e) != nullptr;
    }
    return result;
}

class Failures : public testing::Test {
  protected:
    Failures() : expected_(calls_.calculate()) {
        for (int i = 0; i < 3; ++i) EXPECT_EQ(calls_.calculate(), expected_);  // what is kept is there now
    }

    /// Fails `count` allocations, from the first one on, from the second one on, and so on.
    std::uint64_t fail_each(std::uint64_t count) {
        for (std::uint64_t n = 0;; ++n) {
            SCOPED_TRACE("allocation " + std::to_string(n));
            const std::int64_t before = interpose::heap_blocks();
            if (!fails_as_documented(n, count)) return n;
            EXPECT_EQ(interpose::heap_blocks(), before) << "something was leaked";
            EXPECT_EQ(calls_.calculate(), expected_) << "the next calls are wrong";
            if (HasFailure()) return n;
        }
    }

  private:
    /// Whether there was such an allocation.
    bool fails_as_documented(std::uint64_t n, std::uint64_t count) const {
        const outcome found = run_failing(calls_, {.first = n, .count = count, .of_malloc = true});
        if (found.points <= n) {
            EXPECT_EQ(found.made, expected_) << found.error;
            return false;
        }
        // What has no memory for its message either is the plain std::bad_alloc.
        EXPECT_TRUE(found.is_out_of_memory || (count > 1 && found.is_bad_alloc))
            << (found.error.empty() ? "nothing was thrown" : found.error);
        return true;
    }

    const scenario calls_;
    const results expected_;
};

/// As many at least as there were when this was written: fewer for a GPU, whose memory does not come from the heap.
constexpr std::uint64_t least_points = 13;

TEST_F(Failures, OfOneAllocation) {
    const std::uint64_t points = fail_each(1);
    EXPECT_GE(points, least_points);
    std::cout << points << " allocations failed, one by one\n";
}

TEST_F(Failures, OfAllAllocationsFromOneOn) {
    const std::uint64_t points = fail_each(UINT64_MAX);
    EXPECT_GE(points, least_points);
    std::cout << points << " allocations failed, each with all that would have followed\n";
}

}  // namespace
