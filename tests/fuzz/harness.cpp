// tests/fuzz/harness.cpp: calls generated kernels with random operands, and compares their results with those of
// the spec's own functions on the host, bit by bit.
#include "harness.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iterator>
#include <memory>
#include <new>
#include <random>
#include <string>

namespace fuzz {

namespace {

using generator = std::mt19937_64;

/// Zeroed memory that is aligned for every element.
class buffer {
  public:
    explicit buffer(std::size_t bytes) : bytes_(bytes), data_(::operator new(bytes + 1, alignment)) {
        std::memset(data_.get(), 0, bytes);
    }
    std::byte* data() const { return static_cast<std::byte*>(data_.get()); }
    std::size_t size() const { return bytes_; }

  private:
    static constexpr std::align_val_t alignment{64};
    struct release {
        void operator()(void* memory) const { ::operator delete(memory, alignment); }
    };
    std::size_t bytes_;
    std::unique_ptr<void, release> data_;
};

template <class T> void store(std::byte* at, T value) { std::memcpy(at, &value, sizeof(T)); }
template <class T> T load(const std::byte* at) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
}

/// A random integer of `size` bytes: most are small, and some are at the limits of the type.
std::uint64_t any_integer(generator& rng, std::size_t size) {
    switch (rng() % 8) {
    case 0:
        return rng();
    case 1:  // the signed type's edges
        return (std::uint64_t{1} << (8 * size - 1)) - rng() % 2;
    case 2:
        return ~std::uint64_t{0} - rng() % 3;
    case 3:
        return std::uint64_t{1} << rng() % (8 * size);
    default:
        return rng() % 41 - 20;
    }
}

/// A random floating-point number: most are small, and some are zeros, infinities, NaN or at limits of types.
double any_real(generator& rng) {
    static constexpr double edges[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, 1e-310, 1e-40, 3e38, 1e300};
    switch (rng() % 8) {
    case 0:
        return edges[rng() % std::size(edges)];
    case 1:
        return std::ldexp(static_cast<double>(static_cast<std::int64_t>(rng())), static_cast<int>(rng() % 80) - 100);
    case 2:
        return static_cast<double>(rng() % 21) - 10;
    default:
        return (static_cast<double>(rng() % 20001) - 10000) / 1024;
    }
}

/// Writes a random number of the field's kind.
void fill(std::byte* at, const field& f, generator& rng) {
    switch (f.kind) {
    case kind::boolean:
        return store(at, static_cast<std::uint8_t>(rng() % 2));
    case kind::enumeration: {
        const std::uint64_t value = rng() % f.values;
        std::memcpy(at, &value, f.size);  // little-endian, as the integers below
        return;
    }
    case kind::real32:
        return store(at, static_cast<float>(any_real(rng)));
    case kind::real64:
        return store(at, any_real(rng));
    case kind::half:
        return store(at, foldwise::half(static_cast<float>(any_real(rng))));
    case kind::bfloat16:
        return store(at, foldwise::bfloat16(static_cast<float>(any_real(rng))));
    case kind::integer: {
        const std::uint64_t value = any_integer(rng, f.size);
        std::memcpy(at, &value, f.size);
    }
    }
}

bool is_nan(const std::byte* at, const field& f) {
    switch (f.kind) {
    case kind::real32:
        return std::isnan(load<float>(at));
    case kind::real64:
        return std::isnan(load<double>(at));
    case kind::half:
        return std::isnan(static_cast<float>(load<foldwise::half>(at)));
    case kind::bfloat16:
        return std::isnan(static_cast<float>(load<foldwise::bfloat16>(at)));
    default:
        return false;
    }
}

/// Whether two elements have the same bits, apart from padding and the bits of NaNs.
bool same(const std::byte* a, const std::byte* b, const element& type) {
    for (const field& f : type.fields) {
        const std::byte *x = a + f.offset, *y = b + f.offset;
        if (std::memcmp(x, y, f.size) != 0 && !(is_nan(x, f) && is_nan(y, f))) return false;
    }
    return true;
}

/// An element's numbers as messages show them.
std::string text(const std::byte* at, const element& type) {
    std::string result = "{";
    for (const field& f : type.fields) {
        char number[48];
        std::uint64_t bits = 0;
        std::memcpy(&bits, at + f.offset, f.size);
        if (f.kind == kind::real32)
            std::snprintf(number, sizeof number, "%.9g", static_cast<double>(load<float>(at + f.offset)));
        else if (f.kind == kind::real64)
            std::snprintf(number, sizeof number, "%.17g", load<double>(at + f.offset));
        else
            std::snprintf(number, sizeof number, "0x%llx", static_cast<unsigned long long>(bits));
        result += (result.size() > 1 ? ", " : "") + std::string(number);
    }
    return result + "}";
}

foldwise::shape any_shape(int axes, generator& rng) {
    const auto extent = [&](std::int64_t most) { return static_cast<std::int64_t>(1 + rng() % most); };
    switch (axes) {
    case 2:
        return {extent(9), extent(9)};
    case 3:
        return {extent(4), extent(4), extent(5)};
    default:
        return foldwise::shape(extent(rng() % 8 == 0 ? 1500 : 70));
    }
}

/// Writes the coordinates of the i-th element in row-major order.
void place_of(std::int64_t i, const foldwise::shape& shape, std::int64_t* place) {
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        place[axis] = i % shape[axis];
        i /= shape[axis];
    }
}

/// Whether an input is passed as a scalar: as the form says, or by chance.
bool any_scalar(const form& f, std::size_t input, generator& rng) {
    if (f.inputs.empty()) return !f.is_whole && rng() % 4 == 0;  // folds and scans take ranges on the host
    return f.inputs[input] == form::passed::scalar;
}

/// Random offsets that divide all elements into segments, or none. A fold that takes a position has a single segment,
/// since the host's function counts positions from its first element.
std::vector<std::int64_t> any_offsets(const signature& s, const foldwise::shape& shape, generator& rng) {
    if (!s.form.is_fold || shape.rank() != 1 || rng() % 2 == 0) return {};
    std::vector<std::int64_t> offsets{0, shape.size()};
    for (std::uint64_t more = s.form.has_position ? 0 : rng() % 20; more > 0; --more)
        offsets.push_back(static_cast<std::int64_t>(rng() % static_cast<std::uint64_t>(shape.size() + 1)));
    std::sort(offsets.begin(), offsets.end());
    // Some folds have no identity.
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    return offsets;
}

/// A call with random operands, and the results that the host's functions give for it.
class trial {
  public:
    trial(const signature& s, generator& rng)
        : signature_(s), shape_(any_shape(s.axes, rng)), output_shape_(s.form.is_fold ? foldwise::shape{1} : shape_),
          offsets_(any_offsets(s, shape_, rng)) {
        if (!offsets_.empty()) output_shape_ = foldwise::shape{std::ssize(offsets_) - 1};
        if (s.form.folds_rows) output_shape_ = foldwise::shape{shape_[0]};
        for (const element& type : s.inputs) {
            is_scalar_.push_back(any_scalar(s.form, inputs_.size(), rng));
            inputs_.emplace_back(type.size * static_cast<std::size_t>(is_scalar_.back() ? 1 : shape_.size()));
            for (std::size_t at = 0; at < inputs_.back().size(); at += type.size)
                for (const field& f : type.fields) fill(inputs_.back().data() + at + f.offset, f, rng);
        }
        expected_ = outputs();
        for (std::int64_t i = 0; i < (s.form.is_whole && !s.form.is_fold ? 1 : output_shape_.size()); ++i) {
            std::int64_t place[foldwise::max_rank] = {length(i)};
            if (!s.form.is_whole)
                place_of(i, shape_, place);
            else if (!s.form.is_fold)
                for (int axis = 0; axis < shape_.rank(); ++axis) place[axis] = shape_[axis];
            std::vector<void*> operands = inputs_at(first(i));
            for (std::size_t n = 0; n < expected_.size(); ++n)
                operands.push_back(expected_[n].data() + static_cast<std::size_t>(i) * s.outputs[n].size);
            s.on_host(operands.data(), place);
        }
    }

    /// Whether the generated kernel gives these results on an executor; if not, prints a message that names it.
    bool agrees(const foldwise::executor& executor, const char* name) const {
        const std::vector<buffer> got = outputs();
        call c{{}, shape_, output_shape_, executor, offsets_};
        for (std::size_t n = 0; n < inputs_.size(); ++n) c.operands.push_back({inputs_[n].data(), is_scalar_[n]});
        for (const buffer& output : got) c.operands.push_back({output.data(), false});
        try {
            signature_.generated(c);
        } catch (const std::exception& error) {
            std::printf("spec %d: %s: %s throws: %s\n", signature_.spec, signature_.text, name, error.what());
            return false;
        }
        for (std::size_t n = 0; n < got.size(); ++n)
            for (std::int64_t i = 0; i < output_shape_.size(); ++i)
                if (!agrees_at(i, n, got[n], name)) return false;
        return true;
    }

  private:
    /// Returns the first of the elements that the i-th result is of, and how many there are.
    std::int64_t first(std::int64_t i) const { return offsets_.empty() ? i : offsets_[static_cast<std::size_t>(i)]; }
    std::int64_t length(std::int64_t i) const {
        return offsets_.empty() ? shape_.size() : offsets_[static_cast<std::size_t>(i) + 1] - first(i);
    }

    std::vector<buffer> outputs() const {
        std::vector<buffer> result;
        for (const element& type : signature_.outputs)
            result.emplace_back(type.size * static_cast<std::size_t>(output_shape_.size()));
        return result;
    }

    std::vector<void*> inputs_at(std::int64_t i) const {
        std::vector<void*> result;
        for (std::size_t n = 0; n < inputs_.size(); ++n)
            result.push_back(inputs_[n].data() +
                             (is_scalar_[n] ? 0 : static_cast<std::size_t>(i) * signature_.inputs[n].size));
        return result;
    }

    bool agrees_at(std::int64_t i, std::size_t output, const buffer& got, const char* name) const {
        const element& type = signature_.outputs[output];
        const std::size_t at = static_cast<std::size_t>(i) * type.size;
        const std::byte *is = got.data() + at, *should_be = expected_[output].data() + at;
        if (same(is, should_be, type)) return true;
        std::printf("spec %d: %s: output %zu of element %lld of %lld: %s gives %s, the host %s, for", signature_.spec,
                    signature_.text, output, static_cast<long long>(i), static_cast<long long>(output_shape_.size()),
                    name, text(is, type).c_str(), text(should_be, type).c_str());
        const std::vector<void*> inputs = inputs_at(first(i));
        for (std::size_t n = 0; n < inputs.size(); ++n)
            std::printf(" %s", text(static_cast<const std::byte*>(inputs[n]), signature_.inputs[n]).c_str());
        std::printf("\n");
        return false;
    }

    const signature& signature_;
    foldwise::shape shape_, output_shape_;
    std::vector<std::int64_t> offsets_;
    std::vector<buffer> inputs_, expected_;
    std::vector<bool> is_scalar_;
};

}  // namespace

int check(const std::vector<signature>& signatures, std::uint64_t seed) {
    int disagreements = 0;
    for (const signature& s : signatures) {
        generator rng(seed * 1'000'003 + static_cast<std::uint64_t>(s.spec));
        bool agrees = true;
        for (int trials = 0; trials < 4 && agrees; ++trials) {
            const trial t(s, rng);
            agrees = t.agrees(foldwise::cpu(), "the CPU backend") && t.agrees(foldwise::simulator(), "the simulator");
        }
        disagreements += !agrees;
    }
    return disagreements;
}

}  // namespace fuzz
