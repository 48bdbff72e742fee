// generator/model/ElementType.hpp: the types that kernels work on.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace foldwise {

/// `Tuple` is a std::pair or std::tuple, which only reductions accumulate in and result in.
enum class TypeKind { Boolean, Integer, Floating, Complex, Enumeration, Structure, Tuple };

/// The type of an array element or scalar operand.
struct ElementType {
    std::string name;        ///< The type as it is written in C++, fully qualified: "std::int32_t".
    std::string identifier;  ///< The type as a part of a name: "int32".
    TypeKind kind = TypeKind::Floating;
    std::uint32_t size = 0;       ///< The size of a value in bytes.
    std::uint32_t alignment = 0;  ///< The alignment of a value in bytes.
    std::string alias = {};  ///< The user's own name of the type, where the spec names it so: "geo::quat"; or empty.
    /// The members of a structure, where code outside of it can name them all: "x", "place.row". Those that are arrays
    /// count as one.
    std::vector<std::string> fields = {};
    bool operator==(const ElementType&) const = default;

    /// The type as emitted code writes it.
    const std::string& text() const { return alias.empty() ? name : alias; }
};

/// The name of Foldwise's or the standard library's type for one of CUDA's or Thrust's with the same bits, as
/// foldwise/detail/same_bits.hpp has them; for others, the name itself. A function takes arrays of both.
std::string nameOfBits(const std::string& type);

/// Whether a function's arguments do not tell these types apart.
inline bool areAlike(const ElementType& a, const ElementType& b) { return nameOfBits(a.name) == nameOfBits(b.name); }

/// "view<const float, 2>", of elements that are written so.
inline std::string viewText(const std::string& element, std::uint32_t rank, bool isConst = true) {
    return "view<" + std::string(isConst ? "const " : "") + element + ", " + std::to_string(rank) + ">";
}

/// An operand: elements that a kernel reads or writes one by one, or an array that it reads as a whole.
struct Operand {
    std::string name;
    ElementType type;        ///< The type of an element.
    std::uint32_t rank = 0;  ///< The number of axes of a whole array's view; 0 for elements.
    bool asFloat = false;    ///< Whether kernels for the CPU have a half as a float, and blocks of it are converted.
    bool operator==(const Operand&) const = default;

    bool isWhole() const { return rank > 0; }

    /// What the lambda takes, as emitted code writes it: an element, or "foldwise::view<const float, 2>".
    std::string text() const { return isWhole() ? "foldwise::" + viewText(type.text(), rank) : type.text(); }
    /// The same in a kernel for the CPU.
    std::string keptText() const { return asFloat ? "float" : text(); }
};

/// Whether a kernel for the CPU has some of these operands as floats.
inline bool hasFloats(const std::vector<Operand>& operands) {
    return std::any_of(operands.begin(), operands.end(), [](const Operand& one) { return one.asFloat; });
}

/// Whether kernels with these inputs read elements one by one.
inline bool hasElements(const std::vector<Operand>& inputs) {
    return std::any_of(inputs.begin(), inputs.end(), [](const Operand& input) { return !input.isWhole(); });
}

/// The types of the operands' elements, in their order.
inline std::vector<const ElementType*> elementTypes(const std::vector<Operand>& operands) {
    std::vector<const ElementType*> types;
    for (const Operand& operand : operands) types.push_back(&operand.type);
    return types;
}

/// Whether the parameters of two operands take the same arguments.
inline bool haveSameType(const Operand& a, const Operand& b) { return areAlike(a.type, b.type) && a.rank == b.rank; }

/// Whether calls cannot tell two signatures apart. Each makes a function of its inputs alone and one of its inputs and
/// outputs, and a function that writes an array has the same operands as one that reads it.
template <class Signature> bool haveSameOperands(const Signature& a, const Signature& b) {
    const auto isAt = [](const Signature& of, std::size_t i) -> const Operand& {
        return i < of.inputs.size() ? of.inputs[i] : of.outputs[i - of.inputs.size()];
    };
    const auto areSame = [&](std::size_t ofA, std::size_t ofB) {
        if (ofA != ofB) return false;
        for (std::size_t i = 0; i < ofA; ++i)
            if (!haveSameType(isAt(a, i), isAt(b, i))) return false;
        return true;
    };
    const std::size_t allOfA = a.inputs.size() + a.outputs.size(), allOfB = b.inputs.size() + b.outputs.size();
    return areSame(a.inputs.size(), b.inputs.size()) || areSame(allOfA, b.inputs.size()) ||
           areSame(a.inputs.size(), allOfB) || areSame(allOfA, allOfB);
}

}  // namespace foldwise
