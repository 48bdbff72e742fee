// generator/model/KernelSpec.hpp: what the frontend understood of a spec, as plain values.
//
// Everything after the frontend works on these alone. They compare, print as JSON (--emit=spec) and read back
// (--from-spec), so that plans and templates are tested without a compiler run.
#pragma once

#include <llvm/Support/Error.h>
#include <llvm/Support/JSON.h>

#include <cstdint>
#include <string>
#include <vector>

namespace foldwise {

/// A place in the user's sources. The file is relative to the unit's root folder, never absolute.
struct Place {
    std::string file;
    std::uint32_t line = 0;
    bool operator==(const Place&) const = default;
};

enum class TypeKind { Boolean, Integer, Floating, Complex, Enumeration, Structure };

/// The type of an array element or scalar operand.
struct ElementType {
    std::string name;        ///< As it is written in C++, fully qualified: "std::int32_t".
    std::string identifier;  ///< The same for use inside a name: "int32".
    TypeKind kind = TypeKind::Floating;
    std::uint32_t size = 0;       ///< Bytes.
    std::uint32_t alignment = 0;  ///< Bytes.
    bool operator==(const ElementType&) const = default;
};

struct Operand {
    std::string name;
    ElementType type;
    bool operator==(const Operand&) const = default;
};

/// One set of types that a kernel is generated for.
struct Signature {
    std::string text;  ///< For people: "float(float x, float y)".
    std::vector<Operand> inputs;
    std::vector<Operand> outputs;
    std::uint32_t indexRank = 0;  ///< Axes of the foldwise::index that is the lambda's first parameter; 0: it has none.
    bool isTuple = false;         ///< Whether the lambda returns a std::tuple or std::pair of the outputs.
    bool converts = false;        ///< Whether what it returns is of other types than the outputs.
    std::uint32_t operations =
        0;  ///< Arithmetic operations and calls in the body and in what it calls, counted once each.
    bool operator==(const Signature&) const = default;
};

/// A lambda of the spec, taken apart so that it can be emitted as a function of the kernel's name.
struct Body {
    Place place;                       ///< Of the first line of `parameters`.
    std::string templateParameters;    ///< "<class T>", or empty.
    std::string parameters;            ///< "(auto x, auto y)".
    std::string resultType;            ///< What follows "->", or empty.
    std::string block;                 ///< "{ return x; }", macros expanded.
    std::vector<std::uint32_t> marks;  ///< Byte offsets into `block`: the methods of local classes, as in Declaration.
    bool operator==(const Body&) const = default;
};

/// A kernel: a namespace-scope variable of the spec.
struct KernelSpec {
    std::vector<std::string> namespaces;  ///< Outermost first.
    std::string name;
    std::string comment;  ///< The user's own comment above the variable, without its marks; one line per line.
    Place place;
    Body body;
    std::vector<Signature> signatures;
    bool operator==(const KernelSpec&) const = default;

    std::string qualifiedName() const;  ///< "stats::rel_diff".
};

/// A declaration that kernels need, sliced out of the user's sources with its macros expanded.
struct Declaration {
    std::vector<std::string> namespaces;
    std::string name;
    Place place;
    std::string text;
    /// Byte offsets into `text` at which a function or variable is declared: where CUDA's __device__ belongs.
    std::vector<std::uint32_t> marks;
    bool operator==(const Declaration&) const = default;
};

/// One spec file.
struct UnitSpec {
    std::string source;                           ///< Relative to the root folder: "dir/stats.kernels.cpp".
    std::vector<std::string> includes;            ///< Of the standard library and other system headers: "<cmath>".
    std::vector<Declaration> declarations;        ///< In the order of the sources.
    std::vector<std::string> headerIncludes;      ///< Of the types in signatures: "<complex>", "\"geometry.hpp\"".
    std::vector<Declaration> headerDeclarations;  ///< The spec's own types in signatures, and what they need.
    std::vector<KernelSpec> kernels;
    bool operator==(const UnitSpec&) const = default;
};

llvm::json::Value toJSON(const UnitSpec&);
llvm::json::Value toJSON(const std::vector<UnitSpec>&);

/// Reads what toJSON wrote; the error names the path of the first value that is missing or wrong.
llvm::Expected<std::vector<UnitSpec>> parseUnitSpecs(llvm::StringRef json);

}  // namespace foldwise
