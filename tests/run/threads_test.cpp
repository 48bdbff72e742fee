// tests/run/threads_test.cpp: calls from many threads at once share inputs, elements that they add to, and nothing
// else. Built with ThreadSanitizer, the runtime and the emitted code too, so that what they share besides is found even
// if all results are right.
#include "threads.kernels.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::int64_t side = 100;

void expect(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "wrong: %s\n", what);
    std::exit(1);
}

/// Every call has operands of another layout, and the executor is found anew each time.
void work(const std::vector<std::uint32_t>& shared, std::vector<std::uint64_t>& counts, int thread) {
    const auto number = static_cast<std::uint32_t>(thread);
    const foldwise::view<const std::uint32_t> x = foldwise::host(shared.data(), {side, side});
    std::vector<std::uint32_t> sum(shared.size()), difference(shared.size());
    const foldwise::view<std::uint32_t> out = foldwise::host(sum.data(), {side, side});
    std::vector<std::int64_t> where(shared.size());
    for (int repeat = 0; repeat < 20; ++repeat) {
        threads::add(x, number, out);
        threads::add(out, x.transpose(), out);
        threads::add(out, x.slice(0, 0, 1), out);
        threads::add(out.slice(1, 0, side, 2), x.slice(1, side - 1, -1, -2), out.slice(1, 0, side, 2));
        threads::sum_difference(x, out, out, foldwise::host(difference.data(), {side, side}));
        threads::count(side * side, shared, counts);
        threads::places(std::int64_t{thread}, foldwise::host(where.data(), {side, side}));
        const foldwise::array<double> made = threads::add(std::vector<double>(100, thread), 1.0);
        expect(made.to_host().back() == thread + 1, "a result of its own");
        try {
            threads::add(x, x.slice(0, 0, 3), out);
            expect(false, "shapes that do not fit");
        } catch (const foldwise::shape_error& e) {
            expect(std::string(e.what()).find("threads::add") != std::string::npos, "a message");
        }
    }
    const auto at = [&](std::int64_t i, std::int64_t j) { return shared[static_cast<std::size_t>(i * side + j)]; };
    for (std::int64_t i = 0; i < side; ++i) {
        for (std::int64_t j = 0; j < side; ++j) {
            const std::uint32_t inner = at(i, j) + number + at(j, i) + at(0, j) + (j % 2 ? 0 : at(i, side - 1 - j));
            const auto k = static_cast<std::size_t>(i * side + j);
            expect(sum[k] == at(i, j) + inner && difference[k] == at(i, j) - inner, "an element");
            expect(where[k] == i * 1000 + j + thread, "a place");
        }
    }
}

}  // namespace

int main() {
    std::vector<std::uint32_t> shared(side * side);
    for (std::size_t i = 0; i < shared.size(); ++i) shared[i] = static_cast<std::uint32_t>(i * 2654435761u);
    std::vector<std::thread> all;
    std::vector<std::uint64_t> counts(10), want(10);
    for (int i = 0; i < 8; ++i) all.emplace_back(work, std::cref(shared), std::ref(counts), i);
    for (std::thread& one : all) one.join();
    for (const std::uint32_t one : shared) want[one % 10] += std::uint64_t{8} * 20;
    expect(counts == want, "sums of all threads");
    std::puts("right, and no race");
}
