// tests/golden/slicing/slicing.kernels.cpp: what a lambda needs of the file comes along, and nothing else.
// RUN: %golden
#include <foldwise/spec.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace {
float unused(float x) { return std::exp(x); }
}  // namespace

namespace finance {

using std::sqrt;

struct Market {
    float rate;
    float volatility;
    float drift() const { return rate - volatility * volatility / 2; }
};

bool is_odd(unsigned n);

// A helper's comment stays with its body.
inline float growth(float rate, float years) {
    return std::exp(-rate * years);  // continuously compounded
}

inline float discounted(float value, float rate, float years) { return value * growth(rate, years); }

inline bool is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
inline bool is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

auto present_value = foldwise::vectorize([](float value, float years) {
    const Market market{0.05f, 0.2f};
    return discounted(value, market.drift(), years) + sqrt(years) * std::numbers::pi_v<float>;
});

auto parity = foldwise::vectorize([](unsigned n) { return is_even(n) ? 1 : 0; });

auto loops = foldwise::vectorize([](int n) {
    struct Counter {
        int steps = 0;
        void step() { ++steps; }
    };
    Counter counter;
    while (n > 1 && counter.steps < 1000) {
        switch (n % 2) {
        case 0: n /= 2; break;
        default: n = 3 * n + 1;
        }
        counter.step();
    }
    return counter.steps;
});

auto compounded = foldwise::vectorize<float(float, unsigned)>(
    [](auto rate, unsigned years) {
        auto value = 1 + rate;
        for (unsigned year = 1; year < years; ++year)
            value *= 1 + rate;
        return value;
    });

}  // namespace finance
