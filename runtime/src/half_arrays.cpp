// runtime/src/half_arrays.cpp: converts halves with the instructions of F16C and AVX-512, which compilers such as GCC
// 12 make no vector code with.
#include <foldwise/detail/half_arrays.hpp>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define FOLDWISE_HAS_F16C
#endif

namespace foldwise::detail {

void widen_by_arithmetic(const half* from, std::int64_t count, float* to) {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) to[i] = from[i];
}

void round_by_arithmetic(const float* from, std::int64_t count, half* to) {
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) to[i] = half(from[i]);
}

#ifdef FOLDWISE_HAS_F16C

namespace {

constexpr __mmask16 all = 0xffff;  // with it, GCC 12 does not warn of a vector without a value in its own header

// The machine's instructions make signalling NaNs quiet, and half keeps them. So what has a NaN is converted again: its
// bits without the sign, here twice their value, are above those of infinity.
constexpr short twice_infinity = static_cast<short>(2 * 0x7c00);

__attribute__((target("avx512f,avx512bw,avx512vl"))) void widen_by_sixteens(const half* from, std::int64_t count,
                                                                            float* to) {
    constexpr int together = 4;  // vectors that are looked at for NaNs at once
    const __m256i largest = _mm256_set1_epi16(twice_infinity);
    std::int64_t i = 0;
    for (; i + 16 * together <= count; i += 16 * together) {
        __m256i above = _mm256_setzero_si256();
        for (int k = 0; k < together; ++k) {
            const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i + 16 * k));
            _mm512_storeu_ps(to + i + 16 * k, _mm512_maskz_cvtph_ps(all, halves));
            above = _mm256_max_epu16(above, _mm256_add_epi16(halves, halves));
        }
        if (_mm256_cmpgt_epu16_mask(above, largest)) [[unlikely]]
            widen_by_arithmetic(from + i, 16 * together, to + i);
    }
    for (; i < count; i += 16) {
        const std::int64_t rest = count - i;
        const __mmask16 these = rest < 16 ? static_cast<__mmask16>((1u << rest) - 1) : all;
        const __m256i halves = _mm256_maskz_loadu_epi16(these, from + i);
        _mm512_mask_storeu_ps(to + i, these, _mm512_maskz_cvtph_ps(all, halves));
        if (_mm256_cmpgt_epu16_mask(_mm256_add_epi16(halves, halves), largest)) [[unlikely]]
            widen_by_arithmetic(from + i, rest < 16 ? rest : 16, to + i);
    }
}

__attribute__((target("avx512f,avx512bw,avx512vl"))) void round_by_sixteens(const float* from, std::int64_t count,
                                                                            half* to) {
    constexpr int nearest = _MM_FROUND_TO_NEAREST_INT;
    std::int64_t i = 0;
    for (; i + 16 <= count; i += 16)
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i),
                            _mm512_maskz_cvtps_ph(all, _mm512_loadu_ps(from + i), nearest));
    if (i == count) return;
    const auto rest = static_cast<__mmask16>((1u << (count - i)) - 1);
    _mm256_mask_storeu_epi16(to + i, rest, _mm512_maskz_cvtps_ph(all, _mm512_maskz_loadu_ps(rest, from + i), nearest));
}

__attribute__((target("avx2,f16c"))) void widen_eight(const half* from, float* to) {
    const __m256 wide = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    _mm256_storeu_ps(to, wide);
    if (_mm256_movemask_ps(_mm256_cmp_ps(wide, wide, _CMP_UNORD_Q))) [[unlikely]]
        widen_by_arithmetic(from, 8, to);
}

__attribute__((target("avx2,f16c"))) void widen_by_eights(const half* from, std::int64_t count, float* to) {
    constexpr int together = 4;
    const __m128i largest = _mm_set1_epi16(twice_infinity);
    if (count < 8) return widen_by_arithmetic(from, count, to);
    std::int64_t i = 0;
    for (; i + 8 * together <= count; i += 8 * together) {
        __m128i above = largest;
        for (int k = 0; k < together; ++k) {
            const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i + 8 * k));
            _mm256_storeu_ps(to + i + 8 * k, _mm256_cvtph_ps(halves));
            above = _mm_max_epu16(above, _mm_add_epi16(halves, halves));
        }
        if (_mm_movemask_epi8(_mm_cmpeq_epi16(above, largest)) != 0xffff) [[unlikely]]
            widen_by_arithmetic(from + i, 8 * together, to + i);
    }
    for (; i + 8 < count; i += 8) widen_eight(from + i, to + i);
    if (i < count) widen_eight(from + count - 8, to + count - 8);
}

__attribute__((target("avx2,f16c"))) void round_eight(const float* from, half* to) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_cvtps_ph(_mm256_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT));
}

__attribute__((target("avx2,f16c"))) void round_by_eights(const float* from, std::int64_t count, half* to) {
    if (count < 8) return round_by_arithmetic(from, count, to);
    for (std::int64_t i = 0; i + 8 < count; i += 8) round_eight(from + i, to + i);
    round_eight(from + count - 8, to + count - 8);
}

/// What the machine has, as far as the operating system keeps its registers.
struct conversions {
    decltype(&widen_by_arithmetic) widening = widen_by_arithmetic;
    decltype(&round_by_arithmetic) rounding = round_by_arithmetic;

    conversions() {
        if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) {
            widening = widen_by_sixteens;
            rounding = round_by_sixteens;
        } else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c")) {
            widening = widen_by_eights;
            rounding = round_by_eights;
        }
    }
};

const conversions& chosen() {
    static const conversions all;
    return all;
}

}  // namespace

const float* widen(const half* from, std::int64_t count, float* to) {
    chosen().widening(from, count, to);
    return to;
}

void round(const float* from, std::int64_t count, half* to) { chosen().rounding(from, count, to); }

#else

const float* widen(const half* from, std::int64_t count, float* to) {
    widen_by_arithmetic(from, count, to);
    return to;
}

void round(const float* from, std::int64_t count, half* to) { round_by_arithmetic(from, count, to); }

#endif

}  // namespace foldwise::detail
