// tests/unit/runtime/scan_options_test.cpp: the merged options of a call of a scan.
#include <foldwise/scan_options.hpp>

#include "expect_error.hpp"

#include <foldwise/error.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

using namespace foldwise;
using detail::scan_options;
using detail::together;

namespace {

using option = scan_option<double>;

}  // namespace

TEST(ScanOptions, NoneLeaveTheDefaults) {
    const option none;
    const scan_options options = together({none.ref(), none.ref()});
    EXPECT_EQ(options.initial, nullptr);
    EXPECT_EQ(options.axes, nullptr);
    EXPECT_EQ(options.where, nullptr);
    EXPECT_EQ(options.where_to_run(), executor());
    EXPECT_FALSE(options.is_exclusive || options.is_reverse);
}

TEST(ScanOptions, InitialValuesAreKept) {
    expect_error<value_error>([] { return scan_option<int>(initial(-0.5)); }, "foldwise::initial is -0.5", "integers");
    const scan_option<int> begin = initial(3.0);
    EXPECT_EQ(*static_cast<const int*>(together({begin.ref()}).initial), 3);
}

TEST(ScanOptions, ComeInAnyOrder) {
    const std::vector<std::int64_t> offsets{0, 3};
    const option begin = initial(3), along = axis(-1), from = segments(offsets), before = exclusive, back = reverse,
                 here = cpu();
    for (const scan_options& options :
         {together({begin.ref(), along.ref(), from.ref(), before.ref(), back.ref(), here.ref()}),
          together({here.ref(), back.ref(), before.ref(), from.ref(), along.ref(), begin.ref()})}) {
        ASSERT_TRUE(options.initial && options.axes && options.where);
        EXPECT_EQ(*static_cast<const double*>(options.initial), 3.0) << "it is converted to the accumulator's type";
        EXPECT_EQ((*options.axes)[0], -1);
        EXPECT_EQ(options.where->elements.data, offsets.data());
        EXPECT_TRUE(options.where->are_offsets && options.where->is_signed);
        EXPECT_EQ(options.where_to_run(), cpu());
        EXPECT_TRUE(options.is_exclusive && options.is_reverse);
    }
}

TEST(ScanOptions, KeysAreComparedBytes) {
    enum class kind : std::uint16_t { one };
    const std::vector<kind> keys{kind::one};
    const option by = by_key(keys);
    const scan_options options = together({by.ref()});
    ASSERT_NE(options.where, nullptr);
    EXPECT_FALSE(options.where->are_offsets);
    EXPECT_EQ(options.where->size, 2);
}

TEST(ScanOptions, TwoOfAKindAreRefused) {
    const std::vector<int> places{0};
    const option begin = initial(0.0), along = axis(0), from = segments(places), by = by_key(places),
                 before = exclusive, back = reverse, here = cpu(), anywhere = executor();
    const auto refuse = [](std::initializer_list<detail::scan_option_ref> options, const char* what) {
        expect_error<std::invalid_argument>([&] { together(options); },
                                            std::string("a call was given a second ") + what);
    };
    refuse({begin.ref(), along.ref(), begin.ref()}, "initial value");
    refuse({along.ref(), along.ref()}, "axis");
    refuse({from.ref(), by.ref()}, "by_key or segments");
    refuse({before.ref(), before.ref()}, "exclusive");
    refuse({back.ref(), before.ref(), back.ref()}, "reverse");
    refuse({anywhere.ref(), here.ref()}, "executor");
}
