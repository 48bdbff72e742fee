// generator/frontend/Types.hpp: translates Clang's types to the model's.
#pragma once

#include "../model/ElementType.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Type.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace foldwise {

/// The classes and enumerations of the global namespace that a type is made of.
std::vector<const clang::TagDecl*> globalTags(clang::QualType type);

/// The model's name of an arithmetic type: std::int8_t where spelling() in Spelling.hpp says "signed char".
std::string elementName(clang::QualType type, const clang::ASTContext& context);

/// What a std::tuple or std::pair is where a type is expected: several operands, or one value.
enum class Tuples { AreOperands, AreValues };

/// The model's type of an element or scalar, or nothing if arrays of it are not supported; `reason` then says why.
/// Tuples are types of elements only where they are values, and if all their members are.
std::optional<ElementType> elementType(clang::QualType type, const clang::ASTContext& context, std::string& reason,
                                       Tuples tuples = Tuples::AreOperands);

/// The types of the members of a std::tuple or std::pair, which an elementwise kernel returns for several outputs.
/// Empty for other types.
std::vector<clang::QualType> outputTypes(clang::QualType result);

/// The numbers that a struct is made of, as they are named in it: "low", "place.row", "sums[2]". Empty for other types,
/// where a member cannot be named from outside, and for more than `most`.
std::vector<std::string> membersOf(clang::QualType type, std::size_t most);

/// What a number can lose when it is converted to another type.
enum class Loss { Digits, Fraction, Range };

/// What a conversion to a built-in type loses: a wider floating-point number some digits, a floating-point number in an
/// integer its fraction, a wider integer what is beyond the range. Nothing for other types, and for bool.
std::optional<Loss> lossOf(clang::QualType from, clang::QualType to, const clang::ASTContext& context);

/// Whether values of a type hold pointers, as members, in bases or in arrays. A pointer itself does.
bool holdsPointer(clang::QualType type);

}  // namespace foldwise
