// tests/run/reproducible_test.cpp: REPRODUCIBLE folds round the same wherever their operands begin.
#include "reproducible.kernels.hpp"
#include "trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace {

/// Copies of the same elements that begin at every distance from a multiple of 16 bytes.
class shifted {
  public:
    explicit shifted(std::int64_t count) {
        run_tests::generator rng(1);
        std::uniform_real_distribution<float> any(-1, 1);
        std::vector<float> elements(static_cast<std::size_t>(count));
        for (float& one : elements) one = any(rng);
        for (std::size_t ahead = 0; ahead < copies; ++ahead) {
            std::vector<float> all(ahead, 99);
            all.insert(all.end(), elements.begin(), elements.end());
            memory_.push_back(foldwise::to_device(all));
        }
    }
    static constexpr std::size_t copies = 4;

    foldwise::view<const float> at(std::size_t ahead, const foldwise::shape& extents) const {
        const foldwise::array<float>& all = memory_[ahead];
        return all.slice(0, static_cast<std::int64_t>(ahead), all.size(), 1).reshape(extents);
    }

  private:
    std::vector<foldwise::array<float>> memory_;
};

TEST(Reproducible, WholeArraysWhereverTheyBegin) {
    for (std::int64_t n : {1, 5, 127, 1000, 20'011, 300'007}) {
        const shifted x(n);
        const foldwise::shape extents{n};
        const float sum = run::sum(x.at(0, extents)), dot = run::dot(x.at(0, extents), x.at(0, extents));
        for (std::size_t ahead = 1; ahead < shifted::copies; ++ahead) {
            EXPECT_EQ(run::sum(x.at(ahead, extents)), sum) << n << " elements, " << ahead << " behind a boundary";
            EXPECT_EQ(run::dot(x.at(ahead, extents), x.at(0, extents)), dot) << n << ", " << ahead;
        }
    }
}

TEST(Reproducible, RowsAndColumnsWhereverTheyBegin) {
    for (const auto& [rows, columns] : {std::pair{100, 32}, {1000, 8}, {7, 1000}, {300, 260}}) {
        const foldwise::shape extents{rows, columns};
        const shifted x(extents.size());
        for (int axis : {0, 1}) {
            const std::vector<float> want = run::sum(x.at(0, extents), foldwise::axis(axis)).to_host();
            for (std::size_t ahead = 1; ahead < shifted::copies; ++ahead)
                EXPECT_EQ(run::sum(x.at(ahead, extents), foldwise::axis(axis)).to_host(), want)
                    << to_string(extents) << ", axis " << axis << ", " << ahead;
        }
    }
}

/// Sums and scans of segments of any lengths, from 0 to a third of all elements.
TEST(Reproducible, SegmentsWhereverTheyBegin) {
    run_tests::generator rng(3);
    for (std::int64_t n : {1, 5, 127, 1000, 20'011, 300'007}) {
        if (n > 100'000 && run_tests::runs_on("simulator")) continue;
        const shifted x(n);
        const foldwise::shape extents{n};
        for (const std::int64_t usual : {std::int64_t{2}, std::int64_t{50}, n / 3 + 1}) {
            std::vector<std::int64_t> offsets{0};
            while (offsets.back() < n)
                offsets.push_back(std::min(n, offsets.back() + static_cast<std::int64_t>(rng() % (2 * usual))));
            const auto segments = foldwise::segments(offsets);
            const std::vector<float> sums = run::sum(x.at(0, extents), segments).to_host();
            const std::vector<float> scanned = run::running(x.at(0, extents), segments).to_host();
            for (std::size_t ahead = 1; ahead < shifted::copies; ++ahead) {
                ASSERT_EQ(run::sum(x.at(ahead, extents), segments).to_host(), sums)
                    << n << ", " << usual << ", " << ahead;
                ASSERT_EQ(run::running(x.at(ahead, extents), segments).to_host(), scanned)
                    << n << ", " << usual << ", " << ahead;
            }
        }
    }
}

TEST(Reproducible, ScatteredSumsRoundAsOnTheCpu) {
    for (const auto& [count, bins] : {std::pair{100'003, 10}, {100'003, 5000}, {20'000, 30'000}, {65'000, 40'000}}) {
        run_tests::generator rng(2);
        std::uniform_real_distribution<float> any(-1, 1);
        std::vector<float> values(static_cast<std::size_t>(count));
        std::vector<std::int32_t> places(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = any(rng);
            places[i] = static_cast<std::int32_t>(rng() % static_cast<unsigned int>(bins));
        }
        const foldwise::shape extents{bins};
        EXPECT_EQ(run::deposit(places, values, extents).to_host(),
                  run::deposit(places, values, extents, foldwise::cpu()).to_host())
            << count << " elements, " << bins << " bins";
    }
}

}  // namespace
