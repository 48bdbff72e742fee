// generator/frontend/TaskWays.hpp: which tasks of a forall kernel, or items of a block, come to an access of an
// element, and where it is.
#pragma once

#include "ForallValues.hpp"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <vector>

namespace foldwise {

/// What has to hold for a task to come to an access.
struct Guard {
    const clang::Expr* condition;
    bool holds;
};

/// A `for` around an access, with a variable that only its header changes.
struct Turns {
    const clang::ForStmt* loop;
    const clang::VarDecl* variable;
};

/// The way from a body to an access.
class TaskWay {
  public:
    TaskWay(const ForallValues& values, const clang::Expr& access);

    bool isClear = true;  ///< Else it is not known which tasks come there.
    std::vector<Guard> guards;
    std::vector<Turns> loops;  ///< The outermost first.

  private:
    bool pass(const clang::Stmt& outer, const clang::Stmt& inner);
    bool passBefore(const clang::CompoundStmt& block, const clang::Stmt& inner);
    bool passLoop(const clang::ForStmt& loop, const clang::Stmt& inner);

    const ForallValues& values_;
};

/// A part of an element: a number for each member or place in an array that leads to it, none for the whole.
using ElementPart = std::vector<std::int64_t>;

/// A task that comes to an access.
struct Arrival {
    const ForallSetting& setting;
    std::vector<std::int64_t> place;  ///< The element's coordinates.
    ElementPart part;                 ///< The part of the element that is accessed.
    const clang::Expr* data;          ///< What they come from if they come from data; else null.
};

/// Has tasks come to an access, in one trial.
class Arrivals {
  public:
    Arrivals(const ForallValues& values, const TaskWay& way, const clang::CXXOperatorCallExpr& element, unsigned trial)
        : Arrivals(values, way, element, element, trial) {}
    /// `accessed` is the element or a part of it: `x[i].of[k]`.
    Arrivals(const ForallValues& values, const TaskWay& way, const clang::CXXOperatorCallExpr& element,
             const clang::Expr& accessed, unsigned trial)
        : values_(values), way_(way), element_(element), accessed_(accessed) {
        setting_.trial = trial;
    }

    /// Visits those that come there, of so many tasks along each axis of the index, until `visit` returns false. Of a
    /// block's items along an axis, these are as many at the beginning as at the end.
    void visit(llvm::ArrayRef<std::int64_t> sides, llvm::function_ref<bool(const Arrival&)> visit);

    bool isKnown = true;         ///< Whether it is known for each who comes there, and where that is.
    bool isConditional = false;  ///< Whether that is up to data.
    ForallValues::Assumptions guardAssumptions, placeAssumptions;

  private:
    void enter(std::size_t number);
    void arrive();

    const ForallValues& values_;
    const TaskWay& way_;
    const clang::CXXOperatorCallExpr& element_;
    const clang::Expr& accessed_;
    ForallSetting setting_;
    llvm::function_ref<bool(const Arrival&)> visit_;
    std::int64_t mostTurns_ = 16;  // of each loop of constants
    bool goesOn_ = true;
};

/// The coordinates of an element in one task; nothing if they are not known. `data` is set to what they come from, if
/// they come from data.
std::optional<std::vector<std::int64_t>> placeOf(const ForallValues& values, const clang::CXXOperatorCallExpr& element,
                                                 const ForallSetting& setting, const clang::Expr*& data,
                                                 ForallValues::Assumptions* assumptions = nullptr);

/// The part of an element that an expression is, in one task; nothing if it is not known. Of members of a union and of
/// bit-fields, which may share memory with others, it is what they are a part of. `data` is set as by placeOf().
std::optional<ElementPart> partOf(const ForallValues& values, const clang::Expr& accessed, const ForallSetting& setting,
                                  const clang::Expr*& data, ForallValues::Assumptions* assumptions = nullptr);
/// Whether two parts of one element have something in common: one begins with all numbers of the other.
bool overlap(const ElementPart& a, const ElementPart& b);

/// The tasks along each axis that are looked at: the items of a block, else this many.
std::vector<std::int64_t> sidesOf(const ForallValues& values, std::int64_t tasks);

/// "(0, 1)": a task.
std::string taskText(const ForallValues& values, const ForallSetting& setting);
/// "0" or "(0, 1)": an element.
std::string placeText(const std::vector<std::int64_t>& place);
/// " if n is 2 and m is 2"; empty if nothing is assumed.
std::string assumptionText(const ForallValues::Assumptions& assumptions);

}  // namespace foldwise
