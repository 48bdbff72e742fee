// generator/model/ForallSpec.hpp: the model of a forall kernel, as the frontend makes it.
#pragma once

#include "Body.hpp"
#include "ElementType.hpp"
#include "Signature.hpp"

#include <llvm/Support/JSON.h>

#include <optional>
#include <vector>

namespace foldwise {

/// What tasks do with a view's elements.
enum class Access {
    None,       ///< Tasks ask for its extents at most.
    Read,       ///< Elements are read, and none is written.
    Write,      ///< Elements are written, and none is read.
    ReadWrite,  ///< Elements are read and written, or the view is passed to code that is not analysed.
};

inline bool reads(Access access) { return access == Access::Read || access == Access::ReadWrite; }
inline bool writes(Access access) { return access == Access::Write || access == Access::ReadWrite; }

/// The name of an access in JSON, such as "read_write".
llvm::StringRef textOf(Access access);

/// A parameter of the lambda, after the index: a view or a value.
struct ForallParameter {
    std::string name;
    ElementType type;        ///< The type of a view's elements, or of the value.
    std::uint32_t rank = 0;  ///< The number of a view's axes; 0 for a value.
    bool isConst = false;    ///< Whether it is a view<const T, N>.
    Access access = Access::None;
    /// For each of the view's axes, the axis of the index whose coordinate is the element's. Empty unless it is certain
    /// that each task reads or writes the element at these coordinates. If tasks only write, they touch no other.
    std::vector<std::uint32_t> follows;
    /// For each of the view's axes, the axis of the index whose next task touches the next element along it; or the
    /// index's rank, if there is none. Of the first element that tasks touch; empty if nothing is known of it.
    std::vector<std::uint32_t> moves = {};
    /// Whether all that tasks do with the view's elements, which are integers of 4 bytes, is to add to them by
    /// std::atomic_ref without asking for the result, so that the sums can be formed in any memory and any order.
    bool isSummed = false;
    /// Whether a CPU thread can form the sums of its tasks in memory of its own: all that tasks do with the view's
    /// elements, which are numbers of 4 or 8 bytes, is to add to them by std::atomic_ref, which the text of the lambda
    /// names (MarkKind::Sum), and no task could notice.
    bool hasOwnSums = false;
    /// For each of the view's axes, the axis of the index whose coordinate is that of every element that tasks touch,
    /// which they read and assign as values without taking its address. Empty if they touch others, too.
    std::vector<std::uint32_t> own = {};
    /// As `own`, of a view that tasks only read and that has fewer axes than the index, so that tasks share elements.
    std::vector<std::uint32_t> shared = {};
    /// Whether each task certainly assigns its own element.
    bool isAssigned = false;
    /// How far from the coordinates of the index tasks read elements, for each axis of the index; empty if they read
    /// none there but at the coordinates themselves.
    std::vector<std::uint32_t> reach = {};
    /// Whether tasks read some elements only under a condition.
    bool isReadSometimes = false;
    /// Whether tasks touch only those of the view's elements whose first coordinate is their index's.
    bool ownRows = false;
    /// Whether the view is passed to code that is not analysed, so that it is not known what happens to its elements.
    bool isHandedOn = false;
    /// Whether the coordinates of some elements that tasks touch come from elements, of this view or another.
    bool hasDataPlaces = false;
    /// Whether tasks touch elements in loops, so that it is not known how many.
    bool isInLoops = false;
    /// Whether one of the loops of `loopsBody` goes along the view's last axis, in a part that the task's index
    /// chooses.
    bool isLooped = false;
    /// The axes of the view whose extents loops of `loopsBody` end at, each once; empty for all views if some loop ends
    /// elsewhere or takes long for a turn.
    std::vector<std::uint32_t> loopAxes = {};
    bool operator==(const ForallParameter&) const = default;
};

/// The parameter's type as in the user's lambda: "view<const float, 2>", or a value's type.
std::string typeText(const ForallParameter& parameter);

/// Where tasks away from edges end: so far before the end of a view.
struct InnerEnd {
    std::uint32_t axis = 0;       ///< The axis of the index.
    std::uint32_t parameter = 0;  ///< The view.
    std::uint32_t viewAxis = 0;   ///< Its axis.
    std::uint32_t less = 0;       ///< How many tasks before its extent.
    bool operator==(const InnerEnd&) const = default;
};

/// One of a kernel's signatures: the types of the lambda's parameters.
struct ForallSignature : Signature {
    std::vector<ForallParameter> parameters;
    /// Whether tasks use their index for nothing but to name elements by its coordinates, and views for nothing else,
    /// and write some, so that a launch may number the tasks along several axes as if these were one.
    bool isElementwise = false;
    bool hasLoops = false;  ///< Whether there is a `loopsBody`.
    /// Whether one of its loops is run by all tasks alike and reads elements that they share, so that a thread's tasks
    /// gain by running it in step.
    bool hasLoopInStep = false;
    /// Where tasks away from edges begin along each axis of the index, for which conditions that the lambda's text
    /// marks have known values (MarkKind::TrueInside and FalseInside); empty if it has none.
    std::vector<std::uint32_t> innerBegins;
    std::vector<InnerEnd> innerEnds;  ///< Where they end.
    bool operator==(const ForallSignature&) const = default;
};

/// Whether a CPU thread can form the sums of some view in memory of its own.
bool hasOwnSums(const ForallSignature& signature);

/// Whether a CPU thread has a text of its own for tasks away from edges.
inline bool hasEdges(const ForallSignature& signature) { return !signature.innerBegins.empty(); }

/// What makes up a forall kernel besides what kernels of all patterns have.
struct ForallSpec {
    Body body;  ///< What is called for each index.
    /// As `body`, but loops are handed to the object that is its first parameter, for others than a task's thread to
    /// run them: the lanes of a warp, or several tasks of a thread in step.
    std::optional<Body> loopsBody;
    std::vector<ForallSignature> signatures;
    bool operator==(const ForallSpec&) const = default;
};

/// The types whose layout all compilers have to agree on, in the order of the parameters.
std::vector<const ElementType*> elementTypes(const ForallSignature& signature);

/// Whether the functions that are generated for two signatures would differ at most in the ranks of their views, so
/// that one program cannot have both.
bool clash(const ForallSignature& a, const ForallSignature& b);

/// Write and read the JSON of --emit=spec; fromJSON() reports what is wrong at `path`.
llvm::json::Value toJSON(const ForallSpec& spec);
bool fromJSON(const llvm::json::Value& value, ForallSpec& spec, llvm::json::Path path);

}  // namespace foldwise
