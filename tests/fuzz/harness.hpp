// tests/fuzz/harness.hpp: calls a generated kernel and the spec's own lambda with the same random operands and compares
// the results bit for bit.
//
// Everything is told about types by descriptions instead of templates, so that hundreds of signatures compile fast.
#pragma once

#include <foldwise/bfloat16.hpp>
#include <foldwise/half.hpp>
#include <foldwise/runtime.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace fuzz {

enum class kind : std::uint8_t { integer, boolean, enumeration, real32, real64, half, bfloat16 };

/// A number inside an element.
struct field {
    fuzz::kind kind;
    std::size_t offset;   ///< The offset from the element's beginning, in bytes.
    std::size_t size;     ///< The size in bytes.
    unsigned values = 0;  ///< The number of an enumeration's enumerators, which are numbered from zero.
};

/// An element's size and all numbers in it; what lies between them is padding and is not compared.
struct element {
    std::size_t size;
    std::vector<field> fields;
};

/// Appends the fields of a T that begins at an offset. Specialised for the specs' own types.
template <class T> struct fields_of {
    static void append(std::vector<field>& fields, std::size_t at) {
        if constexpr (std::is_same_v<T, bool>)
            fields.push_back({kind::boolean, at, 1});
        else if constexpr (std::is_floating_point_v<T>)
            fields.push_back({sizeof(T) == 4 ? kind::real32 : kind::real64, at, sizeof(T)});
        else
            fields.push_back({kind::integer, at, sizeof(T)});
    }
};
template <> struct fields_of<foldwise::half> {
    static void append(std::vector<field>& fields, std::size_t at) { fields.push_back({kind::half, at, 2}); }
};
template <> struct fields_of<foldwise::bfloat16> {
    static void append(std::vector<field>& fields, std::size_t at) { fields.push_back({kind::bfloat16, at, 2}); }
};
template <class T> struct fields_of<std::complex<T>> {
    static void append(std::vector<field>& fields, std::size_t at) {
        fields_of<T>::append(fields, at);
        fields_of<T>::append(fields, at + sizeof(T));
    }
};
template <class T, std::size_t N> struct fields_of<std::array<T, N>> {
    static void append(std::vector<field>& fields, std::size_t at) {
        for (std::size_t i = 0; i < N; ++i) fields_of<T>::append(fields, at + i * sizeof(T));
    }
};

template <class T> element describe() {
    element result{sizeof(T), {}};
    fields_of<T>::append(result.fields, 0);
    return result;
}

/// One call of a generated kernel. Operands are numbered as in the kernel, inputs first.
struct call {
    struct operand {
        void* data;
        bool is_scalar;
    };
    std::vector<operand> operands;
    foldwise::shape shape;
    foldwise::shape output_shape;  ///< That of the inputs, or one element, or one for each segment.
    foldwise::executor executor;
    std::vector<std::int64_t> offsets;  ///< The offsets of the segments that are folded; empty: all is folded.

    template <class T> foldwise::operand<const T> input(std::size_t i) const {
        const T* data = static_cast<const T*>(operands[i].data);
        if (operands[i].is_scalar) return *data;
        return foldwise::view<const T>(data, shape);
    }
    template <class T> foldwise::operand<T> output(std::size_t i) const {
        return foldwise::view<T>(static_cast<T*>(operands[i].data), output_shape);
    }
    template <class T> foldwise::view<T> elements(std::size_t i) const {
        return foldwise::view<T>(static_cast<T*>(operands[i].data), shape);
    }
    template <class T> T value(std::size_t i) const { return *static_cast<T*>(operands[i].data); }
};

/// How a kernel's inputs are given to it, and what it makes of them.
struct form {
    enum class passed : std::uint8_t { either, array, scalar };
    std::vector<passed> inputs;  ///< None: each is an array or a scalar, as chance has it.
    bool is_whole = false;       ///< The host's function takes all elements at once, as arrays.
    bool is_fold = false;        ///< Outputs have one element of all of the arrays together, or one of each segment.
    bool folds_rows = false;     ///< Outputs have one element of each row.
    bool has_position = false;   ///< A fold's map takes an element's position.
};
inline form elementwise() { return {}; }
inline form whole_fold(bool has_position) { return {{}, true, true, false, has_position}; }
inline form whole_scan() { return {{}, true, false}; }
inline form whole_arrays(const std::vector<bool>& by_value) {
    form result{{}, true};
    for (const bool value : by_value) result.inputs.push_back(value ? form::passed::scalar : form::passed::array);
    return result;
}
inline form whole_rows(const std::vector<bool>& by_value) { return whole_arrays(by_value); }
inline form whole_rows_folded(const std::vector<bool>& by_value) {
    form result = whole_arrays(by_value);
    result.folds_rows = true;
    return result;
}

/// One function that was generated, and what it is to equal.
struct signature {
    int spec;
    const char* text;  ///< The signature as messages show it.
    std::vector<element> inputs, outputs;
    int axes;  ///< The rank of the index that the lambda takes; 0 if it takes none.
    fuzz::form form;
    void (*generated)(const call&);
    /// The spec's own lambda for one element: pointers to that element of each operand, and its place. What takes
    /// arrays as a whole: their beginnings, and their extents.
    void (*on_host)(void* const* operands, const std::int64_t* place);
};

/// Runs all on the CPU and in the simulator. Prints each disagreement with the operands that lead to it. Returns the
/// number of signatures that disagree.
int check(const std::vector<signature>& signatures, std::uint64_t seed);

}  // namespace fuzz
