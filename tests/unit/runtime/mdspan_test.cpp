// tests/unit/runtime/mdspan_test.cpp: mdspans as operands: the CUDA toolkit's, and the standard library's if it has
// one.
#include <foldwise/operand.hpp>

#include "expect_error.hpp"

#include <foldwise/error.hpp>

#include <cuda/std/mdspan>

#include <version>
#ifdef __cpp_lib_mdspan
#include <mdspan>
#endif

#include <array>
#include <cstddef>
#include <numeric>
#include <type_traits>
#include <vector>

namespace {

using namespace foldwise;

/// A layout without strides: every other row is stored backwards.
struct ploughed {
    template <class Extents> struct mapping {
        using extents_type = Extents;
        using index_type = typename Extents::index_type;
        using size_type = typename Extents::size_type;
        using rank_type = typename Extents::rank_type;
        using layout_type = ploughed;

        mapping() = default;
        constexpr mapping(const Extents& extents) : extents_(extents) {}

        constexpr const Extents& extents() const { return extents_; }
        constexpr index_type operator()(index_type i, index_type j) const {
            return i * extents_.extent(1) + (i % 2 ? extents_.extent(1) - 1 - j : j);
        }
        constexpr index_type required_span_size() const { return extents_.extent(0) * extents_.extent(1); }
        static constexpr bool is_always_unique() { return true; }
        static constexpr bool is_always_exhaustive() { return true; }
        static constexpr bool is_always_strided() { return false; }
        static constexpr bool is_unique() { return true; }
        static constexpr bool is_exhaustive() { return true; }
        static constexpr bool is_strided() { return false; }
        constexpr index_type stride(rank_type) const { return 1; }
        friend constexpr bool operator==(const mapping&, const mapping&) { return true; }

        Extents extents_;
    };
};

struct from_cuda {
    template <class I, std::size_t N> using dextents = cuda::std::dextents<I, N>;
    template <class I, std::size_t... E> using extents = cuda::std::extents<I, E...>;
    template <class T, class E, class L = cuda::std::layout_right> using mdspan = cuda::std::mdspan<T, E, L>;
    using left = cuda::std::layout_left;
    using strided = cuda::std::layout_stride;
    template <class T, std::size_t N> using array = cuda::std::array<T, N>;
};

#ifdef __cpp_lib_mdspan
struct from_std {
    template <class I, std::size_t N> using dextents = std::dextents<I, N>;
    template <class I, std::size_t... E> using extents = std::extents<I, E...>;
    template <class T, class E, class L = std::layout_right> using mdspan = std::mdspan<T, E, L>;
    using left = std::layout_left;
    using strided = std::layout_stride;
    template <class T, std::size_t N> using array = std::array<T, N>;
};
using libraries = testing::Types<from_cuda, from_std>;
#else
using libraries = testing::Types<from_cuda>;
#endif

template <class Library> class Mdspan : public testing::Test {};
TYPED_TEST_SUITE(Mdspan, libraries);

template <class From, class T> inline constexpr bool in = std::is_convertible_v<From, operand<const T>>;
template <class From, class T> inline constexpr bool out = std::is_convertible_v<From, operand<T>>;

TYPED_TEST(Mdspan, IsAnOperandOfItsElementType) {
    using extents = typename TypeParam::template dextents<int, 2>;
    using writable = typename TypeParam::template mdspan<float, extents>;
    using readable = typename TypeParam::template mdspan<const float, extents>;
    static_assert(in<writable, float> && in<const writable&, float> && in<readable, float> && !in<writable, double>);
    static_assert(out<writable, float> && out<const writable&, float> && !out<readable, float>);
}

TYPED_TEST(Mdspan, BringsItsShapeAndStrides) {
    float data[24] = {};
    using fixed = typename TypeParam::template extents<unsigned char, 2, 3, 4>;
    const typename TypeParam::template mdspan<float, fixed> right(data);
    const detail::operand_ref whole = operand<float>(right).ref();
    EXPECT_EQ(whole.data, data);
    EXPECT_EQ(whole.layout.shape, (shape{2, 3, 4}));
    EXPECT_EQ(whole.layout.strides[0], 12);
    EXPECT_EQ(whole.layout.strides[2], 1);

    using dynamic = typename TypeParam::template dextents<long, 2>;
    const typename TypeParam::template mdspan<float, dynamic, typename TypeParam::left> left(data, 3, 8);
    EXPECT_EQ(operand<const float>(left).ref().layout.strides[0], 1);
    EXPECT_EQ(operand<const float>(left).ref().layout.strides[1], 3);

    using mapping = typename TypeParam::strided::template mapping<dynamic>;
    const typename TypeParam::template array<long, 2> steps{12, 2};
    const typename TypeParam::template mdspan<float, dynamic, typename TypeParam::strided> columns(
        data + 1, mapping(dynamic(2, 6), steps));
    const view<float> seen = host(columns);
    EXPECT_EQ(seen.data(), data + 1);
    EXPECT_EQ(seen.shape(), (shape{2, 6}));
    EXPECT_EQ(seen.strides()[0], 12);
    EXPECT_EQ(seen.strides()[1], 2);
    EXPECT_EQ(device(columns).strides()[1], 2);
    EXPECT_EQ(to_device(columns, cpu()).shape(), (shape{2, 6}));

    using none = typename TypeParam::template extents<int>;
    EXPECT_EQ(operand<float>(typename TypeParam::template mdspan<float, none>(data)).ref().layout.shape, shape{});
}

TYPED_TEST(Mdspan, WithoutStridesIsRefused) {
    float data[6] = {};
    using extents = typename TypeParam::template dextents<int, 2>;
    const typename TypeParam::template mdspan<float, extents, ploughed> rows(data, extents(2, 3));
    expect_error<shape_error>([&] { operand<float>{rows}; }, "mdspan", "(2, 3)", "without strides");
}

}  // namespace
