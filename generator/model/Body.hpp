// generator/model/Body.hpp: the user's code, as text that can be emitted.
#pragma once

#include "Place.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace foldwise {

/// Why there is a mark in the user's text.
enum class MarkKind {
    Declaration,       ///< A function or variable is declared, and CUDA's __device__ belongs here.
    CallbackTemplate,  ///< A template is declared that the standard library calls, so that it is the host's as well.
    Callback,          ///< A function is declared that the standard library calls, so that it is the host's as well.
    Checked,           ///< The left operand of a division or shift begins, which checked builds look at.
    Assigned,          ///< The left operand of such a compound assignment begins.
    Operator,          ///< The operator of a Checked or Assigned operand.
    BlockCall,         ///< Here is the name of a function of the block whose items several of a thread's are.
    UnrolledLoop,      ///< A loop of a phase begins that CUDA unrolls, with the loops in it.
    Conversion,        ///< Here begins a bool of which a floating-point number is made.
    ConversionEnd,     ///< It ended before what stands here.
    Sum,               ///< Here begins the name of std::atomic_ref where a CPU thread may add in memory of its own.
    SumEnd,            ///< It ended before what stands here.
    TrueInside,        ///< Here begins a condition that is true for all tasks away from edges.
    FalseInside,       ///< Here begins one that is false for them.
    InsideEnd,         ///< It ended before what stands here.
    HalfType,          ///< Here begins the name of half where vector code has float.
    HalfTypeEnd,       ///< It ended before what stands here.
    /// Here is `||` or `&&` whose right operand costs less to compute than to branch around, without any other effect.
    ShortCircuit,
    ShortCircuits,     ///< Here begins an expression that has to be a bool again if it has these.
    ShortCircuitsEnd,  ///< It ended before what stands here.
    BitField,  ///< Here begins an operand that is a bit-field: a reference to it would forget how many bits it has.
};

/// A place in the user's text where emitted code differs from it.
struct Mark {
    std::uint32_t offset = 0;  ///< Bytes into the text; several marks may have the same offset.
    MarkKind kind = MarkKind::Declaration;
    /// For a BlockCall, the number of items of a thread; 0 if it has one. For a HalfType among parameters, which of
    /// them.
    std::uint32_t number = 0;
    bool operator==(const Mark&) const = default;
};

/// Pragmas that hold where the user's text stands, without their `#pragma`.
struct SurroundingPragmas {
    std::vector<std::string> before;  ///< The pragmas before the text: "pack(push, 1)".
    std::vector<std::string> behind;  ///< The pragmas after the text that end them: "pack(pop)".
    bool operator==(const SurroundingPragmas&) const = default;
};

/// What a kernel calls: a lambda of the spec, taken apart so that it can be emitted as a function of the kernel's name,
/// or a function or object of the user's.
struct Body {
    Place place;                     ///< The place of the first line of `parameters`.
    std::string templateParameters;  ///< "<class T>", or empty.
    std::string parameters;          ///< "(auto x, auto y)".
    std::string resultType;          ///< What follows "->", or empty.
    std::string block;               ///< "{ return x; }", macros expanded.
    std::vector<Mark> marks;         ///< The marks in `block`.
    SurroundingPragmas pragmas;
    /// The user's own function that is called as it is, "::FOLDWISE_BACKEND::stats::twice"; the text is empty then.
    std::string callee = {};
    /// Whether the text is that of a function object, "() { return scale{2}; }", and what it returns is called.
    bool makesObject = false;
    std::vector<Mark> parameterMarks = {}, resultMarks = {};  ///< The marks in `parameters` and `resultType`.
    bool operator==(const Body&) const = default;
};

}  // namespace foldwise
