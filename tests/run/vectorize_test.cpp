// tests/run/vectorize_test.cpp: generated elementwise kernels against plain loops, on the executor that the environment
// names: sizes, offsets that break alignment, scalars in every place, in place, host ranges and arrays.
#include "vectorize.kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

using random = std::mt19937_64;

std::size_t below(random& rng, std::size_t n) { return static_cast<std::size_t>(rng() % n); }

/// Sizes around the edges of loads, warps and blocks, and some large ones.
std::size_t any_size(random& rng) {
    static constexpr std::size_t edges[] = {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 255, 256, 257};
    switch (rng() % 8) {
    case 0: return below(rng, 200'000);
    case 1: return 1024 * (1 + below(rng, 5)) - 1 + below(rng, 3);
    case 2: return 4096 * (1 + below(rng, 3)) - 1 + below(rng, 3);
    default: return edges[below(rng, std::size(edges))] + (rng() % 4 == 0 ? below(rng, 5000) : 0);
    }
}

template <class T> T any_value(random& rng) {
    if constexpr (std::is_same_v<T, bool>) return rng() % 2 != 0;
    else if constexpr (std::is_floating_point_v<T>) return static_cast<T>(static_cast<int>(rng() % 2001) - 1000) / T{16};
    else return static_cast<T>(rng() % 120);  // so that no arithmetic here overflows
}

/// Storage for n elements at an offset, with something on both sides that must stay as it is. Not std::vector, because
/// of std::vector<bool>.
template <class T> class buffer {
  public:
    buffer(random& rng, std::size_t n, bool scalar = false) : offset_(below(rng, 17)), n_(n), scalar_(scalar) {
        storage_ = std::make_unique<T[]>(size());
        for (std::size_t i = 0; i < size(); ++i) storage_[i] = any_value<T>(rng);
    }

    std::size_t offset() const { return offset_; }
    std::size_t size() const { return offset_ + n_ + 16; }
    bool is_scalar() const { return scalar_; }
    T value(std::size_t i) const { return storage_[scalar_ ? 0 : offset_ + i]; }
    std::span<T> all() { return {storage_.get(), size()}; }
    std::span<T> elements() { return {storage_.get() + offset_, n_}; }

  private:
    std::size_t offset_, n_;
    bool scalar_;
    std::unique_ptr<T[]> storage_;
};

/// One operand as the kernel gets it: a host range, or a slice of an array that lives where the executor computes.
template <class T> class lent {
  public:
    lent(buffer<T>& from, bool on_device) : from_(from) {
        if (on_device && !from.is_scalar()) array_.emplace(foldwise::to_device(from.all()));
    }
    template <class Operand> Operand as() {
        if (from_.is_scalar()) {
            if constexpr (std::is_same_v<Operand, foldwise::operand<const T>>) return from_.value(0);
        }
        if (array_) return array_->slice(0, begin(), begin() + static_cast<std::int64_t>(from_.elements().size()));
        return from_.elements();
    }
    /// Everything, the sides included.
    std::vector<T> all() { return array_ ? array_->to_host() : std::vector<T>(from_.all().begin(), from_.all().end()); }

  private:
    std::int64_t begin() const { return static_cast<std::int64_t>(from_.offset()); }

    buffer<T>& from_;
    std::optional<foldwise::array<T>> array_;
};

template <class T> bool equal(T got, T want) {
    if constexpr (std::is_floating_point_v<T>) {
        // Contraction to fused multiply-add and CUDA's exp may differ from the host's in the last bits.
        return got == want || std::abs(got - want) <= std::abs(want) * (sizeof(T) == 4 ? T(4e-6) : T(1e-14)) + T(1e-6);
    } else {
        return got == want;
    }
}

/// Calls `kernel` with random operands and compares every element, and what lies around the output, with `reference`.
template <class Out, class... In, class Kernel, class Reference>
void trial(unsigned seed, Kernel kernel, Reference reference) {
    random rng(seed);
    const std::size_t n = any_size(rng);
    const bool on_device = rng() % 2 == 0;
    SCOPED_TRACE("seed " + std::to_string(seed) + ", n " + std::to_string(n) + (on_device ? ", device" : ", host"));

    std::tuple<buffer<In>...> inputs{buffer<In>(rng, n, rng() % 4 == 0)...};
    buffer<Out> output(rng, n);
    const std::vector<Out> before(output.all().begin(), output.all().end());
    std::vector<Out> want;
    for (std::size_t i = 0; i < n; ++i)
        want.push_back(std::apply([&](auto&... in) { return static_cast<Out>(reference(in.value(i)...)); }, inputs));

    lent<Out> out(output, on_device);
    std::apply(
        [&](auto&... in) {
            std::tuple<lent<In>...> operands{lent<In>(in, on_device)...};
            std::apply([&](auto&... operand) {
                kernel(operand.template as<foldwise::operand<const In>>()..., out.template as<foldwise::operand<Out>>());
            }, operands);
        },
        inputs);

    const std::vector<Out> got = out.all();
    for (std::size_t i = 0; i < got.size(); ++i) {
        const bool inside = i >= output.offset() && i < output.offset() + n;
        const Out expected = inside ? want[i - output.offset()] : before[i];
        ASSERT_TRUE(equal<Out>(got[i], expected)) << "at " << i << ": got " << +got[i] << ", want " << +expected;
    }
}

/// FOLDWISE_TEST_SEED=n runs that case alone.
template <class Run> void many(unsigned trials, Run run) {
    if (const char* one = std::getenv("FOLDWISE_TEST_SEED")) return run(static_cast<unsigned>(std::atoi(one)));
    for (unsigned seed = 1; seed <= trials && !testing::Test::HasFatalFailure(); ++seed) run(seed);
}

const auto next = [](auto&&... a) { run::next(a...); };

template <class T> class EveryType : public testing::Test {};
using types = testing::Types<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                             std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(EveryType, types);

TYPED_TEST(EveryType, InAndOut) {
    using T = TypeParam;
    many(100, [](unsigned seed) {
        trial<T, T>(seed, next, [](T x) { return static_cast<T>(x + 1); });
    });
}

TYPED_TEST(EveryType, InPlace) {
    using T = TypeParam;
    many(30, [](unsigned seed) {
        random rng(seed);
        buffer<T> x(rng, any_size(rng));
        const std::vector<T> before(x.all().begin(), x.all().end());
        run::next(std::span<const T>(x.elements()), x.elements());
        for (std::size_t i = 0; i < before.size(); ++i) {
            const bool inside = i >= x.offset() && i < x.offset() + x.elements().size();
            const T want = inside ? static_cast<T>(before[i] + 1) : before[i];
            ASSERT_EQ(x.all()[i], want) << "seed " << seed << ", at " << i;
        }
    });
}

TEST(Widths, NarrowToWide) {
    const auto kernel = [](auto&&... a) { run::widen(a...); };
    const auto triple = [](auto x) { return x * 3; };
    many(100, [&](unsigned seed) { trial<double, std::int8_t>(seed, kernel, triple); });
    many(100, [&](unsigned seed) { trial<std::int64_t, bool>(seed, kernel, triple); });
    many(100, [&](unsigned seed) { trial<float, std::int16_t>(seed, kernel, triple); });
}

TEST(Widths, WideToNarrow) {
    const auto kernel = [](auto&&... a) { run::narrow(a...); };
    const auto positive = [](auto x) { return x > 0; };
    many(100, [&](unsigned seed) { trial<std::int8_t, double>(seed, kernel, positive); });
    many(100, [&](unsigned seed) { trial<bool, std::int64_t>(seed, kernel, positive); });
    many(100, [&](unsigned seed) { trial<std::uint16_t, float>(seed, kernel, positive); });
}

TEST(Widths, FourTypesAtOnce) {
    many(200, [](unsigned seed) {
        trial<float, std::int8_t, double, float, std::uint16_t>(
            seed, [](auto&&... a) { run::mixed(a...); },
            [](std::int8_t a, double b, float c, std::uint16_t d) { return static_cast<float>(a * b + c * d); });
    });
}

TEST(Inputs, Six) {
    many(200, [](unsigned seed) {
        trial<float, float, float, float, float, float, float>(
            seed, [](auto&&... in) { run::six(in...); },
            [](float a, float b, float c, float d, float e, float f) { return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f; });
    });
}

TEST(Inputs, OverloadsThatDifferInOrderOnly) {
    const auto kernel = [](auto&&... a) { run::order(a...); };
    const auto reference = [](auto a, auto b) { return a - 2 * b; };
    many(100, [&](unsigned seed) { trial<double, double, float>(seed, kernel, reference); });
    many(100, [&](unsigned seed) { trial<double, float, double>(seed, kernel, reference); });
}

TEST(Inputs, None) {
    many(50, [](unsigned seed) {
        trial<std::int32_t>(seed, [](auto&&... out) { run::answer(out...); }, [] { return 42; });
    });
    const std::vector<std::int32_t> made = run::answer(foldwise::shape{3, 5}).to_host();
    EXPECT_EQ(made, std::vector<std::int32_t>(15, 42));
}

TEST(Body, ControlFlowHelpersMacros) {
    const auto bell = [](float x) { return std::exp(-0.5f * x * x); };
    many(200, [&](unsigned seed) {
        trial<float, float, float>(seed, [](auto&&... a) { run::body(a...); }, [&](float x, float y) {
            float sum = 0;
            for (int i = 0; i < 4 && x <= 100; ++i)
                sum += i % 2 == 0 ? bell(x) + bell(y) : std::fmin(std::fmax(x * y, -1.0f), 1.0f);
            return static_cast<int>(y) == 0 ? sum : static_cast<int>(y) == 1 ? -sum : sum * 2;
        });
    });
}

TEST(Names, SameNameInAnotherNamespace) {
    EXPECT_EQ(run::next(std::vector<std::int32_t>{5}).to_host().at(0), 6);
    EXPECT_EQ(run::inner::next(std::vector<std::int32_t>{5}).to_host().at(0), 4);
    EXPECT_EQ(global_negate(std::vector<double>{5}).to_host().at(0), -5);
}

TEST(Results, AreWhereTheInputsAre) {
    const std::vector<double> x{1, 2, 3};
    EXPECT_EQ(global_negate(x).place().kind, foldwise::memory::host);
    const foldwise::array<double> on_device = foldwise::to_device(x);
    const foldwise::array<double> z = global_negate(on_device);
    EXPECT_EQ(z.place().kind, on_device.place().kind);
    EXPECT_EQ(z.shape(), foldwise::shape{3});
    EXPECT_EQ(z.to_host(), (std::vector<double>{-1, -2, -3}));
}

TEST(Errors, AreFoundBeforeAnythingIsWritten) {
    std::vector<double> x{1, 2, 3}, four(4, 9), two(2, 9);
    EXPECT_THROW(global_negate(x, four), foldwise::shape_error);
    EXPECT_THROW(global_negate(x, two), foldwise::shape_error);
    EXPECT_EQ(four, std::vector<double>(4, 9));
    const std::span<double> whole(four);
    EXPECT_THROW(global_negate(whole.first(3), whole.last(3)), foldwise::overlap_error);
    EXPECT_EQ(four, std::vector<double>(4, 9));
}

}  // namespace
