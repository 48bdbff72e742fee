// generator/model/KernelSpec.hpp: what the frontend understood of a spec, as plain values.
//
// Everything after the frontend works on these alone. They compare, print as JSON (--emit=spec) and read back
// (--from-spec), so that plans and templates are tested without a compiler run.
#pragma once

#include "BlocksSpec.hpp"
#include "ForallSpec.hpp"
#include "GuvectorizeSpec.hpp"
#include "ReduceSpec.hpp"
#include "ScanSpec.hpp"
#include "ScatterSpec.hpp"
#include "StencilSpec.hpp"
#include "VectorizeSpec.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/JSON.h>

#include <string>
#include <variant>
#include <vector>

namespace foldwise {

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

/// Every pattern's name, in the order of the table.
enum class Pattern {
#define FOLDWISE_PATTERN(name, ...) name,
#include "Patterns.def"
};

inline constexpr Pattern allPatterns[] = {
#define FOLDWISE_PATTERN(name, ...) Pattern::name,
#include "Patterns.def"
};

namespace detail {
template <class, class... Specs> struct VariantOf { using Type = std::variant<Specs...>; };
}  // namespace detail

/// What only kernels of one pattern have: their lambdas and their signatures. The alternatives are in the order of the
/// table.
using PatternSpec = detail::VariantOf<void
#define FOLDWISE_PATTERN(name, ...) , name##Spec
#include "Patterns.def"
                                      >::Type;

/// A kernel: a namespace-scope variable of the spec.
struct KernelSpec {
    std::vector<std::string> namespaces;  ///< Outermost first; an inline one as "inline v1".
    std::string name;
    std::string comment;  ///< The user's own comment above the variable, without its marks; one line per line.
    Place place;
    bool isExported = false;  ///< Whether the variable has default visibility, whatever the compiler's options say.
    PatternSpec pattern;
    std::vector<Carried> carried;     ///< In the order of the sources.
    std::vector<LibraryUse> library;  ///< By name.
    bool operator==(const KernelSpec&) const = default;

    std::string qualifiedName() const;  ///< "stats::rel_diff".

    /// What the kernel has as one of the pattern whose type this is; it has to be one.
    template <class Spec> const Spec& as() const { return std::get<Spec>(pattern); }
    template <class Spec> Spec& as() { return std::get<Spec>(pattern); }
};

inline Pattern patternOf(const KernelSpec& kernel) { return static_cast<Pattern>(kernel.pattern.index()); }

/// Calls `visit` with each signature of a kernel, as its pattern's own type.
template <class Visit> void forEachSignature(const KernelSpec& kernel, Visit&& visit) {
    std::visit([&](const auto& pattern) { llvm::for_each(pattern.signatures, visit); }, kernel.pattern);
}

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
    std::vector<std::string> includes;            ///< System headers, the standard library's among them: "<cmath>".
    std::vector<Declaration> declarations;        ///< In the order of the sources.
    std::vector<std::string> headerIncludes;      ///< Headers of types in signatures: "<complex>", "\"geometry.hpp\"".
    std::vector<Declaration> headerDeclarations;  ///< The spec's own types in signatures, and what they need.
    std::vector<KernelSpec> kernels;
    bool operator==(const UnitSpec&) const = default;
};

/// What a pattern is called in specs, templates and JSON: "forall".
llvm::StringRef keywordOf(Pattern pattern);

llvm::json::Value toJSON(const KernelSpec& kernel);
bool fromJSON(const llvm::json::Value& value, KernelSpec& kernel, llvm::json::Path path);
llvm::json::Value toJSON(const std::vector<UnitSpec>& units);

/// Reads what toJSON wrote; the error names the path of the first value that is missing or wrong.
llvm::Expected<std::vector<UnitSpec>> parseUnitSpecs(llvm::StringRef json);

}  // namespace foldwise
