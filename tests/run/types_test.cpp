// tests/run/types_test.cpp: elements that are not plain numbers, and kernels with several outputs.
#include "trial.hpp"
#include "types.kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace run_tests {

template <> struct sample<run::level> {
    static run::level make(generator& rng) { return static_cast<run::level>(rng() % 3); }
};
template <> struct sample<run::flags> {
    static run::flags make(generator& rng) { return static_cast<run::flags>(rng() % 3); }
};
template <> struct sample<foldwise::half> {
    static foldwise::half make(generator& rng) { return foldwise::half(any_value<float>(rng)); }
};
template <> struct sample<foldwise::bfloat16> {
    static foldwise::bfloat16 make(generator& rng) { return foldwise::bfloat16(any_value<float>(rng)); }
};
template <class T> struct sample<std::complex<T>> {
    static std::complex<T> make(generator& rng) { return {any_value<T>(rng), any_value<T>(rng)}; }
};
template <class T, std::size_t N> struct sample<std::array<T, N>> {
    static std::array<T, N> make(generator& rng) {
        std::array<T, N> a{};
        for (T& value : a) value = any_value<T>(rng);
        return a;
    }
};
template <> struct sample<run::rgb> {
    static run::rgb make(generator& rng) {
        return {static_cast<std::uint8_t>(rng()), static_cast<std::uint8_t>(rng()), static_cast<std::uint8_t>(rng())};
    }
};
template <> struct sample<run::vec3> {
    static run::vec3 make(generator& rng) {
        return {any_value<float>(rng), any_value<float>(rng), any_value<float>(rng)};
    }
};
template <> struct sample<run::five> {
    static run::five make(generator& rng) {
        run::five f{};
        for (std::int32_t& value : f.values) value = any_value<std::int32_t>(rng);
        return f;
    }
};
template <> struct sample<run::padded> {
    static run::padded make(generator& rng) {
        return {any_value<std::int8_t>(rng), any_value<double>(rng), any_value<std::int16_t>(rng)};
    }
};
template <> struct sample<run::nested> {
    static run::nested make(generator& rng) {
        return {any_value<run::vec3>(rng), any_value<run::rgb>(rng), any_value<std::array<std::int16_t, 3>>(rng)};
    }
};
template <> struct sample<run::aligned> {
    static run::aligned make(generator& rng) { return {any_value<float>(rng)}; }
};
template <> struct sample<run::record> {
    static run::record make(generator& rng) { return {any_value<std::int8_t>(rng), any_value<float>(rng)}; }
};
template <> struct sample<run::journal> {
    static run::journal make(generator& rng) {
        return {static_cast<std::uint8_t>(rng()),
                {any_value<run::record>(rng), any_value<run::record>(rng)},
                any_value<std::int16_t>(rng)};
    }
};
template <> struct sample<run::narrow> {
    static run::narrow make(generator& rng) { return {static_cast<std::uint8_t>(rng()), any_value<std::int64_t>(rng)}; }
};
template <> struct sample<run::roomy> {
    static run::roomy make(generator& rng) {
        return {any_value<float>(rng), any_value<float>(rng), any_value<float>(rng)};
    }
};
template <> struct sample<run::bits> {
    static run::bits make(generator& rng) {
        run::bits b{};
        b.low = rng() & 31u;
        b.high = rng() & 4095u;
        b.rest = rng() % 2 == 0 ? 1 : -3;
        return b;
    }
};
template <> struct sample<run::small> {
    static run::small make(generator& rng) { return static_cast<run::small>(rng() % 3); }
};
template <> struct sample<run::wide> {
    static run::wide make(generator& rng) {
        run::wide w{};
        for (double& value : w.values) value = any_value<double>(rng);
        return w;
    }
};

}  // namespace run_tests

namespace {

using namespace run_tests;

#define KERNEL(name) [](auto&&... operands) { run::name(operands...); }

template <class T> T raised(T x) { return static_cast<T>((static_cast<int>(x) + 1) % 3); }

TEST(Types, Enumerations) {
    many(60, [](unsigned seed) {
        trial<run::level, run::level>(seed, KERNEL(raise), raised<run::level>);
        trial<run::flags, run::flags>(seed, KERNEL(raise), raised<run::flags>);
    });
}

TEST(Types, SixteenBitFloats) {
    const auto twice = [](float x) { return 2 * x; };
    many(60, [&](unsigned seed) {
        trial<foldwise::half, foldwise::half>(seed, KERNEL(twice), twice);
        trial<foldwise::bfloat16, foldwise::bfloat16>(seed, KERNEL(twice), twice);
    });
}

TEST(Types, HalvesThatAreConverted) {
    const auto blend = [](float x, float y, float t) { return x + t * (y - x); };
    many(60, [&](unsigned seed) {
        trial<foldwise::half, foldwise::half, foldwise::half, float>(seed, KERNEL(blend), blend);
        trial<float, foldwise::half>(seed, KERNEL(widened), [](float x) { return x; });
    });
    std::vector<foldwise::half> all;
    for (std::uint32_t i = 0; i <= 0xffff; ++i) all.push_back(foldwise::half::from_bits(static_cast<std::uint16_t>(i)));
    std::vector<float> wide(all.size());
    std::vector<foldwise::half> ramps(all.size());
    run::widened(all, wide);
    run::ramp(all, ramps);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (std::isnan(static_cast<float>(all[i]))) continue;
        ASSERT_EQ(std::bit_cast<std::uint32_t>(wide[i]), std::bit_cast<std::uint32_t>(static_cast<float>(all[i]))) << i;
        ASSERT_EQ(ramps[i].bits(), foldwise::half(all[i] + static_cast<float>(i % 1000)).bits()) << i;
    }
}

TEST(Types, FoldsOfHalvesAlongRowsAndColumns) {
    for (const std::int64_t rows : {1, 3, 17, 40, 700})
        for (const std::int64_t columns : {1, 5, 33, 300, 1100}) {
            std::vector<foldwise::half> x;  // sums are exact
            std::vector<float> weights;
            for (std::int64_t i = 0; i < rows * columns; ++i) {
                x.emplace_back(static_cast<float>(i % 7 - 3));
                weights.push_back(static_cast<float>(i % 5 - 2));
            }
            std::vector<float> sums[2], weighted[2], last[2];
            for (const int axis : {0, 1}) {
                const auto results = static_cast<std::size_t>(axis == 0 ? columns : rows);
                sums[axis].assign(results, 0), weighted[axis].assign(results, 0), last[axis].assign(results, 0);
            }
            for (std::int64_t i = 0; i < rows * columns; ++i)
                for (const int axis : {0, 1}) {
                    const auto at = static_cast<std::size_t>(axis == 0 ? i % columns : i / columns);
                    const float value = x[static_cast<std::size_t>(i)];
                    sums[axis][at] += value;
                    weighted[axis][at] += value * weights[static_cast<std::size_t>(i)];
                    last[axis][at] = value;
                }
            const auto matrix = foldwise::to_device(x).reshape({rows, columns});
            const auto by = foldwise::to_device(weights).reshape({rows, columns});
            for (const int axis : {0, 1}) {
                ASSERT_EQ(run::sum_of_halves(matrix, foldwise::axis(axis)).to_host(), sums[axis]) << rows << columns;
                ASSERT_EQ(run::weigh_halves(matrix, by, foldwise::axis(axis)).to_host(), weighted[axis]) << rows;
                ASSERT_EQ(run::last_half(matrix, foldwise::axis(axis)).to_host(), last[axis]) << rows << columns;
            }
            ASSERT_EQ(run::last_half(x), static_cast<float>(x.back()));
        }
}

TEST(Types, Complex) {
    const auto conjugate = [](auto z) { return std::conj(z); };
    many(60, [&](unsigned seed) {
        trial<std::complex<float>, std::complex<float>>(seed, KERNEL(conjugate), conjugate);
        trial<std::complex<double>, std::complex<double>>(seed, KERNEL(conjugate), conjugate);
    });
}

TEST(Types, StructOf3Bytes) {
    many(100, [](unsigned seed) {
        trial<run::rgb, run::rgb>(seed, KERNEL(invert), [](run::rgb c) {
            return run::rgb{static_cast<std::uint8_t>(~c.r), static_cast<std::uint8_t>(~c.g),
                            static_cast<std::uint8_t>(~c.b)};
        });
    });
}

TEST(Types, StructOf12Bytes) {
    many(100, [](unsigned seed) {
        trial<run::vec3, run::vec3, run::vec3, float>(seed, KERNEL(move), [](run::vec3 p, run::vec3 v, float dt) {
            return p + v * dt;  // exact: small multiples of 1/16
        });
        trial<float, run::vec3>(seed, KERNEL(length2), [](run::vec3 v) { return v.x * v.x + v.y * v.y + v.z * v.z; });
    });
}

TEST(Types, StructOf20Bytes) {
    many(100, [](unsigned seed) {
        trial<run::five, run::five>(seed, KERNEL(rotate), [](run::five f) {
            std::rotate(std::begin(f.values), std::begin(f.values) + 1, std::end(f.values));
            return f;
        });
    });
}

TEST(Types, StructOf24BytesWithPadding) {
    static_assert(sizeof(run::padded) == 24);
    many(100, [](unsigned seed) {
        trial<run::padded, run::padded>(seed, KERNEL(shrink), [](run::padded p) {
            return run::padded{p.small, p.wide / 2, static_cast<std::int16_t>(p.middle + p.small)};
        });
    });
}

TEST(Types, NestedStructs) {
    many(100, [](unsigned seed) {
        trial<run::nested, run::nested, run::rgb>(seed, KERNEL(paint), [](run::nested n, run::rgb colour) {
            return run::nested{
                n.position, colour, {n.tags[0], n.tags[1], static_cast<std::int16_t>(n.tags[0] + n.tags[1])}};
        });
    });
}

TEST(Types, OverAlignedAndWide) {
    many(60, [](unsigned seed) {
        trial<run::aligned, run::aligned>(seed, KERNEL(double_it),
                                          [](run::aligned a) { return run::aligned{2 * a.value}; });
        trial<run::wide, run::wide>(seed, KERNEL(reverse), [](run::wide w) {
            std::reverse(std::begin(w.values), std::end(w.values));
            return w;
        });
    });
}

TEST(Types, PackedStructs) {
    many(60, [](unsigned seed) {
        trial<run::record, run::record, float>(seed, KERNEL(tag), [](run::record r, float by) {
            return run::record{static_cast<std::int8_t>(r.tag + 1), r.value * by};
        });
        trial<run::narrow, run::narrow>(seed, KERNEL(negate), [](run::narrow n) {
            return run::narrow{n.tag, -n.value};
        });
        trial<run::journal, run::journal, run::record>(seed, KERNEL(book), [](run::journal j, run::record r) {
            j.entries[j.count % 2] = r;
            j.sum = static_cast<std::int16_t>(j.sum + r.tag);
            ++j.count;
            return j;
        });
    });
}

TEST(Types, AlignmentBeyondTheMembersAndPackedBitFieldsAndEnumerations) {
    many(60, [](unsigned seed) {
        trial<float, run::roomy>(seed, KERNEL(sum_of), [](run::roomy r) { return r.x + r.y + r.z; });
        trial<run::bits, run::bits>(seed, KERNEL(swap), [](run::bits b) {
            run::bits out{};
            out.low = b.high & 31u;
            out.high = b.low;
            out.rest = b.rest;
            return out;
        });
        trial<run::small, run::small>(
            seed, KERNEL(rise), [](run::small s) { return s == run::nothing ? run::something : run::everything; });
    });
}

/// Elements at places that only they are aligned for, as slices of packed arrays are.
TEST(Types, PackedStructsInReductionsAndTasks) {
    generator rng(7);
    for (const std::size_t n : {std::size_t{1}, std::size_t{33}, std::size_t{5000}}) {
        buffer<run::record> from(rng, n);
        run::record want{0, -1000};
        for (std::size_t i = 0; i < n; ++i)
            want = {static_cast<std::int8_t>(want.tag ^ from.value(i).tag),
                    std::max(float{want.value}, float{from.value(i).value})};
        EXPECT_EQ(run::merged(from.elements()), want);

        std::vector<run::narrow> to(n);
        run::shift(static_cast<std::int64_t>(n), from.elements(), to, run::record{3, 0.5f});
        for (std::size_t i = 0; i < n; ++i) {
            ASSERT_EQ(std::int64_t{to[i].value}, from.value(i).tag + 3) << "at " << i;
            ASSERT_EQ(int{to[i].tag}, from.value(i).value < 0.5f) << "at " << i;
        }
    }
}

TEST(Types, ClassWithoutDefaultConstructor) {
    const std::vector<run::counter> start(1000, run::counter(5));
    std::vector<run::counter> out(1000, run::counter(0));
    run::advance(start, std::int16_t{3}, out);
    EXPECT_EQ(out, std::vector<run::counter>(1000, run::counter(8)));
}

TEST(Types, StdArray) {
    many(60, [](unsigned seed) {
        trial<float, std::array<float, 3>>(seed, KERNEL(sums),
                                           [](std::array<float, 3> a) { return a[0] + a[1] + a[2]; });
    });
}

TEST(Outputs, ThreeOfDifferentTypes) {
    many(100, [](unsigned seed) {
        trial<std::tuple<std::int64_t, double, bool>, double>(seed, KERNEL(parts), [](double x) {
            const double whole = std::trunc(x);
            return std::tuple{whole, x - whole, x < 0};
        });
    });
}

TEST(Outputs, Pair) {
    many(100, [](unsigned seed) {
        trial<std::tuple<run::vec3, float>, run::vec3, float>(seed, KERNEL(split), [](run::vec3 v, float s) {
            return std::tuple{v * s, v.x};
        });
    });
}

TEST(Outputs, Converted) {
    many(60, [](unsigned seed) {
        trial<std::tuple<float, std::int16_t>, std::int32_t>(seed, KERNEL(convert), [](std::int32_t x) {
            return std::tuple{x, x + 1};
        });
    });
}

TEST(Outputs, AreReturnedAsATuple) {
    const auto [whole, rest, negative] = run::parts(foldwise::to_device(std::vector<double>{2.5, -1.25}));
    EXPECT_EQ(whole.to_host(), (std::vector<std::int64_t>{2, -1}));
    EXPECT_EQ(rest.to_host(), (std::vector<double>{0.5, -0.25}));
    EXPECT_EQ(negative.to_host(), (std::vector<bool>{false, true}));
}

TEST(Outputs, MayNotOverlap) {
    std::vector<run::vec3> v(4);
    std::vector<float> s(4, 2), out(6, -1);
    std::span<float> all(out);
    std::vector<run::vec3> scaled(4);
    EXPECT_NO_THROW(run::split(v, s, scaled, all.first(4)));
    std::vector<double> x{1, 2, 3};
    std::vector<std::int64_t> whole(3);
    bool negative[3] = {};
    EXPECT_THROW(run::parts(std::span<double>(x).first(2), std::span(whole).first(2), std::span<double>(x).last(2),
                            std::span(negative).first(2)),
                 foldwise::overlap_error);
    EXPECT_EQ(x, (std::vector<double>{1, 2, 3}));
}

}  // namespace
