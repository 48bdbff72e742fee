// tests/unit/runtime/scan/restarts_test.cpp: where rows begin anew, and which keys and offsets are refused.
#include "scan/restarts.hpp"

#include "expect_error.hpp"

#include <foldwise/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace foldwise::detail;

namespace {

template <class T> scan_call call_of(const std::vector<T>& elements, bool are_offsets, std::int64_t length) {
    scan_call call{};
    call.length = length;
    call.restarts = elements.data();
    call.restart_count = std::ssize(elements);
    call.restart_size = sizeof(T);
    call.are_offsets = are_offsets;
    return call;
}

/// The places from `first` to `end` at which a row begins anew, looked for in runs of `each` elements.
std::vector<std::int64_t> found(const scan_call& call, std::int64_t first, std::int64_t end, std::int64_t each) {
    std::vector<std::int64_t> places;
    for (; first < end; first += each) {
        std::vector<unsigned char> begins(static_cast<std::size_t>(std::min(each, end - first)), 7);
        find_restarts(call, first, std::ssize(begins), begins.data());
        for (std::size_t i = 0; i < begins.size(); ++i) {
            EXPECT_LE(begins[i], 1);
            if (begins[i] == 1) places.push_back(first + static_cast<std::int64_t>(i));
        }
    }
    return places;
}

using places = std::vector<std::int64_t>;

template <class T> class RestartsOfKeys : public testing::Test {};
using key_types = testing::Types<std::uint8_t, std::int16_t, std::int32_t, std::uint64_t>;
TYPED_TEST_SUITE(RestartsOfKeys, key_types);

TYPED_TEST(RestartsOfKeys, AreWhereNeighboursDiffer) {
    const std::vector<TypeParam> keys{5, 5, 6, 6, 6, 5, 7, 7};
    scan_call call = call_of(keys, false, 8);
    for (const std::int64_t each : {1, 3, 8}) EXPECT_EQ(found(call, 0, 8, each), (places{0, 2, 5, 6})) << each;
    EXPECT_EQ(found(call, 3, 6, 3), (places{5}));
    call.is_reverse = true;
    for (const std::int64_t each : {1, 3, 8}) EXPECT_EQ(found(call, 0, 8, each), (places{0, 2, 3, 6})) << each;
}

TEST(RestartsOfOffsets, AreTheOffsets) {
    const std::vector<std::int32_t> offsets{2, 2, 3, 7, 8};
    scan_call call = call_of(offsets, true, 8);
    for (const std::int64_t each : {1, 3, 8}) EXPECT_EQ(found(call, 0, 8, each), (places{0, 2, 3, 7})) << each;
    call.is_reverse = true;  // segments begin where they otherwise end
    for (const std::int64_t each : {1, 3, 8}) EXPECT_EQ(found(call, 0, 8, each), (places{0, 1, 5, 6})) << each;
}

TEST(RestartsOfOffsets, MayBeMoreThanFourThousandMillion) {
    const std::vector<std::int64_t> wide{1, 5'000'000'000, 5'000'000'002};
    EXPECT_EQ(found(call_of(wide, true, 6'000'000'000), 4'999'999'998, 5'000'000'004, 2),
              (places{5'000'000'000, 5'000'000'002}));
    const std::vector<std::uint32_t> unsigned_ones{3'000'000'000u};
    EXPECT_EQ(found(call_of(unsigned_ones, true, 4'000'000'000), 2'999'999'999, 3'000'000'003, 4),
              (places{3'000'000'000}));
}

const scan_kernel kernel = [] {
    scan_kernel named{};
    named.name = "test::sums";
    return named;
}();

template <class T>
void check(const std::vector<T>& elements, bool are_offsets, std::int64_t length, const foldwise::shape& extents) {
    restarts given;
    given.elements.data = const_cast<T*>(elements.data());
    given.elements.layout = row_major(extents);
    given.size = sizeof(T);
    given.is_signed = std::is_signed_v<T>;
    given.are_offsets = are_offsets;
    check_restarts(kernel.name, given, given.elements, length);
}
template <class T> void check(const std::vector<T>& elements, bool are_offsets, std::int64_t length) {
    check(elements, are_offsets, length, foldwise::shape{std::ssize(elements)});
}

template <class T, class... Extents>
void expect_refused(const char* message, const std::vector<T>& elements, bool are_offsets, std::int64_t length,
                    const Extents&... extents) {
    expect_error<foldwise::shape_error>([&] { check(elements, are_offsets, length, extents...); }, message);
}

TEST(CheckRestarts, RefusesWhatDoesNotSuitTheRows) {
    check(std::vector<int>{4, 4, 9}, false, 3);
    expect_refused("test::sums: there are 2 keys for rows of 3 elements", std::vector<int>{4, 4}, false, 3);
    expect_refused("test::sums: keys (2, 2) are not one axis without gaps", std::vector<int>{1, 2, 3, 4}, false, 4,
                   foldwise::shape{2, 2});
    check(std::vector<int>{}, true, 3);
    check(std::vector<std::uint32_t>{0, 0, 3, 3}, true, 3);
    expect_refused("test::sums: offset 2 is 1, less than the one before it, 2", std::vector<int>{0, 2, 1}, true, 3);
    expect_refused("test::sums: offset 0 is -2, which is negative", std::vector<std::int64_t>{-2, 2}, true, 3);
    expect_refused("test::sums: offset 0 is 4000000000, which lies outside of a row of 3 elements",
                   std::vector<std::uint32_t>{4'000'000'000u}, true, 3);
}

}  // namespace
