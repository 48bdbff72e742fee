// runtime/src/overlap.cpp: solves bounded linear Diophantine equations.
#include "overlap.hpp"

#include <foldwise/shape.hpp>

#include <algorithm>
#include <utility>

namespace foldwise::detail {

namespace {

// For sums and products of 64-bit strides and extents.
__extension__ typedef __int128 wide;

wide floor_div(wide a, wide b) { return a / b - (a % b < 0); }
wide ceil_div(wide a, wide b) { return -floor_div(-a, b); }

/// Returns the smallest x >= 0 with low <= factor * x mod modulus <= high, or -1; 0 <= low <= high < modulus.
wide first_within(wide factor, wide modulus, wide low, wide high) {
    if (low == 0) return 0;
    if (factor == 0) return -1;
    const wide x = ceil_div(low, factor);
    if (factor * x <= high) return x;
    // No multiple of `factor` is in the interval, so the remainder after some wraps must be: a smaller problem.
    const wide wraps =
        first_within(modulus % factor, factor, (factor - high % factor) % factor, (factor - low % factor) % factor);
    return wraps < 0 ? -1 : ceil_div(low + modulus * wraps, factor);
}

/// An unknown, which is an integer in [0, bound], with a positive coefficient.
struct term {
    wide coefficient, bound;
};

/// Sorts by insertion: there are at most sixteen terms. (With std::sort, GCC 12 warns of accesses beyond such a short
/// array.)
template <class Before> void sort(term* terms, int count, Before before) {
    for (int i = 1; i < count; ++i)
        for (int k = i; k > 0 && before(terms[k], terms[k - 1]); --k) std::swap(terms[k], terms[k - 1]);
}

/// A sum of terms, and whether it can be in an interval.
class equation {
  public:
    void add(wide coefficient, wide bound) {
        if (bound > 0) terms_[count_++] = {coefficient, bound};
    }

    bool has_solution(wide low, wide high) {
        prepare();
        return solve(0, low, high);
    }

  private:
    void prepare() {
        sort(terms_, count_, [](const term& a, const term& b) { return a.coefficient > b.coefficient; });
        int last = -1;
        for (int i = 0; i < count_; ++i) {  // for equal coefficients only the sum of the unknowns matters
            if (last >= 0 && terms_[last].coefficient == terms_[i].coefficient)
                terms_[last].bound += terms_[i].bound;
            else
                terms_[++last] = terms_[i];
        }
        count_ = last + 1;
        most_[count_] = divisor_[count_] = 0;
        for (int i = count_ - 1; i >= 0; --i) {
            most_[i] = most_[i + 1] + terms_[i].coefficient * terms_[i].bound;
            divisor_[i] = gcd(terms_[i].coefficient, divisor_[i + 1]);
        }
    }

    static wide gcd(wide a, wide b) {
        while (b != 0) a = std::exchange(b, a % b);
        return a;
    }

    /// Returns whether the sum of the terms from the i-th on can be in [low, high].
    bool solve(int i, wide low, wide high) const {
        low = std::max<wide>(low, 0);
        high = std::min(high, most_[i]);
        if (low > high) return false;
        if (low == 0 || high == most_[i]) return true;
        if (ceil_div(low, divisor_[i]) * divisor_[i] > high) return false;
        if (i + 2 == count_) return solve_two(terms_[i], terms_[i + 1], low, high);
        if (i + 1 == count_) return true;  // a multiple of the coefficient, within the bound
        const auto [coefficient, bound] = terms_[i];
        const wide end = std::min(bound, floor_div(high, coefficient));
        for (wide x = std::max<wide>(0, ceil_div(low - most_[i + 1], coefficient)); x <= end; ++x) {
            if (solve(i + 1, low - coefficient * x, high - coefficient * x)) return true;
        }
        return false;
    }

    /// Returns whether the sum of two terms can be in [low, high]. The first unknown ranges where the second can make
    /// up the rest; there, the rest modulo the second's coefficient only has to be small enough.
    static bool solve_two(const term& a, const term& b, wide low, wide high) {
        const wide begin = std::max<wide>(0, ceil_div(low - b.coefficient * b.bound, a.coefficient));
        const wide end = std::min(a.bound, floor_div(high, a.coefficient));
        if (begin > end) return false;
        const wide modulus = b.coefficient, width = high - low;
        const wide rest = (high - a.coefficient * begin) % modulus;
        if (rest <= width) return true;
        const wide step = (modulus - a.coefficient % modulus) % modulus;
        const wide x = first_within(step, modulus, modulus - rest, modulus - rest + width);
        return x >= 0 && x <= end - begin;
    }

    term terms_[2 * max_rank];
    wide most_[2 * max_rank + 1];     ///< The largest sum of the terms from this one on.
    wide divisor_[2 * max_rank + 1];  ///< The greatest common divisor of the coefficients from this one on.
    int count_ = 0;
};

wide magnitude(std::int64_t stride) { return stride < 0 ? -wide{stride} : wide{stride}; }

/// Returns the address of the first byte of the lowest element.
wide lowest(const footprint& one) {
    wide address = one.first;
    for (std::size_t i = 0; i < one.extents.size(); ++i) {
        if (one.strides[i] < 0) address += wide{one.strides[i]} * (one.extents[i] - 1) * static_cast<wide>(one.size);
    }
    return address;
}

/// Adds the unknowns of an operand's axes, in bytes, and returns the distance between its lowest and highest element.
wide add_axes(equation& sum, const footprint& one) {
    wide reach = 0;
    for (std::size_t i = 0; i < one.extents.size(); ++i) {
        const wide bytes = magnitude(one.strides[i]) * static_cast<wide>(one.size), bound = one.extents[i] - 1;
        if (bytes > 0) sum.add(bytes, bound);
        reach += bytes * bound;
    }
    return reach;
}

}  // namespace

bool overlap(const footprint& a, const footprint& b) {
    // Two elements at low(a) + sum(a) and low(b) + sum(b) overlap if these are less than an element apart. Counting b's
    // indices from their other ends turns the difference of the sums into a sum.
    equation sum;
    add_axes(sum, a);
    const wide difference = lowest(b) + add_axes(sum, b) - lowest(a);
    return sum.has_solution(difference - static_cast<wide>(a.size) + 1, difference + static_cast<wide>(b.size) - 1);
}

bool overlaps_itself(const footprint& one) {
    term axes[max_rank];
    int count = 0;
    for (std::size_t i = 0; i < one.extents.size(); ++i) {
        if (one.extents[i] > 1) axes[count++] = {magnitude(one.strides[i]), one.extents[i] - 1};
    }
    sort(axes, count, [](const term& a, const term& b) { return a.coefficient < b.coefficient; });
    if (count > 0 && axes[0].coefficient == 0) return true;

    // Sorted by stride, two different elements at the same address have a last axis in which they differ. Their indices
    // differ there by at least one, say upwards, and by any amount in the axes below.
    wide reach = 0;
    for (int last = 0; last < count; ++last) {
        const auto [coefficient, bound] = axes[last];
        if (coefficient <= reach) {
            equation sum;
            sum.add(coefficient, bound - 1);
            for (int axis = 0; axis < last; ++axis) sum.add(axes[axis].coefficient, 2 * axes[axis].bound);
            if (sum.has_solution(reach - coefficient, reach - coefficient)) return true;
        }
        reach += coefficient * bound;
    }
    return false;
}

}  // namespace foldwise::detail
