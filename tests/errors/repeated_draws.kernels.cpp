// tests/errors/repeated_draws.kernels.cpp: generators that give the same numbers twice, and those that do not.
// RUN: %warned
#include <foldwise/spec.hpp>

#include <cstdint>

using foldwise::index;

using foldwise::vectorize;

namespace repeated_draws {

auto point = vectorize([](index<1> i, std::uint64_t seed) {
    const float x = foldwise::random(seed, i).uniform();  // expected-note {{they are those of this one}}
    // expected-warning@+1 {{'foldwise::random(seed, i)' begins with the same numbers again: draw all of them from one generator, as in foldwise::random draw(...), or begin at another stream or block [FW125, -Wrepeated-draws]}}
    const float y = foldwise::random(seed, i).uniform();
    return x * x + y * y < 1 ? 1.0f : 0.0f;
});
auto named = vectorize([](index<2> i, std::uint64_t seed) {
    foldwise::random first(seed, i[0], 4);  // expected-note {{they are those of this one}}
    const bool isEven = i[1] % 2 == 0;
    if (isEven) {
        // expected-warning@+1 {{begins with the same numbers again}}
        foldwise::random second(seed, (i[0]), 4);
        return first.normal() + second.normal();
    }
    return first.normal();
});
auto one_expression = vectorize([](index<1> i, std::uint64_t seed) {
    // expected-warning@+2 {{'foldwise::random::at(seed, i)' begins with the same numbers again}}
    // expected-note@+1 {{they are those of this one}}
    return foldwise::random::at(seed, i).uniform() + foldwise::random::at(seed, i).uniform();
});
auto walk = vectorize([](index<1> i, std::uint64_t seed, std::int32_t n) {
    float at = 0;
    for (std::int32_t k = 0; k < n; ++k)
        // expected-warning@+1 {{'foldwise::random(seed, i)' begins with the same numbers in each turn of the loop: make it before the loop, or begin at another stream or block in each turn [FW125, -Wrepeated-draws]}}
        at += foldwise::random(seed, i).normal();
    return at;
});

auto apart = vectorize([](index<1> i, std::uint64_t seed, bool isNormal) {
    foldwise::random draw(seed, i), other(seed + 1, i), block(seed, i, 1);
    foldwise::random copy = draw;
    return draw.uniform() + draw.uniform() + other.uniform() + block.uniform() + copy.uniform();
});
auto either = vectorize([](index<1> i, std::uint64_t seed, bool isNormal) {
    if (isNormal) return foldwise::random(seed, i).normal();
    return i > 5 ? foldwise::random(seed, i).uniform() : foldwise::random(seed, i).exponential();
});
auto turns = vectorize([](index<1> i, std::uint64_t seed, std::uint64_t n) {
    float at = 0;
    for (std::uint64_t k = 0; k < n; ++k) at += foldwise::random(seed, i, k).normal();
    for (std::uint64_t k = n; k < 2 * n; ++k) {
        const std::uint64_t stream = k * k;
        foldwise::random draw(seed, stream);
        at += draw.normal() + foldwise::random::at(seed, k).normal();
    }
    seed += 1;
    at += foldwise::random(seed, 1).uniform();
    seed += 1;
    return at + foldwise::random(seed, 1).uniform();
});

}  // namespace repeated_draws
