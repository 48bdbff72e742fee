// generator/emit/EmitForall.cpp: describes forall kernels to templates and --explain.
#include "../model/ForallTasks.hpp"
#include "KernelKeys.hpp"

#include <foldwise/detail/limits.hpp>

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace foldwise {

namespace json = llvm::json;

namespace {

/// "const double" of a view that is read only.
std::string elementOf(const ForallParameter& parameter) {
    return (parameter.isConst ? "const " : "") + parameter.type.text();
}

/// "{1, 0}"
std::string followed(const ForallParameter& parameter) {
    std::string axes;
    llvm::ListSeparator comma;
    for (const std::uint32_t axis : parameter.follows) axes += (llvm::StringRef(comma) + text(axis)).str();
    return "{" + axes + "}";
}

/// "{1, -1}"
std::string moved(const ForallSignature& signature, const ForallParameter& parameter) {
    std::string axes;
    llvm::ListSeparator comma;
    for (const std::uint32_t axis : parameter.moves)
        axes += (llvm::StringRef(comma) + (axis < signature.indexRank ? text(axis) : "-1")).str();
    return "{" + axes + "}";
}

llvm::StringRef textOf(TaskAccess access) {
    switch (access) {
    case TaskAccess::Near:
        return "near";
    case TaskAccess::Reads:
        return "reads";
    case TaskAccess::Writes:
        return "writes";
    case TaskAccess::Updates:
        return "updates";
    case TaskAccess::Unknown:
        break;
    }
    return "";
}

/// ", device::task_access::writes, 1, 0": what the type of a kernel's parameter says of where tasks touch a view; or
/// nothing.
std::string placeText(const ForallSignature& signature, const std::optional<ForallTasks>& tasks, std::size_t number) {
    if (!tasks || signature.parameters[number].rank == 0) return "";
    const TaskAccess access = tasks->accesses[number];
    if (access == TaskAccess::Unknown) return "";
    std::string all = (", device::task_access::" + textOf(access)).str();
    for (const std::uint32_t axis : axesOf(signature.parameters[number], access))
        all += axis < signature.indexRank ? ", " + text(axis) : ", -1";
    return all;
}

/// "1, 0"
std::string axesText(const std::vector<std::uint32_t>& all) {
    std::string axes;
    llvm::ListSeparator comma;
    for (const std::uint32_t axis : all) axes += (llvm::StringRef(comma) + text(axis)).str();
    return axes;
}

/// "device::task_rows<0, 1, 1>": the axis along which a thread's tasks are neighbours, and how far they reach along
/// each. "device::staged_rows<device::task_rows<0, 0, 0>, 2, 1, 0>": how many tiles in shared memory they are in, too,
/// and the order of axes in which blocks walk. "device::sector_rows<...>": blocks can begin to write at sectors, too.
/// "device::vector_rows<..., 4, 1, 0>": how many a thread of a `vectors` instance has, and the order of axes in which
/// tasks are numbered, too.
std::string rowsText(const ForallTasks& tasks) {
    std::string all = "device::task_rows<" + (tasks.row ? text(*tasks.row) : "device::far_apart");
    for (const std::uint32_t distance : tasks.reach) all += ", " + text(distance);
    all += ">";
    if (tasks.tiles > 0)
        all = "device::staged_rows<" + all + ", " + text(tasks.tiles) + ", " + axesText(tasks.order) + ">";
    if (tasks.sector > 0) all = "device::sector_rows<" + all + ">";
    if (tasks.width == 0) return all;
    return (tasks.needsIndex ? "device::indexed_rows<" : "device::vector_rows<") + all + ", " + text(tasks.width) +
           ", " + axesText(tasks.vectorOrder) + ">";
}

/// A bit for each axis of the index along which tasks read elements of others, of a view that they only read.
std::uint32_t neighbours(const ForallParameter& parameter) {
    std::uint32_t axes = 0;
    for (std::size_t axis = 0; axis < parameter.reach.size() && parameter.access == Access::Read; ++axis)
        if (parameter.reach[axis] > 0) axes |= 1u << axis;
    return axes;
}

/// A bit for each of these axes.
std::uint32_t bits(const std::vector<std::uint32_t>& axes) {
    std::uint32_t all = 0;
    for (const std::uint32_t axis : axes) all |= 1u << axis;
    return all;
}

json::Object parameterKeys(const ForallSignature& signature, const SignaturePlan& plan,
                           const std::optional<ForallTasks>& tasks, std::size_t number) {
    const ForallParameter& parameter = signature.parameters[number];
    const std::string place = placeText(signature, tasks, number);
    return json::Object{{"name", plan.operands[number].local},
                        {"parameter", plan.operands[number].parameter},
                        {"said_name", plan.operands[number].said},
                        {"symbol", plan.symbol},
                        {"is_view", parameter.rank > 0},
                        {"element", elementOf(parameter)},
                        {"rank", text(parameter.rank)},
                        {"type", parameter.type.text()},
                        {"size", text(parameter.type.size)},
                        {"alignment", text(parameter.type.alignment)},
                        {"number", text(number)},
                        {"separator", number == 0 ? "" : ", "},
                        {"reads", reads(parameter.access) ? "true" : "false"},
                        {"writes", writes(parameter.access) ? "true" : "false"},
                        {"owns_rows", parameter.ownRows},
                        {"has_moves", !parameter.moves.empty()},
                        {"moves", moved(signature, parameter)},
                        {"is_summed", parameter.isSummed},
                        {"has_own_sums", parameter.hasOwnSums},
                        {"adds_in_loops", parameter.hasOwnSums && parameter.isInLoops},
                        {"numbers", parameter.type.kind == TypeKind::Floating ? "floating" : "integers"},
                        {"is_looped", parameter.isLooped},
                        {"ends_loops", !parameter.loopAxes.empty()},
                        {"loop_axes", text(bits(parameter.loopAxes))},
                        {"has_neighbours", neighbours(parameter) != 0},
                        {"neighbours", text(neighbours(parameter))},
                        {"kind", parameter.isSummed ? "sum"
                                 : place.empty()    ? "view"
                                                    : "task"},
                        {"place", place},
                        {"follows_index", !parameter.follows.empty()},
                        {"follows", followed(parameter)}};
}

/// Where tasks away from edges begin and end: `from` 1, `until` "x.extent(1) - 1".
json::Array edgeKeys(const ForallSignature& signature, const SignaturePlan& plan) {
    json::Array keys;
    const auto add = [&](llvm::StringRef side, std::uint32_t axis, const std::string& place) {
        keys.push_back(json::Object{{"side", side}, {"axis", text(axis)}, {"place", place}});
    };
    for (std::uint32_t axis = 0; axis < signature.innerBegins.size(); ++axis)
        if (signature.innerBegins[axis] > 0) add("from", axis, text(signature.innerBegins[axis]));
    for (const InnerEnd& end : signature.innerEnds)
        add("until", end.axis,
            plan.operands[end.parameter].local + ".extent(" + text(end.viewAxis) + ")" +
                (end.less > 0 ? " - " + text(end.less) : ""));
    return keys;
}

/// "Reads in; writes out; reads and writes bins."
std::string accessText(const ForallSignature& signature, const SignaturePlan& plan) {
    std::string all;
    const auto add = [&](llvm::StringRef verb, Access access) {
        std::string names;
        for (std::size_t i = 0; i < plan.operands.size(); ++i) {
            const ForallParameter& parameter = signature.parameters[i];
            if (parameter.rank == 0 || parameter.access != access) continue;
            names += (names.empty() ? "" : ", ") + plan.operands[i].parameter;
        }
        if (!names.empty()) all += (all.empty() ? "" : "; ") + verb.str() + " " + names;
    };
    add("reads", Access::Read);
    add("writes", Access::Write);
    add("reads and writes", Access::ReadWrite);
    add("asks the extents of", Access::None);
    return all.empty() ? "touches no view" : all;
}

/// The elements of a view that tasks certainly write, so that a host's are not copied to the GPU before; or nothing.
std::string coverText(const ForallParameter& parameter) {
    if (parameter.follows.empty() || parameter.access != Access::Write) return "";
    std::string axes;
    llvm::ListSeparator comma;
    for (const std::uint32_t axis : parameter.follows) axes += (llvm::StringRef(comma) + text(axis)).str();
    return "every element, if its extents are the tasks' along axes (" + axes + ")";
}

}  // namespace

void addIncludes(const ForallSpec&, std::set<std::string>&, std::set<std::string>&) {}

json::Object signatureKeys(const KernelSpec& kernel, const ForallSignature& signature, const SignaturePlan& plan,
                           const Emission& emission) {
    const std::optional<ForallTasks> tasks = severalTasks(signature);
    json::Array parameters, sums;
    for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
        parameters.push_back(parameterKeys(signature, plan, tasks, i));
        if (signature.parameters[i].isSummed)
            sums.push_back(json::Object{{"name", plan.operands[i].local}, {"separator", sums.empty() ? "" : ", "}});
    }
    const bool hasViews = llvm::any_of(signature.parameters, [](const ForallParameter& one) { return one.rank > 0; });
    const BodyNames names = nameBodies(kernel, emission.unit);
    const bool isByEdges = hasEdges(signature) && !emission.backends.checked;
    return with(
        commonKeys(kernel, signature, plan, instancesOf(signature), emission),
        json::Object{{"lambda", called(kernel, kernel.as<ForallSpec>().body, kernel.name)},
                     {"is_elementwise", signature.isElementwise},
                     {"has_loops", signature.hasLoops},
                     {"loops_lambda",
                      signature.hasLoops ? called(kernel, *kernel.as<ForallSpec>().loopsBody, names.withLoops) : ""},
                     {"access", accessText(signature, plan)},
                     {"has_parameters", !parameters.empty()},
                     {"has_views", hasViews},
                     {"has_sums", !sums.empty()},
                     {"has_own_sums", hasOwnSums(signature)},
                     {"summing_lambda",
                      hasOwnSums(signature) ? called(kernel, kernel.as<ForallSpec>().body, names.inOwnSums) : ""},
                     {"has_edges", isByEdges},
                     {"inner_lambda", isByEdges ? called(kernel, kernel.as<ForallSpec>().body, names.insideEdges) : ""},
                     {"edges", edgeKeys(signature, plan)},
                     {"has_several", tasks.has_value()},
                     {"has_own", tasks || signature.hasLoops},
                     {"has_one", !tasks && !signature.hasLoops && sums.empty()},
                     {"rows", tasks ? rowsText(*tasks) : ""},
                     {"has_row", tasks && tasks->row},
                     {"row", tasks && tasks->row ? text(*tasks->row) : ""},
                     {"is_staged", tasks && tasks->tiles > 0},
                     {"staged_tiles", tasks ? text(tasks->tiles) : ""},
                     {"beside", tasks ? text(tasks->beside) : ""},
                     {"order", tasks ? axesText(tasks->order) : ""},
                     {"has_sector", tasks && tasks->sector > 0},
                     {"sector", tasks ? text(tasks->sector) : ""},
                     {"written", tasks ? text(tasks->written) : ""},
                     {"needs_index", tasks && tasks->needsIndex},
                     {"is_linear", tasks && tasks->isLinear},
                     {"has_vectors", tasks && tasks->width > 0},
                     {"width", tasks ? text(tasks->width) : ""},
                     {"sums", std::move(sums)},
                     {"parameter_count", text(parameters.size())},
                     {"parameters", std::move(parameters)}});
}

std::string callSignatures(const ForallSpec& pattern) {
    std::string all;
    for (const ForallSignature& signature : pattern.signatures) {
        all += (all.empty() ? "void(" : ", void(") + ("foldwise::tasks<" + text(signature.indexRank) + ">");
        for (const ForallParameter& parameter : signature.parameters)
            all += ", " +
                   (parameter.rank > 0 ? "foldwise::elements<" + elementOf(parameter) + ">" : parameter.type.text());
        all += ")";
    }
    return "foldwise::signatures<" + all + ">";
}

bool givesValues(const ForallSpec&) { return false; }

json::Object operandReport(const ForallSignature& signature) {
    json::Array parameters;
    for (const ForallParameter& parameter : signature.parameters) {
        json::Object one{{"name", parameter.name}, {"type", parameter.type.name}, {"size", parameter.type.size}};
        if (parameter.rank > 0) {
            one["rank"] = parameter.rank;
            one["access"] = textOf(parameter.access);
        }
        parameters.push_back(std::move(one));
    }
    return json::Object{{"parameters", std::move(parameters)}};
}

/// What tasks do that only a call could show.
std::vector<std::string> unknowns(const ForallSignature& signature) {
    const auto namesOf = [&](bool ForallParameter::*has) {
        std::string names;
        llvm::ListSeparator comma;
        for (const ForallParameter& parameter : signature.parameters)
            if (parameter.*has) names += (llvm::StringRef(comma) + parameter.name).str();
        return names;
    };
    std::vector<std::string> lines;
    const auto add = [&](const std::string& names, llvm::StringRef before, llvm::StringRef behind) {
        if (!names.empty()) lines.push_back((before + names + behind).str());
    };
    add(namesOf(&ForallParameter::hasDataPlaces), "which elements tasks touch in ", ": their places come from data");
    add(namesOf(&ForallParameter::isInLoops), "how many elements tasks touch in ", ": they do so in loops");
    add(namesOf(&ForallParameter::isHandedOn), "what is done to the elements of ",
        ", which other code is given: counted as read and written");
    return lines;
}

void explainOperands(const ForallSignature& signature, const SignaturePlan& plan, Facts& facts) {
    facts.fact("index", "foldwise::index<" + text(signature.indexRank) + ">, the task's");
    const auto add = [&](llvm::StringRef label, bool isView, Access access) {
        std::vector<std::vector<std::string>> rows;
        for (const ForallParameter& parameter : signature.parameters)
            if (isView == (parameter.rank > 0) && (!isView || parameter.access == access))
                rows.push_back({parameter.name, typeText(parameter), coverText(parameter)});
        if (!rows.empty()) facts.facts(label, aligned(rows));
    };
    add("reads", true, Access::Read);
    add("writes", true, Access::Write);
    add("reads, writes", true, Access::ReadWrite);
    add("asks extents", true, Access::None);
    add("values", false, Access::Read);
    facts.fact("bytes", text(plan.bytesRead) + " read and " + text(plan.bytesWritten) +
                            " written per task, if it touches one element of each view");
    if (const std::vector<std::string> lines = unknowns(signature); !lines.empty()) facts.facts("not known", lines);
}

void explainLaunch(const ForallSignature& signature, const SignaturePlan& plan, Facts& facts) {
    std::string summed, staged;
    llvm::ListSeparator comma(" and "), stagedComma(" and ");
    bool turns = false;
    const std::optional<ForallTasks> tasks = severalTasks(signature);
    for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
        const ForallParameter& parameter = signature.parameters[i];
        if (parameter.isSummed) summed += (llvm::StringRef(comma) + parameter.name).str();
        if (tasks && tasks->isStaged[i]) staged += (llvm::StringRef(stagedComma) + parameter.name).str();
        turns |= !parameter.moves.empty() && parameter.moves.back() + 1 < signature.indexRank &&
                 llvm::is_contained(parameter.moves, signature.indexRank - 1);
    }
    std::string perThread = "1 task";
    if (!summed.empty()) perThread += "; many where " + summed + " has few elements";
    if (tasks && tasks->row)
        perThread += (tasks->tiles > 1 ? "; of 2^20 tasks or more, " + text(tasks->tiles) + " times 4"
                                       : "; of 2^20 tasks or more, 4") +
                     " that are neighbours along axis " + text(*tasks->row);
    else if (tasks && tasks->hasSeveral)
        perThread += "; of 2^20 tasks or more, 4 that are far apart";
    if (tasks && tasks->width > 0) {
        const int vectors = detail::vectors_of_thread(static_cast<int>(tasks->width), tasks->needsIndex);
        perThread += (tasks->hasSeveral ? ", or " : "; of 2^20 tasks or more, ") +
                     (vectors > 1 ? text(vectors) + " times " : "") + text(tasks->width) + " that write neighbours" +
                     (tasks->needsIndex   ? " in long rows"
                      : tasks->hasSeveral ? ", where an axis is short"
                                          : "");
    }
    if (tasks && signature.hasLoopInStep) perThread += ", whose first loop over what tasks share runs in step";
    facts.fact("per thread", perThread);
    if (signature.hasLoops) {
        std::string rows;
        llvm::ListSeparator rowsComma(" or ");
        for (const ForallParameter& parameter : signature.parameters)
            if (parameter.isLooped) rows += (llvm::StringRef(rowsComma) + parameter.name).str();
        facts.fact("per warp", "1 task of 2048 or fewer, 2 of 4096 or fewer, and 4 of 8192 or fewer" +
                                   (rows.empty() ? "" : " or where " + rows + " has 32 elements for each") +
                                   ": lanes compute the terms of its loops");
    }
    std::string shape;
    if (turns)
        shape = ": as many along the last axis as along the one that a view is contiguous along";
    else if (signature.indexRank > 1)
        shape = tasks && tasks->isLinear
                    ? ": up to 32 along the last axis, or 256 of 2^20 tasks or more; flat where rows are short"
                    : ": up to 32 along the last axis, or flat where rows are short";
    facts.fact("per block", text(plan.cuda.threads) +
                                " threads, 32 to 128 of 16384 tasks or fewer, for tasks that are neighbours" + shape);
    if (!staged.empty())
        facts.fact("staged", staged + ", through " + (tasks->tiles > 1 ? text(tasks->tiles) + " " : "") +
                                 "tiles of 32 by 32 elements in shared memory, of 2^20 tasks or more");
    if (!summed.empty())
        facts.fact("atomics", "up to 24 KiB of " + summed +
                                  ", which tasks only add to, are added in the block's shared memory first");
}

}  // namespace foldwise
