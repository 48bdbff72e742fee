// tests/unit/runtime/scan_options_test.cpp: what the options of a call of a scan come to.
#include <foldwise/scan_options.hpp>

#include "expect_error.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

using namespace foldwise;
using detail::scan_options;
using detail::together;

namespace {

using option = scan_option<double>;

scan_options of(std::initializer_list<const option*> all) { return together(all); }

}  // namespace

TEST(ScanOptions, NoneLeaveTheDefaults) {
    const option none;
    const scan_options options = of({&none, &none});
    EXPECT_EQ(options.initial, nullptr);
    EXPECT_EQ(options.axes, nullptr);
    EXPECT_EQ(options.where, nullptr);
    EXPECT_EQ(options.executor, executor());
    EXPECT_FALSE(options.is_exclusive || options.is_reverse);
}

TEST(ScanOptions, ComeInAnyOrder) {
    const std::vector<std::int64_t> offsets{0, 3};
    const option begin = initial(3), along = axis(-1), from = segments(offsets), before = exclusive, back = reverse,
                 here = cpu();
    for (const scan_options& options :
         {of({&begin, &along, &from, &before, &back, &here}), of({&here, &back, &before, &from, &along, &begin})}) {
        ASSERT_TRUE(options.initial && options.axes && options.where);
        EXPECT_EQ(*static_cast<const double*>(options.initial), 3.0) << "it is converted to the accumulator's type";
        EXPECT_EQ((*options.axes)[0], -1);
        EXPECT_EQ(options.where->elements.data, offsets.data());
        EXPECT_TRUE(options.where->are_offsets && options.where->is_signed);
        EXPECT_EQ(options.executor, cpu());
        EXPECT_TRUE(options.is_exclusive && options.is_reverse);
    }
}

TEST(ScanOptions, KeysAreComparedBytes) {
    enum class kind : std::uint16_t { one };
    const std::vector<kind> keys{kind::one};
    const option by = by_key(keys);
    const scan_options options = of({&by});
    ASSERT_NE(options.where, nullptr);
    EXPECT_FALSE(options.where->are_offsets);
    EXPECT_EQ(options.where->size, 2);
}

TEST(ScanOptions, TwoOfAKindAreRefused) {
    const std::vector<int> places{0};
    const option begin = initial(0.0), along = axis(0), from = segments(places), by = by_key(places),
                 before = exclusive, back = reverse, here = cpu(), anywhere = executor();
    const auto refuse = [](std::initializer_list<const option*> options, const char* what) {
        expect_error<std::invalid_argument>([&] { of(options); }, std::string("a call was given a second ") + what);
    };
    refuse({&begin, &along, &begin}, "initial value");
    refuse({&along, &along}, "axis");
    refuse({&from, &by}, "by_key or segments");
    refuse({&before, &before}, "exclusive");
    refuse({&back, &before, &back}, "reverse");
    refuse({&anywhere, &here}, "executor");
}
