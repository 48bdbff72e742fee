// generator/model/ElementType.hpp: the types that kernels work on.
#pragma once

#include <cstdint>
#include <string>

namespace foldwise {

/// `Tuple` is a std::pair or std::tuple, which only reductions accumulate in and result in.
enum class TypeKind { Boolean, Integer, Floating, Complex, Enumeration, Structure, Tuple };

/// The type of an array element or scalar operand.
struct ElementType {
    std::string name;        ///< The type as it is written in C++, fully qualified: "std::int32_t".
    std::string identifier;  ///< The same for use inside a name: "int32".
    TypeKind kind = TypeKind::Floating;
    std::uint32_t size = 0;       ///< The size of a value in bytes.
    std::uint32_t alignment = 0;  ///< The alignment of a value in bytes.
    std::string alias = {};  ///< The user's own name of the type, where the spec names it so: "geo::quat"; or empty.
    bool operator==(const ElementType&) const = default;

    /// The type as emitted code writes it.
    const std::string& text() const { return alias.empty() ? name : alias; }
};

/// An operand whose elements a kernel reads or writes one by one.
struct Operand {
    std::string name;
    ElementType type;
    bool operator==(const Operand&) const = default;
};

}  // namespace foldwise
