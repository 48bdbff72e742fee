// generator/frontend/Pragmas.hpp: decides what becomes of the pragmas in and around the code that is carried along.
#pragma once

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace foldwise {

/// One pragma that the preprocessor has seen, written as a directive or as an operator.
struct Pragma {
    enum class Fate {
        Carried,  ///< `carried` stands in its place.
        Dropped,  ///< It says nothing about the machine code of a kernel.
        Lost,     ///< It is left out although it says something, and the user is told.
    };

    clang::SourceLocation location;  ///< The place of the `#`, or of `_Pragma`.
    bool isDirective = true;
    std::string text;      ///< What follows `#pragma`, macros expanded: "unroll 4".
    std::size_t next = 0;  ///< The number of the token behind it.
    Fate fate = Fate::Lost;
    std::string carried;  ///< Without line breaks: "#pragma pack(1)", or one of Foldwise's macros.

    /// Whether one of Foldwise's macros stands for it, which tell compilers of kernels what to do with a loop.
    bool isLoopHint() const { return fate == Fate::Carried && llvm::StringRef(carried).starts_with("FOLDWISE_"); }

    /// The carried text as an operator, which may stand within a line.
    std::string asOperator() const;
};

/// What pragmas say of all that follows them, as far as it holds at some place.
struct PragmaState {
    std::uint32_t pack = 0;            ///< The most that a member is aligned to, in bytes; 0 for as much as it needs.
    std::vector<std::string> ignored;  ///< Warnings that are switched off: "-Wshadow", quoted.
    std::vector<std::string> visibility;   ///< The nested settings for symbols; the last one holds.
    std::vector<std::size_t> lost;         ///< The numbers of lost pragmas that choose how functions are compiled.
    std::vector<std::size_t> lostInBlock;  ///< The numbers of such pragmas whose effect ends with their block.
};

/// Records the pragmas of a translation unit in their order.
class Pragmas {
  public:
    /// Listens to the preprocessor. `nextToken` is asked for the number of the token that comes next.
    Pragmas(clang::Preprocessor& preprocessor, std::function<std::size_t()> nextToken);
    ~Pragmas();

    /// Whether a token is part of a directive: Clang's parser reads those of some pragmas itself.
    bool isWithinDirective(clang::SourceLocation token) const;

    /// The pragmas between the token of a number and the one before it.
    llvm::ArrayRef<Pragma> before(std::size_t token) const;

    /// What holds at the token of a number.
    const PragmaState& stateAt(std::size_t token) const;

    const Pragma& operator[](std::size_t number) const { return pragmas_[number]; }

  private:
    class Recorder;
    class Simulation;

    const clang::SourceManager& sources_;
    std::vector<Pragma> pragmas_;
    std::vector<PragmaState> states_;  // the one before all pragmas, and the one behind each
    llvm::DenseMap<clang::FileID, std::vector<std::pair<unsigned, unsigned>>> directives_;  // offsets: begin, end
};

}  // namespace foldwise
