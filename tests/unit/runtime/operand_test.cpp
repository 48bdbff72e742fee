// tests/unit/runtime/operand_test.cpp: which types convert to operands.
#include <foldwise/operand.hpp>

#include "fake_gpu.hpp"

#include <foldwise/half.hpp>

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

using namespace foldwise;

template <class From, class T> inline constexpr bool in = std::is_convertible_v<From, operand<const T>>;
template <class From, class T> inline constexpr bool out = std::is_convertible_v<From, operand<T>>;
struct vec3 {
    float x, y, z;
};

// Ranges of exactly the type.
static_assert(in<std::vector<float>&, float> && in<const std::vector<float>&, float> && in<std::vector<float>, float>);
static_assert(!in<std::vector<double>&, float> && !in<std::vector<float>&, double> && !in<std::vector<int>&, float>);
static_assert(in<foldwise::array<float>&, float> && in<const foldwise::array<float>&, float>);
static_assert(in<foldwise::array<float>, float> && !in<foldwise::array<double>&, float>);
static_assert(in<view<float>, float> && in<view<const float>, float> && !in<view<const double>, float>);
static_assert(in<std::span<float>, float> && in<std::span<const float>, float> && !in<std::span<int>, float>);
static_assert(in<std::array<float, 3>&, float> && in<float (&)[3], float> && in<const float (&)[3], float>);
static_assert(in<float (&)[3][4], float> && in<const float (&)[2][3][4], float> && !in<float (&)[3][4], double>);
static_assert(in<bool (&)[3], bool> && !in<std::vector<bool>&, bool>);
static_assert(in<std::vector<vec3>&, vec3> && in<vec3, vec3> && !in<float, vec3>);
static_assert(!in<shape, std::int64_t> && !in<shape, float>);

// Scalars: what a number converts to, and no pointers.
static_assert(in<float, float> && in<double, float> && in<int, float> && in<bool, float> && in<half, float>);
static_assert(in<float, half> && in<double, std::complex<double>> && in<std::uint8_t, std::int64_t>);
static_assert(!in<float*, bool> && !in<const char*, bool> && !in<std::nullptr_t, bool> && !in<std::string, float>);
static_assert(!in<executor, float> && !in<executor, bool>);

// Outputs: writable, and not gone at the end of the call.
static_assert(out<std::vector<float>&, float> && out<foldwise::array<float>&, float> && out<float (&)[3], float>);
static_assert(!out<std::vector<float>, float> && !out<foldwise::array<float>, float>);
static_assert(!out<const std::vector<float>&, float> && !out<const foldwise::array<float>&, float>);
static_assert(out<std::span<float>, float> && out<view<float>, float> && out<const view<float>&, float>);
static_assert(out<float (&)[3][4], float> && !out<const float (&)[3][4], float> && !out<float[3][4], float>);
static_assert(!out<std::span<const float>, float> && !out<view<const float>, float>);
static_assert(!out<std::vector<double>&, float> && !out<float&, float> && !out<float, float>);
static_assert(!out<executor, float> && !out<shape, std::int64_t>);

// Ranges behind pointers of a class of their own, as thrust::device_vector is.
template <class T> struct device_pointer {
    T* address;
    T* get() const { return address; }
};
template <class T> struct device_vector {
    T* address;
    std::size_t count;
    device_pointer<T> data() { return {address}; }
    device_pointer<const T> data() const { return {address}; }
    std::size_t size() const { return count; }
};
static_assert(in<device_vector<float>&, float> && in<const device_vector<float>&, float>);
static_assert(!in<device_vector<double>&, float> && !in<std::unique_ptr<float>&, float>);
static_assert(out<device_vector<float>&, float> && !out<const device_vector<float>&, float>);
static_assert(!out<device_vector<float>, float>);

// As generated: two signatures, each with and without an output.
enum class called { float_result, float_out, double_result, double_out };
static called f(operand<const float>, operand<const float>, executor = {}) { return called::float_result; }
static called f(operand<const float>, operand<const float>, operand<float>, executor = {}) { return called::float_out; }
static called f(operand<const double>, operand<const double>, executor = {}) { return called::double_result; }
static called f(operand<const double>, operand<const double>, operand<double>, executor = {}) {
    return called::double_out;
}

enum class made { by_shape, into_output };
static made ramp(const shape&, operand<const float>, executor = {}) { return made::by_shape; }
static made ramp(operand<const float>, operand<float>, executor = {}) { return made::into_output; }

TEST(Operand, ResolvesOverloads) {
    std::vector<float> x(3), z(3);
    std::vector<double> d(3);
    const auto device = to_device(d, cpu());
    EXPECT_EQ(f(x, 1.0), called::float_result);
    EXPECT_EQ(f(x, 2, z), called::float_out);
    EXPECT_EQ(f(x, x, std::span(z).first(3), cpu()), called::float_out);
    EXPECT_EQ(f(x, x, cpu()), called::float_result);
    EXPECT_EQ(f(x, x, {}), called::float_result);
    EXPECT_EQ(f(1.0f, device), called::double_result);
    EXPECT_EQ(f(1.0f, 2.0f, d), called::double_out);
    EXPECT_EQ(ramp(shape{7}, 0.5f), made::by_shape);
    EXPECT_EQ(ramp({7, 2}, 0.5f), made::by_shape);
    EXPECT_EQ(ramp(2, z), made::into_output);
}

static_assert(!std::is_invocable_v<decltype([](auto& a, auto& b) -> decltype(f(a, b)) {}), std::vector<float>&,
                                   std::vector<double>&>,
              "mixed types match no signature");

TEST(Operand, RefersToTheElements) {
    std::vector<float> v(6);
    const detail::operand_ref whole = operand<float>(v).ref();
    EXPECT_EQ(whole.data, v.data());
    EXPECT_EQ(whole.layout.shape, shape{6});
    EXPECT_EQ(whole.layout.strides[0], 1);
    EXPECT_FALSE(whole.is_scalar);
    const view<float> columns = view<float>(v.data(), {2, 3}, {memory::cuda, 1}).slice(1, 2, 0, -1);
    const detail::operand_ref part = operand<const float>(columns).ref();
    EXPECT_EQ(part.data, v.data() + 2);
    EXPECT_EQ(part.layout.shape, (shape{2, 2}));
    EXPECT_EQ(part.layout.strides[0], 3);
    EXPECT_EQ(part.layout.strides[1], -1);
    EXPECT_EQ(part.place, (place{memory::cuda, 1}));
    const auto table = to_device(v, cpu()).reshape({3, 2});
    EXPECT_EQ(operand<const float>(table).ref().layout.shape, (shape{3, 2}));
}

TEST(Operand, OfACArrayHasItsAxes) {
    float block[2][3][4] = {};
    const detail::operand_ref whole = operand<float>(block).ref();
    EXPECT_EQ(whole.data, &block[0][0][0]);
    EXPECT_EQ(whole.layout.shape, (shape{2, 3, 4}));
    EXPECT_EQ(whole.layout.strides[0], 12);
    EXPECT_EQ(operand<float>(block[1]).ref().data, &block[1][0][0]);
    EXPECT_EQ(operand<const float>(block[1][2]).ref().layout.shape, shape{4});
    EXPECT_EQ(to_device(block, cpu()).shape(), (shape{2, 3, 4}));
}

TEST(Operand, KeepsAScalarAlsoWhenItIsCopied) {
    const operand<const float> original(2);
    const operand<const float> copy = original;
    const detail::operand_ref ref = copy.ref();
    EXPECT_TRUE(ref.is_scalar);
    EXPECT_EQ(ref.layout.shape.rank(), 0);
    EXPECT_NE(ref.data, original.ref().data);
    EXPECT_EQ(*static_cast<const float*>(ref.data), 2.0f);
    const operand<const vec3> structure(vec3{1, 2, 3});
    EXPECT_EQ(static_cast<const vec3*>(structure.ref().data)->z, 3.0f);
    const operand<const half> converted(0.5f);
    EXPECT_EQ(static_cast<float>(*static_cast<const half*>(converted.ref().data)), 0.5f);
}

TEST(Operand, OfADeviceVectorIsWhereItsAddressSays) {
    fake_gpu gpu;
    gpu.devices = 2;
    foldwise::array<float> memory({2, 3}, cuda(1));
    device_vector<float> there{memory.data(), 6};
    const operand<float> out(there);
    EXPECT_EQ(out.ref().data, memory.data());
    EXPECT_EQ(out.ref().place, (place{memory::cuda, 1}));
    EXPECT_EQ(out.ref().layout.shape, shape{6});
    std::vector<float> here(4);
    device_vector<float> on_host{here.data(), here.size()};  // as with Thrust's backends for the CPU
    EXPECT_EQ(operand<const float>(on_host).ref().place, place{});
}
