// generator/model/ForallTasks.cpp: decides how each thread runs several tasks of a forall kernel.
#include "ForallTasks.hpp"

#include <foldwise/detail/limits.hpp>

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace foldwise {

namespace {

/// Bytes of an element, over all views in shared memory: each has a tile in 48 KiB.
constexpr std::uint32_t mostStagedBytes = 48 * 1024 / detail::staged_elements;
/// As many bytes of a view are on their way to a thread if there are tiles enough. Of each tile it has four elements.
constexpr std::uint32_t bytesOnTheirWay = 32, elementsOfTile = 4;
/// With more tiles, elements would take more registers than they save time.
constexpr std::uint32_t mostTiles = 4;
/// With more tiles, threads do not ask of each of their tasks whether it exists (device/forall/task_group.hpp).
constexpr std::uint32_t mostTilesThatAsk = 2;
/// With more axes, tiles are walked in row-major order.
constexpr std::uint32_t mostOrderedAxes = 3;
/// What GPUs read and write of memory at least, and the smallest elements that blocks begin to write at sectors.
constexpr std::uint64_t bytesOfSector = 32, leastOfSector = 4;
/// What a thread of a `vectors` instance accesses at once.
constexpr std::uint32_t bytesOfVector = 16;
/// Tasks that compute more than this wait for their results rather than for memory.
constexpr std::uint64_t mostOperations = 256;
/// What tasks in step save in each turn of their loop, a load and the loop's own instructions, is little beside more
/// operations than that, and registers for four tasks are dear.
constexpr std::uint64_t mostInTurn = 64;

bool isOwn(const ForallParameter& parameter) { return !parameter.own.empty(); }

/// Whether what tasks write of a view waits in registers until all tasks of their thread have run.
bool isHeld(const ForallParameter& parameter) {
    return isOwn(parameter) && parameter.isAssigned && !parameter.isSummed;
}

/// Whether neighbouring tasks write neighbouring elements of a view, but at other places than their own, or only
/// sometimes, and read none. Elements that are all written elsewhere take a sector of memory each, which is what one
/// task for each thread waits for, too.
bool isScattered(const ForallSignature& signature, const ForallParameter& parameter) {
    return parameter.rank > 0 && parameter.access == Access::Write && !parameter.isHandedOn && !isHeld(parameter) &&
           !parameter.moves.empty() && parameter.moves.back() + 1 == signature.indexRank;
}
bool scatters(const ForallSignature& signature) {
    return llvm::any_of(signature.parameters, [&](const ForallParameter& one) { return isScattered(signature, one); });
}

/// Whether all that a thread's tasks read of a view can be loaded before any of them runs.
bool isLoadedBefore(const ForallParameter& parameter) {
    return !parameter.isReadSometimes && (isOwn(parameter) || !parameter.shared.empty());
}

/// Whether several tasks of one thread can load before any of them stores, and gain by it.
bool canTakeSeveral(const ForallSignature& signature) {
    const bool hasScattered = scatters(signature);
    bool isWritten = false, isRead = false;
    for (const ForallParameter& parameter : signature.parameters) {
        if (parameter.rank == 0) continue;
        if (writes(parameter.access) && !isHeld(parameter) && !isScattered(signature, parameter)) return false;
        // The compiler must assume that a task's stores change what the next one loads.
        if (hasScattered && reads(parameter.access) && !isLoadedBefore(parameter)) return false;
        if (parameter.isInLoops && (writes(parameter.access) || !signature.hasLoopInStep)) return false;
        isWritten |= writes(parameter.access);
        isRead |= reads(parameter.access);
    }
    if (hasScattered && !isRead) return false;  // stores wait for nothing
    const auto countOf = [](const Operations& operations) {
        return std::accumulate(operations.counts.begin(), operations.counts.end(), std::uint64_t{0},
                               [](std::uint64_t sum, const OperationCount& one) { return sum + one.count; });
    };
    const std::uint64_t once = countOf(signature.operations);
    const std::uint64_t ofTurns = countOf(signature.operations.withLoopsOnce()) - once;
    const bool mayLoop = signature.operations.repeated.empty() || (signature.hasLoopInStep && ofTurns <= mostInTurn);
    return isWritten && mayLoop && once <= mostOperations;
}

/// Whether a view's own elements are contiguous along another axis of the index than the last.
bool isTurned(const ForallSignature& signature, const ForallParameter& parameter) {
    return isOwn(parameter) && parameter.own.back() + 1 != signature.indexRank;
}

/// Whether the tasks of a row, along the last axis, touch the same element of a view.
bool isOfRows(const ForallSignature& signature, const ForallParameter& parameter) {
    return !parameter.moves.empty() &&
           llvm::all_of(parameter.moves, [&](std::uint32_t axis) { return axis + 1 < signature.indexRank; });
}

/// Whether a thread may load in any case what its tasks read of a view only sometimes. Many tasks share each of these
/// elements, so that caches have them, and no memory is read in vain.
bool canReadAhead(const ForallParameter& parameter) { return parameter.isReadSometimes && !parameter.shared.empty(); }

/// Returns the axis that most views which go through shared memory are contiguous along: that of the first written one,
/// or else of the first one that is read.
std::optional<std::uint32_t> turnedAxis(const ForallSignature& signature) {
    std::optional<std::uint32_t> found;
    for (const bool isWritten : {true, false})
        for (const ForallParameter& parameter : signature.parameters)
            if (!found && writes(parameter.access) == isWritten && isTurned(signature, parameter))
                found = parameter.own.back();
    return found;
}

/// Whether blocks can begin to write at sectors: all that tasks write is contiguous along one axis, and a sector has
/// some elements, but so few that lanes which begin at different ones still read from near rows. A warp would read
/// halves from sixteen rows; and along three axes, places take more instructions than that spares.
bool canBeginAtSectors(const ForallSignature& signature, const ForallTasks& tasks, const ForallParameter& written) {
    const std::uint64_t size = written.type.size;
    const bool isAlike = llvm::all_of(signature.parameters, [&](const ForallParameter& one) {
        return !writes(one.access) || (isOwn(one) && one.own.back() == written.own.back());
    });
    const bool hasReach = llvm::any_of(tasks.reach, [](std::uint32_t reach) { return reach > 0; });
    return isAlike && !hasReach && std::has_single_bit(size) && size >= leastOfSector && size < bytesOfSector &&
           tasks.tiles <= mostTilesThatAsk && signature.indexRank == 2;
}

/// Decides how blocks take tiles in shared memory.
void chooseTiles(const ForallSignature& signature, ForallTasks& tasks) {
    std::uint32_t bytes = 0, largest = 0;
    const ForallParameter *acrossWritten = nullptr, *written = nullptr;
    for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
        const ForallParameter& parameter = signature.parameters[i];
        if (writes(parameter.access) && !written) written = &parameter;
        if (!tasks.isStaged[i]) continue;
        if (writes(parameter.access) && !acrossWritten) acrossWritten = &parameter;
        bytes += parameter.type.size;
        largest = std::max(largest, static_cast<std::uint32_t>(parameter.type.size));
    }
    tasks.tiles = mostTiles;
    while (tasks.tiles > 1 &&
           (tasks.tiles * elementsOfTile * largest > bytesOnTheirWay || tasks.tiles * bytes > mostStagedBytes))
        tasks.tiles /= 2;
    if (acrossWritten) written = acrossWritten;
    const std::uint32_t writtenAxis = acrossWritten ? *tasks.row : signature.indexRank - 1;
    const std::uint32_t readAxis = acrossWritten ? signature.indexRank - 1 : *tasks.row;
    if (canBeginAtSectors(signature, tasks, *written)) {
        tasks.sector = static_cast<std::uint32_t>(bytesOfSector / written->type.size);
        tasks.written = static_cast<std::size_t>(written - signature.parameters.data());
    }
    // Side by side along what is written, there are fewer sectors that two blocks write in parts. Bytes wait for
    // instructions rather than for memory.
    tasks.beside = tasks.sector > 0 || written->type.size == 1 ? readAxis : writtenAxis;
    // Axes that the view does not follow come first, and neighbouring blocks are far apart along them.
    for (std::uint32_t axis = 0; axis < signature.indexRank; ++axis)
        if (!llvm::is_contained(written->own, axis)) tasks.order.push_back(axis);
    tasks.order.insert(tasks.order.end(), written->own.begin(), written->own.end());
    // Along four axes, a choice at launch costs 13 registers, and with them blocks that run at once.
    if (signature.indexRank > mostOrderedAxes) std::iota(tasks.order.begin(), tasks.order.end(), 0);
}

/// Whether tasks that use their index for something else than to name elements gain by being numbered in the order of
/// what they write: they have no loops that would keep them busy, and read nothing around their own elements.
bool canBeNumbered(const ForallSignature& signature) {
    return signature.operations.repeated.empty() && llvm::all_of(signature.parameters, [&](const ForallParameter& one) {
               const bool isWhole = one.own.size() == signature.indexRank && !isTurned(signature, one);
               return one.reach.empty() && (!writes(one.access) || (isOwn(one) && isWhole));
           });
}

}  // namespace

std::optional<ForallTasks> severalTasks(const ForallSignature& signature) {
    if (!canTakeSeveral(signature)) return std::nullopt;
    ForallTasks tasks;
    tasks.reach.resize(signature.indexRank);
    for (const ForallParameter& parameter : signature.parameters)
        for (std::size_t axis = 0; axis < parameter.reach.size(); ++axis)
            tasks.reach[axis] = std::max(tasks.reach[axis], parameter.reach[axis]);
    tasks.row = turnedAxis(signature);
    std::uint32_t bytes = 0, largest = 1;
    for (const ForallParameter& parameter : signature.parameters)
        if (tasks.row && isOwn(parameter) && parameter.own.back() == *tasks.row) bytes += parameter.type.size;
    const bool isTooLarge = bytes > mostStagedBytes;  // for a tile, and a row would be one
    if (isTooLarge) tasks.row.reset();
    const bool stages = tasks.row.has_value();
    for (std::uint32_t axis = 0; !tasks.row && !isTooLarge && axis + 1 < signature.indexRank; ++axis)
        if (tasks.reach[axis] > 0) tasks.row = axis;
    const bool hasScattered = scatters(signature);
    // What is not held needs coordinates, and these need rows as the caller counts them.
    const bool areNumbered =
        !hasScattered && (signature.isElementwise || (!tasks.row && !isTooLarge && canBeNumbered(signature)));
    for (const ForallParameter& parameter : signature.parameters) {
        const bool isStaged = stages && isOwn(parameter) && parameter.own.back() == *tasks.row;
        tasks.isStaged.push_back(isStaged);
        const bool isNumbered = signature.isElementwise || isOwn(parameter);
        const bool areLoadedBefore = areNumbered || (hasScattered && parameter.access == Access::Read);
        if (parameter.rank > 0 && isNumbered)
            largest = std::max(largest, static_cast<std::uint32_t>(parameter.type.size));
        if (isScattered(signature, parameter))
            tasks.accesses.push_back(TaskAccess::Unknown);
        else if (parameter.access == Access::Write)
            tasks.accesses.push_back(TaskAccess::Writes);
        else if (parameter.access == Access::ReadWrite)
            tasks.accesses.push_back(TaskAccess::Updates);
        else if (isStaged || canReadAhead(parameter) ||
                 (areLoadedBefore && parameter.rank > 0 && (isNumbered || !parameter.shared.empty())))
            tasks.accesses.push_back(TaskAccess::Reads);
        else
            tasks.accesses.push_back(parameter.reach.empty() ? TaskAccess::Unknown : TaskAccess::Near);
        // What is loaded only under a condition is waited for before the next condition. What the tasks' places tell of
        // the edges is no such condition, and tiles are loaded whole.
        const bool isLoaded = isStaged || canReadAhead(parameter) || tasks.accesses.back() == TaskAccess::Near;
        if (parameter.access == Access::Read && parameter.isReadSometimes && !isLoaded) return std::nullopt;
    }
    if (stages) chooseTiles(signature, tasks);
    const std::uint32_t width = std::bit_floor(bytesOfVector / largest);
    if (areNumbered && width >= (signature.isElementwise ? 1u : 2u)) {
        tasks.needsIndex = !signature.isElementwise;
        tasks.width = width;
        tasks.hasSeveral = stages || tasks.needsIndex;
        const auto isWritten = [](const ForallParameter& one) { return one.rank > 0 && writes(one.access); };
        tasks.vectorOrder = llvm::find_if(signature.parameters, isWritten)->own;
    }
    const auto isShared = [&](const ForallParameter& one) {
        return one.rank > 0 && reads(one.access) && !isOwn(one) && one.shared.empty() && one.reach.empty() &&
               !one.hasDataPlaces && !isOfRows(signature, one);
    };
    tasks.isLinear = !tasks.row && !isTooLarge && llvm::none_of(signature.parameters, isShared);
    return tasks;
}

std::vector<std::uint32_t> axesOf(const ForallParameter& parameter, TaskAccess access) {
    if (access == TaskAccess::Near) return parameter.moves;
    return parameter.own.empty() ? parameter.shared : parameter.own;
}

}  // namespace foldwise
