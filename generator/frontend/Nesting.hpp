// generator/frontend/Nesting.hpp: measures how deeply code is nested. Most analyses are recursive, so that code that is
// nested too deeply has to be refused before they run.
#pragma once

#include <clang/AST/DeclBase.h>

#include <map>

namespace foldwise {

/// The most levels that statements, expressions and the calls of functions may have within each other, from a kernel's
/// lambda down. The tool's stack (DeepStack.hpp) has room for more.
inline constexpr unsigned mostLevels = 100'000;

/// How deeply a declaration is nested, and where.
struct Nesting {
    unsigned levels = 0;            ///< Levels of nested statements and expressions, and one for the call itself.
    clang::SourceLocation deepest;  ///< The place of the deepest one.
};

/// Nestings, found once for each declaration. Finding them takes no stack.
class Nestings {
  public:
    /// The nesting of a function's body, a variable's initializer, or all members of a class, without what they call.
    const Nesting& of(const clang::Decl& declaration);

  private:
    std::map<const clang::Decl*, Nesting> known_;
};

/// Goes down into a declaration for as long as it lives, if there is room.
class Descent {
  public:
    /// `depth`: the levels above, to which this adds its own.
    Descent(Nestings& nestings, const clang::Decl& declaration, unsigned& depth);
    Descent(const Descent&) = delete;
    ~Descent() { depth_ -= levels_; }

    bool hasRoom() const { return depth_ <= mostLevels; }
    const Nesting& nesting() const { return nesting_; }

  private:
    const Nesting& nesting_;
    unsigned levels_;
    unsigned& depth_;
};

}  // namespace foldwise
