// python/types.cpp: the rules of NumPy's NEP 50, for types that have a fixed size.
#include "types.hpp"

#include <algorithm>
#include <utility>

namespace foldwise::python {

using kinds = element_type::kinds;

namespace {

struct row {
    element_type type;
    const char* name;
    char character;
    int number;
};

/// The types that Python's libraries know. 64-bit integers are C's long, which is NumPy's int64 on Linux.
constexpr row table[] = {
    {{kinds::boolean, 1}, "bool", '?', 0},
    {{kinds::integer, 1}, "int8", 'b', 1},
    {{kinds::unsigned_integer, 1}, "uint8", 'B', 2},
    {{kinds::integer, 2}, "int16", 'h', 3},
    {{kinds::unsigned_integer, 2}, "uint16", 'H', 4},
    {{kinds::integer, 4}, "int32", 'i', 5},
    {{kinds::unsigned_integer, 4}, "uint32", 'I', 6},
    {{kinds::integer, 8}, "int64", 'l', 7},
    {{kinds::unsigned_integer, 8}, "uint64", 'L', 8},
    {{kinds::floating, 2}, "float16", 'e', 23},
    {{kinds::floating, 4}, "float32", 'f', 11},
    {{kinds::floating, 8}, "float64", 'd', 12},
    {{kinds::brain_floating, 2}, "bfloat16", 'E', -1},
    {{kinds::complex, 8}, "complex64", 'F', 14},
    {{kinds::complex, 16}, "complex128", 'D', 15},
};

const row* find(element_type type) {
    const auto* found = std::ranges::find(table, type, &row::type);
    return found == std::end(table) ? nullptr : found;
}

/// The bytes of the narrowest float that an integer goes to safely; 8 bytes count as enough for all.
std::uint32_t bytes_of_float_for(std::uint32_t bytes) { return bytes == 1 ? 2 : bytes == 2 ? 4 : 8; }

}  // namespace

const char* name_of(element_type type) {
    const row* found = find(type);
    return found ? found->name : type.kind == kinds::record ? "record" : "object";
}

std::vector<element_type> known_types() {
    std::vector<element_type> all;
    for (const row& one : table) all.push_back(one.type);
    return all;
}

element_type type_of_name(std::string_view name) {
    const auto* found = std::ranges::find(table, name, [](const row& one) { return std::string_view(one.name); });
    return found == std::end(table) ? element_type() : found->type;
}

char character_of(element_type type) {
    const row* found = find(type);
    return found ? found->character : type.kind == kinds::record ? 'V' : 'O';
}

int number_of(element_type type) {
    const row* found = find(type);
    return found ? found->number : -1;
}

element_type type_of_number(long number) {
    if (number == 9 || number == 10) number -= 2;  // C's long long
    const auto* found = std::ranges::find(table, number, &row::number);
    return number < 0 || found == std::end(table) ? element_type() : found->type;
}

bool is_integer(element_type type) { return type.kind == kinds::integer || type.kind == kinds::unsigned_integer; }

bool is_wide(element_type type) { return find(type) && type.size >= (type.kind == kinds::complex ? 16 : 8); }

static std::vector<element_type>& noted_records() {
    static std::vector<element_type> all;
    return all;
}
const std::vector<element_type>& known_records() { return noted_records(); }
void note_record(element_type type) {
    if (type.kind == kinds::record && std::ranges::find(noted_records(), type) == noted_records().end())
        noted_records().push_back(type);
}

bool casts_safely(element_type from, element_type to) {
    if (from.kind == kinds::other || to.kind == kinds::other) return false;
    if (from.kind == kinds::record || to.kind == kinds::record) return from == to;
    if (from == to || from.kind == kinds::boolean) return true;
    const std::uint32_t parts = to.kind == kinds::complex ? to.size / 2 : to.size;
    switch (to.kind) {
    case kinds::integer:
        return (from.kind == kinds::integer && from.size <= to.size) ||
               (from.kind == kinds::unsigned_integer && from.size < to.size);
    case kinds::unsigned_integer:
        return from.kind == kinds::unsigned_integer && from.size <= to.size;
    case kinds::floating:
    case kinds::complex:
        if (is_integer(from)) return bytes_of_float_for(from.size) <= parts;
        if (from.kind == kinds::floating) return from.size <= parts;
        if (from.kind == kinds::brain_floating) return parts >= 4;
        return from.kind == kinds::complex && to.kind == kinds::complex && from.size <= to.size;
    case kinds::brain_floating:
        return is_integer(from) && from.size == 1;
    default:
        return false;
    }
}

bool casts_within_kind(element_type from, element_type to) {
    const auto rank = [](element_type type) {
        return type.kind == kinds::brain_floating ? kinds::floating : type.kind;
    };
    if (from.kind == kinds::other || to.kind == kinds::other) return false;
    if (from.kind == kinds::record || to.kind == kinds::record) return from == to;
    if (from.kind == kinds::integer && to.kind == kinds::unsigned_integer) return false;
    return casts_safely(from, to) || rank(from) <= rank(to) || (is_integer(from) && is_integer(to));
}

bool is_cast(element_type from, element_type to, castings allowed) {
    switch (allowed) {
    case castings::no:
        return from == to;
    case castings::usual:
    case castings::safe:
        return casts_safely(from, to);
    case castings::same_kind:
        return casts_within_kind(from, to);
    case castings::unsafe:
        break;
    }
    const bool has_record = from.kind == kinds::record || to.kind == kinds::record;
    return from.kind != kinds::other && to.kind != kinds::other && (!has_record || from == to);
}

bool is_accepted(const argument_type& argument, element_type to, castings allowed) {
    if (!argument.is_weak) return is_cast(argument.type, to, allowed);
    if (to.kind == kinds::record) return false;
    if (allowed == castings::unsafe) return to.kind != kinds::other;
    switch (argument.type.kind) {
    case kinds::integer:
        return to.kind != kinds::other && to.kind != kinds::boolean;
    case kinds::floating:
        return to.kind == kinds::floating || to.kind == kinds::brain_floating || to.kind == kinds::complex;
    default:
        return to.kind == kinds::complex;
    }
}

/// One for integers with and without a sign, and one for all floats.
static kinds general_kind(kinds kind) {
    return kind == kinds::unsigned_integer ? kinds::integer : kind == kinds::brain_floating ? kinds::floating : kind;
}

const signature* choose(std::span<const signature* const> ordered, std::span<const argument_type> arguments,
                        element_type result, castings allowed) {
    if (result.kind == kinds::other)
        allowed = std::min(allowed, castings::safe);  // further casts are made to outputs alone
    else if (allowed == castings::usual)
        allowed = castings::same_kind;
    // A Python number whose kind is wider than those of all arrays counts as what NumPy makes of it alone, int64,
    // float64 or complex128, but where no signature takes that.
    kinds widest = kinds::other;
    for (const argument_type& one : arguments)
        if (!one.is_weak && one.type.kind != kinds::record) widest = std::max(widest, general_kind(one.type.kind));
    bool has_defaults = result.kind == kinds::other;
    const auto is_default = [&](const argument_type& one) {
        return has_defaults && one.is_weak && std::min(general_kind(one.type.kind), kinds::floating) > widest;
    };
    const auto fits = [&](const signature* one) {
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            argument_type argument = arguments[i];
            castings casting = allowed;
            if (is_default(argument)) {
                argument.is_weak = false;
                casting = std::max(allowed, castings::safe);  // a number is cast also where no array would be
            }
            if (!is_accepted(argument, one->operands[i].type, casting)) return false;
        }
        const std::span outputs = std::span(one->operands).subspan(static_cast<std::size_t>(one->inputs));
        return result.kind == kinds::other ||
               std::ranges::all_of(outputs, [&](const operand_type& out) { return out.type == result; });
    };
    auto found = std::ranges::find_if(ordered, fits);
    if (found == ordered.end() && std::exchange(has_defaults, false)) {
        found = std::ranges::find_if(ordered, fits);
        // Numbers alone then count as the widest of the first kind that takes them.
        const auto is_alike = [first = found, count = arguments.size()](const signature* one) {
            for (std::size_t i = 0; i < count; ++i)
                if (general_kind(one->operands[i].type.kind) != general_kind((*first)->operands[i].type.kind))
                    return false;
            return true;
        };
        if (widest == kinds::other && found != ordered.end() && std::ranges::all_of(arguments, &argument_type::is_weak))
            for (auto next = found; next != ordered.end(); ++next)
                if (is_alike(*next) && fits(*next)) found = next;
    }
    return found == ordered.end() ? nullptr : *found;
}

std::vector<const signature*> in_order(const std::vector<signature>& signatures) {
    std::vector<const signature*> ordered;
    for (const signature& one : signatures) ordered.push_back(&one);
    const auto key = [](const signature* one) {
        std::vector<std::pair<kinds, std::uint32_t>> inputs;
        for (int i = 0; i < one->inputs; ++i) {
            const element_type type = one->operands[static_cast<std::size_t>(i)].type;
            inputs.emplace_back(general_kind(type.kind), type.size);
        }
        return inputs;
    };
    std::ranges::stable_sort(ordered, {}, key);
    return ordered;
}

}  // namespace foldwise::python
