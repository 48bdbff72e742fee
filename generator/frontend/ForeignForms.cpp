// generator/frontend/ForeignForms.cpp: recognises such forms by the message, the types and names in it, and the text at
// its place.
#include "ForeignForms.hpp"

#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/StringSwitch.h>

namespace foldwise {

using namespace clang;

namespace {

/// The line that a message is about, up to its place and from there on.
struct Line {
    llvm::StringRef before, after;
};

Line lineAt(const Diagnostic& message) {
    if (!message.hasSourceManager() || message.getLocation().isInvalid()) return {};
    const SourceManager& sources = message.getSourceManager();
    const auto [file, offset] = sources.getDecomposedSpellingLoc(message.getLocation());
    const llvm::StringRef text = sources.getBufferData(file);
    const llvm::StringRef before = text.take_front(offset), after = text.drop_front(offset);
    return {before.drop_front(before.rfind('\n') + 1), after.take_until([](char c) { return c == '\n'; })};
}

/// The class of one of a message's arguments, without the arguments of its template: "foldwise::view"; empty if the
/// argument is something else.
std::string classIn(const Diagnostic& message, unsigned argument) {
    if (message.getNumArgs() <= argument) return "";
    const CXXRecordDecl* record = nullptr;
    switch (message.getArgKind(argument)) {
    case DiagnosticsEngine::ak_qualtype:
        record = QualType::getFromOpaquePtr(reinterpret_cast<void*>(message.getRawArg(argument)))
                     .getNonReferenceType()
                     ->getAsCXXRecordDecl();
        break;
    case DiagnosticsEngine::ak_declcontext:
        record = dyn_cast<CXXRecordDecl>(reinterpret_cast<const DeclContext*>(message.getRawArg(argument)));
        break;
    default:
        break;
    }
    return record ? record->getQualifiedNameAsString() : "";
}

QualType typeIn(const Diagnostic& message, unsigned argument) {
    return message.getNumArgs() > argument && message.getArgKind(argument) == DiagnosticsEngine::ak_qualtype
               ? QualType::getFromOpaquePtr(reinterpret_cast<void*>(message.getRawArg(argument)))
               : QualType();
}

bool isFloating(QualType type) { return !type.isNull() && type->isRealFloatingType(); }

llvm::StringRef nameIn(const Diagnostic& message, unsigned argument, std::string& storage) {
    if (message.getNumArgs() <= argument) return "";
    switch (message.getArgKind(argument)) {
    case DiagnosticsEngine::ak_declarationname:
        return storage = DeclarationName::getFromOpaqueInteger(message.getRawArg(argument)).getAsString();
    case DiagnosticsEngine::ak_identifierinfo:
        return message.getArgIdentifier(argument)->getName();
    default:
        return "";
    }
}

constexpr llvm::StringRef forPowers = "C++ has no operator for powers: write x * x, or std::pow(x, y) of <cmath>";
constexpr llvm::StringRef forSeveral =
    "several results are returned as a tuple: return std::tuple{a, b}, with #include <tuple>";
constexpr llvm::StringRef forIterators =
    "a view in a kernel has extents and no iterators: write for (std::int64_t i = 0; i < x.extent(0); ++i), with x[i]";

constexpr llvm::StringRef forReadAtomics =
    "this changes an element that is only read: a view<const T, N> is only read, and a kernel writes to a view<T, N>";
constexpr llvm::StringRef forDrawn =
    "it is a stream, and its draws are the numbers: foldwise::random(seed, i).uniform(), or normal<double>(), "
    "exponential(), below(n) and bits()";
constexpr llvm::StringRef forDraws = "a draw changes its state: leave const out; states in an array are a "
                                     "foldwise::view<foldwise::xoroshiro128p, 1>, and "
                                     "draws are from states[i] or a reference to it, auto& state = states[i]";
constexpr llvm::StringRef forScaledDraws =
    "draws are from a fixed distribution, uniform() in [0, 1) and normal() with mean 0 and deviation 1: write low + "
    "(high - low) * r.uniform(), or mean + deviation * r.normal()";
constexpr llvm::StringRef forDistributions = "draws are uniform(), normal(), exponential(), below(n) and bits()";
constexpr llvm::StringRef forStreams = "a seed and a number make a stream of its own for each element: "
                                       "foldwise::random(seed, i), where i may be the index";
constexpr llvm::StringRef forObjects = "an object of it is meant: write {} behind it, as in std::plus<>{}";
constexpr llvm::StringRef forLists = "three values are a list in braces: std::max({x, y, z})";

/// What the types of a lambda's parameters are, where they are written as templates without arguments.
llvm::StringRef withoutArguments(const Line& line) {
    llvm::StringRef type = line.after;
    type.consume_front("foldwise::");
    if (type.starts_with("index") || type.starts_with("block"))
        return "write the number of axes, as in foldwise::index<1> or foldwise::block<2>";
    if (type.starts_with("view") || type.starts_with("around"))
        return "write the type of elements and the number of axes, as in foldwise::view<const float, 1>";
    return "";
}

/// What to write for a draw that no function makes: `r.uniform(0.0f, 1.0f)`, or one of a state that is const.
llvm::StringRef ofDraw(llvm::StringRef name, const Line& line) {
    if (name != "uniform" && name != "normal") return "";
    const llvm::StringRef arguments = line.after.split('(').second.ltrim();
    return arguments.starts_with(")") ? forDraws : forScaledDraws;
}

/// Whether a note is about std::max or std::min, given a number where a function that compares may stand.
bool comparesWithNumber(const Diagnostic& message) {
    if (message.getNumArgs() == 0 || message.getArgKind(0) != DiagnosticsEngine::ak_nameddecl) return false;
    const auto* function = dyn_cast<FunctionDecl>(reinterpret_cast<const NamedDecl*>(message.getRawArg(0)));
    if (!function || !function->isInStdNamespace() || function->getNumParams() != 3) return false;
    const std::string name = function->getNameAsString();
    return (name == "max" || name == "min") && function->getParamDecl(2)->getType()->isArithmeticType();
}

/// Whether a lambda returns a value with its place, and elsewhere a place alone, as foldwise::nowhere is.
bool mixesPlaced(const Diagnostic& message) {
    for (const unsigned one : {0U, 1U}) {
        const QualType other = typeIn(message, 1 - one);
        if (classIn(message, one) == "foldwise::placed" && !other.isNull() && other->isIntegerType()) return true;
    }
    return false;
}

/// `x % 1.5`, `2 * z` of a complex number, `index + 1`, `a + b` of views.
llvm::StringRef ofOperands(const Diagnostic& message, const Line& line) {
    const std::string left = classIn(message, 0), right = classIn(message, 1);
    const auto either = [&](llvm::StringRef name) { return left == name || right == name; };
    if (either("foldwise::random") || either("foldwise::xoroshiro128p")) return forDrawn;
    if (either("std::complex"))
        return "the standard library's complex numbers meet their own part's type alone: write 2.0 * z for a "
               "std::complex<double> z, 2.0f * z for floats, and std::complex<double>(0, 1) for 1j";
    if (either("foldwise::index"))
        return "an index is a place: its coordinates are the numbers to compute with, as at[0] and at[1]";
    if (either("foldwise::view") || either("foldwise::around"))
        return "operators work on elements, as in x[i] + y[i], and not on arrays";
    if (!isFloating(typeIn(message, 0)) && !isFloating(typeIn(message, 1))) return "";
    if (line.after.starts_with("%"))
        return "% is for integers: write std::fmod(x, y) of <cmath>, whose result has the sign of x; "
               "x - y * std::floor(x / y) is Python's";
    return line.after.starts_with("^") ? forPowers : "";
}

/// What is not there in a block, and is in those of other libraries.
llvm::StringRef ofBlock(llvm::StringRef name) {
    return llvm::StringSwitch<llvm::StringRef>(name)
        .Cases({"sync", "barrier", "wait"},
               "items wait for each other between phases: what follows the wait is a b.each(...) of its own")
        .Cases({"reduce", "sum", "max", "min", "all", "any"},
               "b.fold(x, op) combines the items' own variables: auto x = b.own(0.0f), of which a phase sets x[t], and "
               "then b.fold(x, std::plus<>{})")
        .Cases({"scan", "cumsum", "inclusive_sum", "exclusive_sum", "prefix_sum"},
               "the scans are b.inclusive_scan(x, op) and b.exclusive_scan(x, initial, op), of the items' own "
               "variables: auto x = b.own(0.0f)")
        .Cases({"for_each", "foreach", "for_all", "parallel_for", "run"},
               "a phase is b.each([&](foldwise::index<1> t) { ... }), and what runs once for the block is b.once(...)")
        .Cases({"size", "dim", "dims", "shape", "width", "height", "items"},
               "b.extent(0) is how many items a block has along the first axis")
        .Cases(
            {"index", "id", "thread", "thread_index", "thread_id", "thread_rank", "item", "global_index", "position"},
            "a phase is given the item, as t in b.each([&](foldwise::index<1> t) { ... }): b.at(t) is its index "
            "among those of all blocks, and b.number(0) is the block's own number")
        .Cases({"block_index", "block_id", "group_index", "coord", "coords"},
               "b.number(0) is the block's own number along the first axis")
        .Cases({"count", "counts", "num_blocks", "blocks", "grid", "grid_dim", "number_of_blocks"},
               "a block does not know how many blocks there are: take the number as a parameter, or the extent of a "
               "view, as x.extent(0)")
        .Default("");
}

/// What is not there in a view, and is in an array of NumPy's.
llvm::StringRef ofMember(llvm::StringRef owner, llvm::StringRef name) {
    if (owner == "std::atomic_ref")
        return llvm::StringSwitch<llvm::StringRef>(name)
            .Cases({"fetch_max", "fetch_min", "max", "min"},
                   "write for (T seen = at.load(); seen < value && !at.compare_exchange_weak(seen, value);) {} with "
                   "std::atomic_ref at(element), and value < seen for a minimum")
            .Cases({"add", "sub"}, "write fetch_add(value) or fetch_sub(value)")
            .Cases(
                {"fetch_add", "fetch_sub"},
                "there is no such operation for these elements: write a loop around compare_exchange_weak(seen, value)")
            .Default("");
    if (owner == "foldwise::block") return ofBlock(name);
    if (owner == "foldwise::index") return "coordinates are at[0], at[1] and so on";
    if (owner == "foldwise::random") return forDistributions;
    if (owner != "foldwise::view" && owner != "foldwise::around") return "";
    return llvm::StringSwitch<llvm::StringRef>(name)
        .Cases({"shape", "dims", "rows", "cols", "columns", "width", "height", "length", "len"},
               "x.extent(0) is the number of elements along the first axis, and x.size() that of all")
        .Cases({"ndim", "rank"}, "the number of axes is the second argument of the view's type, the N of view<T, N>")
        .Cases({"begin", "end", "cbegin", "cend", "rbegin", "rend"}, forIterators)
        .Cases({"sum", "prod", "mean", "std", "var", "min", "max", "argmin", "argmax", "any", "all", "dot", "cumsum"},
               "a view has no such function: fold in a loop over x.extent(0), or let a foldwise::reduce or "
               "foldwise::scan do it for whole arrays")
        .Cases({"T", "transpose", "permute"},
               "swap the coordinates, as in x(j, i), or call the kernel with x.transpose()")
        .Cases({"reshape", "flat", "flatten", "ravel", "view"},
               "the shape of a view is the call's to say: call the kernel with x.reshape({rows, columns})")
        .Cases({"copy", "fill", "astype"}, "a kernel reads and writes single elements, as in out[i] = x[i]")
        .Cases({"row", "col", "column"},
               "x(i, j) is the element in row i and column j; a kernel of rows is made by foldwise::guvectorize")
        .Cases({"at", "item", "get"}, "the element in row i and column j is x(i, j), and x[at] with a foldwise::index")
        .Default("");
}

/// Calls of Foldwise's own functions, where none takes these arguments.
llvm::StringRef ofCall(llvm::StringRef callee, const Line& line) {
    if (line.after.starts_with("std::" + callee.str()) && (callee == "max" || callee == "min"))
        return "both arguments have one type, as in std::max(x, 0.0f) for a float x or std::max<double>(n, x), and "
               "three are "
               "a list: "
               "std::max({x, y, z})";
    if (callee == "clamp" && line.after.starts_with("std::clamp"))
        return "all three arguments have one type, as in std::clamp(x, 0.0f, 1.0f) or std::clamp<float>(x, 0, 1)";
    if (callee == "random" && line.after.starts_with("random"))
        return "the C library has a function of this name: write foldwise::random";
    if (!line.after.starts_with("foldwise::")) return "";
    return llvm::StringSwitch<llvm::StringRef>(callee)
        .Case("vectorize", "it takes a lambda or a function, and signatures as types: "
                           "foldwise::vectorize<float(float, float)>([](auto x, auto y) { ... })")
        .Case("guvectorize", "it takes the layout and then the lambda: foldwise::guvectorize(\"(m,n),(n)->(m)\", "
                             "[](foldwise::view<const float, 2> a, ...) { ... })")
        .Case("stencil", "it takes the lambda and what is beyond the edges, with a foldwise::radius between them where "
                         "offsets are not constants: foldwise::stencil([](foldwise::around<const float, 2> a) { ... }, "
                         "foldwise::edge::constant(0))")
        .Case("blocks", "it takes the extents of a block as template arguments, and the lambda: foldwise::blocks<16, "
                        "16>([](foldwise::block<2> b, ...) { ... })")
        .Case("at", "the place comes first, an integer or a foldwise::index, and then the value: at(place, value), or "
                    "at(foldwise::index<2>(y, x), value) in a grid")
        .Case("forall", "it takes a lambda, whose first parameter is a foldwise::index; signatures are types: "
                        "foldwise::forall<void(foldwise::view<float, 1>)>(...)")
        .Default("");
}

}  // namespace

llvm::StringRef insteadOfStandards(const Diagnostic& message) {
    switch (message.getID()) {
    case diag::err_typecheck_assign_const:
    case diag::err_atomic_op_needs_non_const_pointer:
        break;
    default:
        return "";
    }
    if (!message.hasSourceManager() || message.getLocation().isInvalid()) return "";
    const SourceManager& sources = message.getSourceManager();
    const bool isAtomics = sources.getFilename(sources.getSpellingLoc(message.getLocation())).contains("atomic");
    return isAtomics ? forReadAtomics : "";
}

llvm::StringRef insteadOfOrder(const Diagnostic& message) {
    if (message.getID() != diag::err_typecheck_invalid_operands) return "";
    if (classIn(message, 0) != "std::complex" && classIn(message, 1) != "std::complex") return "";
    const llvm::StringRef after = lineAt(message).after;
    const bool isOrder =
        (after.starts_with("<") && !after.starts_with("<<")) || (after.starts_with(">") && !after.starts_with(">>"));
    return isOrder ? "complex numbers have no order: compare their magnitudes, as in std::norm(a) < std::norm(b), or "
                     "std::abs, or their real parts, a.real() < b.real()"
                   : "";
}

llvm::StringRef insteadOfForm(const Diagnostic& message) {
    std::string storage;
    switch (message.getID()) {
    case diag::err_typecheck_indirection_requires_pointer:
        return lineAt(message).before.ends_with("*") ? forPowers : "";
    case diag::err_expected_semi_after_stmt: {
        const llvm::StringRef rest = lineAt(message).after.ltrim();
        if (rest.starts_with("//"))
            return "// begins a comment: integers are divided by x / y, which rounds towards zero";
        if (rest.starts_with("if ")) return "a choice is written as condition ? x : y";
        return "";
    }
    case diag::err_typecheck_invalid_operands:
        return ofOperands(message, lineAt(message));
    case diag::err_typecheck_convert_incompatible:
    case diag::err_typecheck_nonviable_condition:
        for (unsigned i = 0; i < message.getNumArgs(); ++i)
            if (llvm::is_contained({"foldwise::random", "foldwise::xoroshiro128p"}, classIn(message, i)))
                return forDrawn;
        return "";
    case diag::err_for_range_invalid:
        return classIn(message, 0) == "foldwise::view" ? forIterators : "";
    case diag::err_no_member:
    case diag::err_no_member_suggest:
        return ofMember(classIn(message, 1), nameIn(message, 0, storage));
    case diag::err_ovl_no_viable_function_in_call:
        return ofCall(nameIn(message, 0, storage), lineAt(message));
    case diag::err_ovl_no_viable_subscript:
        if (classIn(message, 0) == "foldwise::around")
            return "offsets stand in parentheses, as in a(-1, 0), or are a foldwise::index in brackets";
        return lineAt(message).after.contains("[\"") ? "members are named without quotes, as in p.x" : "";
    case diag::err_typecheck_assign_const:
        for (unsigned i = 0; i < message.getNumArgs(); ++i) {
            if (message.getArgKind(i) != DiagnosticsEngine::ak_nameddecl) continue;
            const auto* method = dyn_cast<CXXMethodDecl>(reinterpret_cast<const NamedDecl*>(message.getRawArg(i)));
            if (method && method->getParent()->getQualifiedNameAsString() == "foldwise::view")
                return "a view<const T, N> is only read: a kernel writes to a view<T, N>, which for guvectorize is an "
                       "output";
        }
        return "";
    case diag::err_ovl_no_viable_function_in_init:
        return classIn(message, 0) == "foldwise::random" ? forStreams : "";
    case diag::err_ovl_no_viable_conversion_in_cast:
        return classIn(message, 2) == "foldwise::random" ? forStreams : "";
    case diag::err_expected_lparen_after_type:
        return lineAt(message).before.rtrim().ends_with(">") ? forObjects : "";
    case diag::warn_falloff_nonvoid:
    case diag::err_falloff_nonvoid:
        return "return a value here too: a kernel that ends without one has no defined result";
    case diag::err_lambda_return_init_list:
        return forSeveral;
    case diag::warn_unused_comma_left_operand:
        return lineAt(message).before.rtrim().ends_with("return") ? forSeveral : "";
    case diag::err_auto_not_allowed:
        return withoutArguments(lineAt(message));
    case diag::err_ovl_no_viable_member_function_in_call:
        return ofDraw(nameIn(message, 0, storage), lineAt(message));
    case diag::err_member_function_call_bad_cvr:
        return classIn(message, 1) == "foldwise::xoroshiro128p" ? forDraws : "";
    case diag::note_function_template_spec_here:
        return comparesWithNumber(message) ? forLists : "";
    case diag::err_typecheck_invalid_restrict_not_pointer:
    case diag::err_typecheck_invalid_restrict_not_pointer_noarg:
        return "leave __restrict__ out: a view is no pointer, and what a kernel only reads is a view<const T, N>";
    case diag::err_missing_type_specifier:
        return lineAt(message).after.starts_with("foldwise::") || lineAt(message).before.ends_with("foldwise::")
                   ? "a kernel is a variable with a name, by which programs call it: auto scaled = "
                     "foldwise::vectorize(...);"
                   : "";
    case diag::err_typecheck_missing_return_type_incompatible:
        return mixesPlaced(message)
                   ? "a value that goes nowhere is placed, too: return foldwise::at(foldwise::nowhere, value)"
                   : "write the type that all of them are to have, as in [](double x) -> double";
    default:
        return "";
    }
}

}  // namespace foldwise
