// generator/model/KernelSpec.hpp: what the frontend understood of a spec, as plain values.
//
// Everything after the frontend works on these alone. They compare, print as JSON (--emit=spec) and read back
// (--from-spec), so that plans and templates are tested without a compiler run.
#pragma once

#include "Operations.hpp"
#include "Place.hpp"

#include <llvm/Support/Error.h>
#include <llvm/Support/JSON.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace foldwise {

enum class TypeKind { Boolean, Integer, Floating, Complex, Enumeration, Structure };

/// The type of an array element or scalar operand.
struct ElementType {
    std::string name;        ///< As it is written in C++, fully qualified: "std::int32_t".
    std::string identifier;  ///< The same for use inside a name: "int32".
    TypeKind kind = TypeKind::Floating;
    std::uint32_t size = 0;       ///< Bytes.
    std::uint32_t alignment = 0;  ///< Bytes.
    std::string alias = {};       ///< The user's own name of it, where the spec names it so: "geo::quat"; or empty.
    bool operator==(const ElementType&) const = default;

    /// As emitted code says it.
    const std::string& text() const { return alias.empty() ? name : alias; }
};

struct Operand {
    std::string name;
    ElementType type;
    bool operator==(const Operand&) const = default;
};

/// What the tasks of a forall kernel do with a view's elements.
enum class Access {
    None,       ///< Only its extents are asked for.
    Read,       ///< Nothing is written.
    Write,      ///< Nothing is read.
    ReadWrite,  ///< Both; or it goes where that is not followed.
};

/// A parameter of a forall kernel's lambda, after the index: a view or a value.
struct TaskParameter {
    std::string name;
    ElementType type;        ///< Of a view's elements, or of the value.
    std::uint32_t rank = 0;  ///< A view's number of axes; 0 for a value.
    bool isConst = false;    ///< Whether it is a view<const T, N>.
    Access access = Access::None;
    /// For each of the view's axes the axis of the index that it follows, if each task certainly writes the element
    /// there, and no other; else empty.
    std::vector<std::uint32_t> follows;
    /// Whether tasks touch only those of the view's elements whose first coordinate is their index's.
    bool ownRows = false;
    bool operator==(const TaskParameter&) const = default;
};

/// What a fold's combine is, as far as it is known: these of two numbers may be computed in any order.
enum class FoldOperator {
    Other,
    Sum,
    Product,
    BitAnd,
    BitOr,
    BitXor,
    Minimum,
    Maximum,
    LogicalAnd,
    LogicalOr,
};

/// What a signature of a reduction has beside inputs and the one output, its result.
struct Fold {
    ElementType accumulator;
    FoldOperator operation = FoldOperator::Other;
    bool commutes = false;     ///< Elements may be combined in any order: it is known of the operation, or stated.
    bool hasIdentity = false;  ///< Whether folding nothing has a result.
    /// The integer type of a sum or product whose partial results may leave it and come back, as they wrap around.
    /// Empty where that cannot be, or would not be what combine computes.
    std::string wrapsIn;
    // Whether what a part returns, or an element, is of another type than what it becomes.
    bool mapConverts = false;
    bool combineConverts = false;
    bool finishConverts = false;
    bool operator==(const Fold&) const = default;
};

/// One set of types that a kernel is generated for.
struct Signature {
    std::string text;  ///< For people: "float(float x, float y)".
    std::vector<Operand> inputs;
    std::vector<Operand> outputs;
    std::uint32_t indexRank = 0;  ///< Axes of the foldwise::index that is the lambda's first parameter; 0: it has none.
    bool isTuple = false;         ///< Whether the lambda returns a std::tuple or std::pair of the outputs.
    bool converts = false;        ///< Whether what it returns is of other types than the outputs.
    Operations operations;        ///< Of the body and of what it calls.
    bool mayFuse = false;         ///< GCC's vectoriser may fuse multiplications with additions, told not to or not.
    std::optional<Fold> fold;     ///< Of a reduction.
    std::vector<TaskParameter> parameters;  ///< Of a forall kernel, which has neither inputs nor outputs.
    bool operator==(const Signature&) const = default;
};

/// Why there is a mark in the user's text.
enum class MarkKind {
    Declaration,       ///< A function or variable is declared, and CUDA's __device__ belongs here.
    CallbackTemplate,  ///< The same of a template that the standard library calls, for the host as well.
    Callback,          ///< The same of a function that has to be the host's as well, for the standard library to call.
    Checked,           ///< Here begins what a division or shift works on, which checked builds look at.
    Assigned,          ///< The same of one that assigns.
    Operator,          ///< The operator behind it.
    BitField,  ///< Here begins an operand that is a bit-field: a reference to it would forget how many bits it has.
};

struct Mark {
    std::uint32_t offset = 0;  ///< Bytes into the text; several marks may have the same.
    MarkKind kind = MarkKind::Declaration;
    bool operator==(const Mark&) const = default;
};

/// Pragmas that hold where the user's text stands, without their `#pragma`.
struct SurroundingPragmas {
    std::vector<std::string> before;  ///< "pack(push, 1)".
    std::vector<std::string> behind;  ///< "pack(pop)".
    bool operator==(const SurroundingPragmas&) const = default;
};

/// What a kernel calls: a lambda of the spec, taken apart so that it can be emitted as a function of the kernel's name,
/// or a function or object of the user's.
struct Body {
    Place place;                     ///< Of the first line of `parameters`.
    std::string templateParameters;  ///< "<class T>", or empty.
    std::string parameters;          ///< "(auto x, auto y)".
    std::string resultType;          ///< What follows "->", or empty.
    std::string block;               ///< "{ return x; }", macros expanded.
    std::vector<Mark> marks;         ///< In `block`.
    SurroundingPragmas pragmas;
    /// The user's own function that is called as it is, "::FOLDWISE_BACKEND::stats::twice"; the text is empty then.
    std::string callee = {};
    /// Whether the text is that of a function object, "() { return scale{2}; }", and what it returns is called.
    bool makesObject = false;
    bool operator==(const Body&) const = default;
};

enum class CarriedKind { Function, Type, Constant };

/// A declaration of the user's that a kernel reaches; its text is among the unit's declarations.
struct Carried {
    CarriedKind kind = CarriedKind::Function;
    std::string name;  ///< Qualified: "stats::twice".
    Place place;
    bool operator==(const Carried&) const = default;
};

/// Whose code runs on the device for a function of the standard library.
enum class LibrarySource {
    Cuda,      ///< CUDA has the function.
    Foldwise,  ///< A header of foldwise/device/.
    Standard,  ///< The library's own constexpr code.
};

/// A function, or a class by its members, of the standard library that a kernel reaches.
struct LibraryUse {
    std::string name;  ///< "std::exp".
    LibrarySource source = LibrarySource::Cuda;
    bool operator==(const LibraryUse&) const = default;
};

enum class Pattern { Vectorize, Reduce, Forall };

enum class IdentityKind {
    None,     ///< Folding nothing is an error.
    Value,    ///< It is written in the spec.
    Lowest,   ///< The least value of the accumulator's type.
    Highest,  ///< The greatest.
};

/// The lambdas of a reduction beside its combine.
struct Reduction {
    std::optional<Body> map;     ///< Nothing: elements are combined as they are.
    std::optional<Body> finish;  ///< Nothing: the accumulator is the result.
    IdentityKind identity = IdentityKind::None;
    std::optional<Body> identityValue;  ///< "() { return 0; }", for IdentityKind::Value.
    bool operator==(const Reduction&) const = default;
};

/// A kernel: a namespace-scope variable of the spec.
struct KernelSpec {
    Pattern pattern = Pattern::Vectorize;
    std::vector<std::string> namespaces;  ///< Outermost first; an inline one as "inline v1".
    std::string name;
    std::string comment;  ///< The user's own comment above the variable, without its marks; one line per line.
    Place place;
    Body body;                           ///< The lambda; of a reduction its combine.
    std::optional<Reduction> reduction;  ///< For Pattern::Reduce.
    std::vector<Signature> signatures;
    std::vector<Carried> carried;     ///< In the order of the sources.
    std::vector<LibraryUse> library;  ///< By name.
    bool operator==(const KernelSpec&) const = default;

    std::string qualifiedName() const;  ///< "stats::rel_diff".
};

/// A declaration that kernels need, sliced out of the user's sources with its macros expanded.
struct Declaration {
    std::vector<std::string> namespaces;  ///< As in KernelSpec.
    std::string name;
    Place place;
    std::string text;
    std::vector<Mark> marks;  ///< In `text`.
    SurroundingPragmas pragmas;
    bool inSystemHeader = false;  ///< Whether it comes from a system header, which compilers give no warnings about.
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

/// As in JSON: "forall", "read_write".
llvm::StringRef textOf(Pattern pattern);
llvm::StringRef textOf(Access access);

/// As in the user's lambda: "view<const float, 2>", or a value's type.
std::string typeText(const TaskParameter& parameter);

llvm::json::Value toJSON(const Operations&);
llvm::json::Value toJSON(const KernelSpec&);
llvm::json::Value toJSON(const UnitSpec&);
llvm::json::Value toJSON(const std::vector<UnitSpec>&);

/// Reads what toJSON wrote; the error names the path of the first value that is missing or wrong.
llvm::Expected<std::vector<UnitSpec>> parseUnitSpecs(llvm::StringRef json);

}  // namespace foldwise
