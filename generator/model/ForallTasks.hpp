// generator/model/ForallTasks.hpp: how each thread runs several tasks of a forall kernel.
#pragma once

#include "ForallSpec.hpp"

#include <optional>
#include <vector>

namespace foldwise {

/// How the `several` instance of a kernel treats a view.
enum class TaskAccess {
    Unknown,  ///< As other instances do, because nothing is known of where tasks touch it.
    Near,     ///< Tasks read around the place that their index gives.
    Reads,    ///< Tasks read only their own elements, which are loaded before they run: a tile into shared memory, or
              ///< those of a thread into its registers.
    Writes,   ///< Tasks assign only their own elements, which are stored when all of a thread's tasks have run.
    Updates,  ///< As Writes, and tasks read their own elements.
};

/// What was decided for the `several` and the `vectors` instance of a kernel.
struct ForallTasks {
    /// The axis of the index along which the tasks of a thread are neighbours, so that they share what they read, or
    /// exchange a tile. Nothing if they are far apart.
    std::optional<std::uint32_t> row;
    std::vector<std::uint32_t> reach;  ///< For each axis of the index, how far from the task elements are read.
    std::vector<TaskAccess> accesses;  ///< How each parameter is accessed.
    /// How many tasks each vector of a `vectors` instance has, whose elements are 16 bytes of the view with the largest
    /// ones; 0 if there is no such instance. A thread has detail::vectors_of_thread() of them.
    std::uint32_t width = 0;
    /// The axes of the index in the order of the first view that is written, in which such an instance numbers tasks.
    std::vector<std::uint32_t> vectorOrder;
    bool needsIndex = false;     ///< Whether such tasks use their index for something else than to name elements.
    bool hasSeveral = true;      ///< Whether there is a `several` instance.
    std::vector<bool> isStaged;  ///< Whether each parameter goes through shared memory.
    /// How many tiles in shared memory a block has, in each of which a thread has as many tasks as one of other kernels
    /// has in all; 0 if nothing goes through shared memory. Small elements have two or four, so that enough bytes are
    /// on their way to each thread.
    std::uint32_t tiles = 0;
    /// The axis along which these tiles are neighbours.
    std::uint32_t beside = 0;
    /// If blocks can begin to write at sectors of memory: the elements of one, and the parameter that is written.
    std::uint32_t sector = 0;
    std::size_t written = 0;
    /// The axes in the order in which blocks walk along them, so that those that follow one another write memory that
    /// is near. Where row-major order does so, too, a launch takes that.
    std::vector<std::uint32_t> order;
    /// Whether tasks are far apart, and as far as is known, none that are neighbours along other axes than the last one
    /// read the same elements.
    bool isLinear = false;
};

/// Returns how threads take several tasks; nothing if they cannot, or if nothing would be gained: tasks have loops
/// other than one that they can run in step, or compute much; or they write elements that are not certainly their own,
/// and these are not beside those of neighbouring tasks, or what they read cannot all be loaded before.
std::optional<ForallTasks> severalTasks(const ForallSignature& signature);

/// The axes of the index that a view's axes follow, as the kernel's parameter names them: "0, 1".
std::vector<std::uint32_t> axesOf(const ForallParameter& parameter, TaskAccess access);

}  // namespace foldwise
