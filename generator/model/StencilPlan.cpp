// generator/model/StencilPlan.cpp: plans stencil kernels.
#include "Instances.hpp"
#include "KernelPlan.hpp"
#include "StencilThread.hpp"

#include <algorithm>
#include <set>

namespace foldwise {

// Measurements: docs/performance/notes/stencil.md, "Vectors of neighbours, and windows in registers".

/// The 32-bit registers that the windows and results of a thread may take: about half of the 255 that a thread can
/// have. The others are left for coordinates and for what the lambda computes.
static constexpr unsigned mostRegisters = 128;

/// The most elements around an element that are read from registers: compilers unroll loops over so many.
static constexpr unsigned mostReads = 32;

/// The most cells of a thread's windows, read or not: compilers go through all of them.
static constexpr std::uint64_t mostCells = 1024;

/// The most vectors of a thread, and the most elements of one that has no vectors, powers of two: with more of them,
/// hardly more loads are shared.
static constexpr unsigned mostPlanes = 4, mostElements = 8;

namespace {

/// The coordinates of a cell in a window.
using Place = std::vector<std::uint32_t>;

/// Adds to `all` the places of a box, of which `along` has the cells along each axis and `place` the first coordinates.
void addBox(const std::vector<Cells>& along, Place& place, std::set<Place>& all) {
    if (place.size() == along.size()) {
        all.insert(place);
        return;
    }
    const Cells& cells = along[place.size()];
    for (std::uint32_t i = 0; i < cells.count; ++i) {
        place.push_back(cells.first + i);
        addBox(along, place, all);
        place.pop_back();
    }
}

/// The first of the last three axes, along which the vectors of a thread follow each other.
std::size_t marchedAxis(const StencilSignature& signature) { return signature.rank > 3 ? signature.rank - 3 : 0; }

/// Whether what a thread with `planes` vectors of `width` elements reads and computes has room in registers.
bool fits(const StencilSignature& signature, unsigned width, unsigned planes) {
    const auto registersOf = [](const ElementType& type) { return (type.size + 3) / 4; };
    const std::size_t last = signature.rank - 1, marched = marchedAxis(signature);
    std::uint64_t cells = signature.around.size();
    for (std::size_t axis = 0; axis <= last; ++axis)
        cells *= signature.reach[axis].before + signature.reach[axis].behind +
                 (axis == last      ? width
                  : axis == marched ? planes
                                    : 1);
    if (last == marched) cells *= planes;
    if (cells > mostCells) return false;
    unsigned registers = 0;
    for (const Operand& output : signature.outputs) registers += width * planes * registersOf(output.type);
    for (const AroundInput& around : signature.around) {
        std::set<Place> read;
        for (const Look& look : signature.looks) {
            if (look.number != around.number) continue;
            std::vector<Cells> along = look.along;
            along[last].count += width - 1;
            const unsigned runs = last == marched ? planes : 1;
            if (last != marched) along[marched].count += planes - 1;
            Place place;
            for (unsigned run = 0; run < runs; ++run) {
                addBox(along, place, read);
                along[last].first += along[last].count + signature.reach[last].before + signature.reach[last].behind;
            }
        }
        registers += static_cast<unsigned>(read.size()) * registersOf(signature.inputs[around.number].type);
    }
    return registers <= mostRegisters;
}

/// The most vectors of `width` elements, at most `most` and like that a power of two, that a thread has room for; 0 if
/// it has no room even for one.
unsigned mostThatFit(const StencilSignature& signature, unsigned width, unsigned most) {
    while (most > 0 && !fits(signature, width, most)) most /= 2;
    return most;
}

}  // namespace

StencilThread threadOf(const StencilSignature& signature) {
    StencilThread thread;
    if (signature.looks.empty() || signature.reads > mostReads) return thread;
    thread.elements = mostThatFit(signature, 1, mostElements);
    thread.hasWindows = thread.elements > 0;
    std::vector<const Operand*> inputs, outputs;
    for (const AroundInput& around : signature.around) inputs.push_back(&signature.inputs[around.number]);
    for (const Operand& output : signature.outputs) outputs.push_back(&output);
    const unsigned width = std::min(planVectors(inputs, outputs, 0).width, mostElements);
    thread.planes = thread.hasWindows && width > 1 ? mostThatFit(signature, width, mostPlanes) : 0;
    if (thread.planes > 0) thread.width = width;
    return thread;
}

/// Whether blocks may compute several steps of a tile in shared memory. Then each array that is looked around in is
/// replaced by an output from one step to the next, and a thread has what is around its elements in registers. Tiles of
/// three axes would have too little room in shared memory.
static bool hasTiles(const StencilSignature& signature) {
    constexpr std::uint32_t mostAxes = 2;
    return hasSteps(signature) && signature.around.size() == signature.outputs.size() && signature.rank <= mostAxes &&
           threadOf(signature).hasWindows;
}

template <> const TemplateWords& templateWords<StencilSpec>() {
    static const TemplateWords words =
        withCommonWords({.parameters = {"count", "place"},
                         .locals = {"Layout", "at", "begin", "compute", "end", "grid", "is_dense", "lane", "lane_type",
                                    "reach", "results", "role", "roles"},
                         .types = {"lane_type", "role"},
                         .besideTypes = {},
                         .symbols = {"launch_<symbol>", "launch_<symbol>_is_per_thread", "run_<symbol>",
                                     "<symbol>_operands", "<symbol>_roles"}});
    return words;
}

SignaturePlan planSignature(const StencilSignature& signature) {
    SignaturePlan plan;
    OperandNameChoice names(templateWords<StencilSpec>());
    unsigned widest = 1;
    for (const Operand& input : signature.inputs) plan.operands.push_back(names.of(input.name));
    for (std::size_t i = 0; i < signature.inputs.size(); ++i) {
        const Operand& input = signature.inputs[i];
        const bool isAround = aroundOf(signature, i) != nullptr;
        if (isAround) widest = std::max(widest, input.type.size);
        if (isAround || !input.isWhole()) plan.bytesRead += input.type.size;
    }
    for (const Operand& output : signature.outputs) {
        plan.operands.push_back(names.of(output.name));
        plan.bytesWritten += output.type.size;
    }
    const StencilThread thread = threadOf(signature);
    const unsigned vectors = std::max(thread.width * thread.planes, 1u);
    plan.cuda = {.threads = 256, .word = widest, .width = std::max(vectors, thread.elements)};
    return plan;
}

std::vector<const ElementType*> symbolTypes(const StencilSignature& signature) {
    return elementTypes(signature.inputs);
}

std::vector<NamedBody> functionsOf(const KernelSpec& kernel, const StencilSpec& pattern, const UnitSpec&) {
    return {{&pattern.body, kernel.name}};
}

std::vector<Instance> instancesOf(const StencilSignature& signature) {
    std::vector<Instance> all = {
#define FOLDWISE_STENCIL_INSTANCE(name, description) {#name, description},
#include <foldwise/detail/stencil_instances.def>
#undef FOLDWISE_STENCIL_INSTANCE
    };
    for (Instance& one : all)
        if (one.name == "vectors")
            one.exists = threadOf(signature).planes > 0;
        else if (one.name == "tiles")
            one.exists = hasTiles(signature);
    return all;
}

}  // namespace foldwise
