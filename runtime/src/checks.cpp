// runtime/src/checks.cpp: formats the reports of checked builds.
#include "checks.hpp"

#include <span>

namespace foldwise::detail {

namespace {

template <class T> std::string listed(std::span<const T> numbers) {
    std::string text = "(";
    for (const T number : numbers) text += (text.size() > 1 ? ", " : "") + std::to_string(number);
    return text + ")";
}

std::string what(const report& found) {
    const std::string first = found.is_unsigned ? std::to_string(static_cast<std::uint64_t>(found.values[0]))
                                                : std::to_string(found.values[0]);
    const std::string second = std::to_string(found.values[1]);
    switch (found.kind) {
    case mistake::index:
        return "index " + first + " is out of bounds for axis " + std::to_string(found.axis) + " with size " + second;
    case mistake::division:
        return "division by zero, of " + first;
    case mistake::overflow:
        return first + " divided by -1 is no number of its type";
    case mistake::shift:
        return "a shift by " + first + " of a number of " + second + " bits";
    case mistake::offset:
        return wrong_offset(found.values[0], found.values[1], found.values[2]);
    case mistake::empty:
        return empty_segment(found.values[0]);
    case mistake::assertion:
        return "assertion failed: " + std::string(found.text);
    case mistake::failure:
        return found.text;
    case mistake::reach:
        return "offset " + first + " reaches beyond the radius along axis " + std::to_string(found.axis) + ", " +
               second;
    case mistake::none:
        break;
    }
    return "nothing is wrong";
}

}  // namespace

std::string wrong_offset(std::int64_t number, std::int64_t offset, std::int64_t bound) {
    const std::string text = "offset " + std::to_string(number) + " is " + std::to_string(offset);
    if (offset > bound) return text + ", which lies outside of a row of " + std::to_string(bound) + " elements";
    return text + (number == 0 ? ", which is negative" : ", less than the one before it, " + std::to_string(bound));
}

std::string empty_segment(std::int64_t number) {
    return "there are no elements in segment " + std::to_string(number) + ", and the reduction has no identity";
}

void refuse(const char* kernel, const report& found) {
    if (found.kind == mistake::offset) throw shape_error(std::string(kernel) + ": " + what(found));
    if (found.kind == mistake::empty) throw empty_error(std::string(kernel) + ": " + what(found));
    if (found.kind == mistake::index || found.kind == mistake::reach) throw bounds_error(describe(kernel, found));
    throw device_error(describe(kernel, found));
}

std::string describe(const char* kernel, const report& found) {
    std::string text =
        std::string(found.file) + ":" + std::to_string(found.line) + ": " + what(found) + ", in " + kernel;
    if (found.task_rank > 0)
        text += ", task " + listed<std::int64_t>({found.task, static_cast<std::size_t>(found.task_rank)});
    if (found.is_item) text += ", item " + std::to_string(found.task[0]);
    if (found.block_rank > 0) {
        const auto axes = static_cast<std::size_t>(found.block_rank);
        text += ", block " + listed<unsigned int>({found.block, axes});
        if (found.is_in_block) text += ", item " + listed<std::int64_t>({found.task, axes});
    }
    if (found.has_thread)
        text += ", block " + listed<unsigned int>(found.block) + ", thread " + listed<unsigned int>(found.thread);
    return text;
}

}  // namespace foldwise::detail
