// python/describe.cpp: describes the module's functions: for users, for inspect, and for generators of stubs.
#include "kernel.hpp"

#include <algorithm>

namespace foldwise::python {

namespace {

/// The patterns of functions, as a set.
constexpr unsigned set_of(std::initializer_list<patterns> some) {
    unsigned set = 0;
    for (const patterns one : some) set |= 1u << static_cast<unsigned>(one);
    return set;
}
constexpr unsigned folds = set_of({patterns::reduce, patterns::scan});

/// What each option means, with its type: the first row of that name that is for the function's pattern.
constexpr struct {
    const char* name;
    const char* type;
    const char* text;
    unsigned of = ~0u;  ///< The patterns that it is for.
} option_texts[] = {
    {"axis", "int", "The axis along which the call runs; None: along all elements, and the results are flat.",
     set_of({patterns::scan})},
    {"axis", "int", "The axis of the one core dimension of all operands, where it is not the last.",
     set_of({patterns::guvectorize})},
    {"axis", "int or tuple of ints", "The axes along which the call runs; None: all of them."},
    {"axes", "list of tuples of ints", "The axes of the core dimensions of each operand, where they are not the last."},
    {"by_key", "array of integers", "Keys: the scan begins anew where they change."},
    {"casting", "str", "Which casts are made: 'no', 'safe', 'same_kind' or 'unsafe'."},
    {"dtype", "dtype", "The type of the result, which chooses among the types below."},
    {"exclusive", "bool", "Whether each result combines only what is before its own element."},
    {"initial", "number", "What is combined before all elements."},
    {"keepdims", "bool", "Whether the axes along which the call runs remain, with one element each."},
    {"order", "str", "The memory layout of new results, as in NumPy."},
    {"out", "array", "What results are combined with and written to, instead of a new array.",
     set_of({patterns::scatter})},
    {"out", "array, or tuple of arrays", "Where results are written, instead of to new arrays."},
    {"reverse", "bool", "Whether the scan begins at the last element."},
    {"segments", "array of integers", "Offsets: segment i has the elements from the i-th to the one after it."},
    {"shape", "int or tuple of ints", "The number of tasks along each axis of the index.", set_of({patterns::forall})},
    {"shape", "int or tuple of ints", "The number of items along each axis, which blocks cover.",
     set_of({patterns::blocks})},
    {"shape", "int or tuple of ints", "The shape of a new output, whose elements begin with the identity.",
     set_of({patterns::scatter})},
    {"shape", "int or tuple of ints", "The shape that is computed, to which arrays broadcast."},
    {"steps", "int", "How often the function is applied, each time to the results before."},
    {"stream", "stream of CUDA's", "The stream of a call on a GPU; None: the one on which the arrays' library works."},
    {"subok", "bool", "Whether results may be of subclasses of NumPy's arrays."},
    {"where", "array of bools", "The elements that are folded; all others are left out.", folds},
    {"where", "array of bools", "The elements that count; all others of an output keep their values."},
};

bool is_record(element_type type) { return type.kind == element_type::kinds::record; }

/// "record or tuple" of an accumulator that is a struct.
std::string type_text(const kernel& kernel, const char* option, const char* usual) {
    const bool is_accumulator = std::string_view(option) == "initial" && is_record(kernel.first().accumulator);
    return is_accumulator ? "record or tuple" : usual;
}

/// "array or number": what is passed for an operand.
std::string argument_text(const kernel& kernel, const operand_type& operand) {
    const std::string one = is_record(operand.type) ? "record" : "number";
    if (operand.axes > 0) return "array of " + counted(static_cast<std::size_t>(operand.axes), "axis", "axes");
    if (kernel.is_of_tasks()) return is_record(operand.type) ? "record or tuple" : one;
    return !operand.core.empty() ? "array" : "array or " + one;
}

/// NumPy's universal functions take inputs and outputs by their places, and the latter as a tuple `out`, too.
bool is_positional_only(const kernel& kernel, std::size_t parameter) {
    return !kernel.looped.empty() && !kernel.are_options[parameter];
}

/// "rel_diff(x, y, /, out=None, *, where=True)"
std::string call_text(const kernel& kernel) {
    std::string text = kernel.name + "(";
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        text += i ? ", " : "";
        if (i > 0 && is_positional_only(kernel, i - 1) && !is_positional_only(kernel, i)) text += "/, ";
        if (i == kernel.positional) text += "*, ";
        text += kernel.parameters[i];
        if (!kernel.defaults[i].empty()) text += "=" + kernel.defaults[i];
    }
    return text + ")";
}

/// "float32, view of 2 axes of float32"
std::string operand_text(const operand_type& operand) {
    const std::string type = name_of(operand.type);
    return operand.axes > 0 ? type + "[" + std::string(static_cast<std::size_t>(operand.axes - 1), ',') + ":]" : type;
}

/// "float32, float32 -> float32"
std::string types_text(const signature& signature) {
    std::string text;
    for (std::size_t i = 0; i < signature.operands.size(); ++i) {
        const bool is_first_output = i == static_cast<std::size_t>(signature.inputs);
        text += is_first_output ? (i ? " -> " : "-> ") : i ? ", " : "";
        text += operand_text(signature.operands[i]);
    }
    return text;
}

object dictionary(std::initializer_list<std::pair<const char*, object>> entries) {
    object result = object::take(PyDict_New());
    for (const auto& [key, value] : entries)
        if (PyDict_SetItemString(result.get(), key, value.get()) < 0) throw python_error();
    return result;
}

template <class Range, class Make> object list_of(const Range& range, const Make& make) {
    object list = object::take(PyList_New(0));
    for (const auto& one : range)
        if (PyList_Append(list.get(), make(one).get()) < 0) throw python_error();
    return list;
}

constexpr const char* pattern_names[] = {"vectorize", "reduce", "scan",        "scatter",
                                         "forall",    "blocks", "guvectorize", "stencil"};

}  // namespace

std::string documentation_of(const kernel& kernel) {
    if (kernel.ordered.empty()) return kernel.table.documentation;
    std::string text = call_text(kernel) + "\n";
    if (*kernel.table.documentation) {
        // A comment's lines begin with the blank behind its marks.
        std::string comment = kernel.table.documentation;
        for (std::size_t at = 0; (at = comment.find("\n ", at)) != std::string::npos; ++at) comment.erase(at + 1, 1);
        text += "\n" + comment.substr(comment.find_first_not_of(" \n")) + "\n";
    }
    text += "\nParameters\n----------\n";
    const unsigned pattern = set_of({kernel.first().pattern});
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const std::string& name = kernel.parameters[i];
        text += name + " : ";
        if (kernel.are_options[i]) {
            const auto& found = *std::ranges::find_if(
                option_texts, [&](const auto& one) { return name == one.name && (one.of & pattern) != 0; });
            text += type_text(kernel, found.name, found.type) +
                    (kernel.defaults[i].empty() ? "\n    " : ", optional\n    ") + found.text + "\n";
        } else if (i < kernel.required) {
            const operand_type& operand = kernel.first().operands[kernel.is_of_tasks() ? i - 1 : i];
            text += argument_text(kernel, operand) + (operand.is_written ? ", written\n" : "\n");
        } else {
            const bool is_output = i < kernel.positional;
            text += is_output ? "array, optional\n    Where a result is written.\n"
                              : "int, optional\n    A dimension of the results.\n";
        }
    }
    text += "\nTypes\n-----\n";
    for (const signature* one : kernel.ordered) text += types_text(*one) + "\n";
    if (kernel.first().pattern == patterns::guvectorize)
        text += "\nCore dimensions: " + layout_text(kernel.first()) + "\n";
    return text;
}

object signature_of(const kernel& kernel) {
    const object inspect = import_module("inspect");
    const object parameter = inspect.attribute("Parameter");
    const object kinds[] = {parameter.attribute("POSITIONAL_ONLY"), parameter.attribute("POSITIONAL_OR_KEYWORD"),
                            parameter.attribute("KEYWORD_ONLY")};
    const object evaluate = import_module("ast").attribute("literal_eval");
    const object list = object::take(PyList_New(0));
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const int kind = is_positional_only(kernel, i) ? 0 : i < kernel.positional ? 1 : 2;
        const object positional = object::take(Py_BuildValue("(sO)", kernel.parameters[i].c_str(), kinds[kind].get()));
        const object keywords =
            kernel.defaults[i].empty() ? object() : dictionary({{"default", evaluate(make_text(kernel.defaults[i]))}});
        const object one = object::take(PyObject_Call(parameter.get(), positional.get(), keywords.get()));
        if (PyList_Append(list.get(), one.get()) < 0) throw python_error();
    }
    return inspect.attribute("Signature")(list);
}

object description_of(const kernel& kernel) {
    if (kernel.ordered.empty()) return object::share(Py_None);
    const auto describe_operand = [](const operand_type& operand) {
        return dictionary({{"name", make_text(operand.name)},
                           {"type", make_text(name_of(operand.type))},
                           {"axes", make_integer(operand.axes)},
                           {"core", make_integer(static_cast<long>(operand.core.size()))},
                           {"is_around", make_truth(operand.is_around)},
                           {"is_written", make_truth(operand.is_written)}});
    };
    std::vector<std::size_t> numbers(kernel.parameters.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    return dictionary({{"pattern", make_text(pattern_names[static_cast<std::size_t>(kernel.first().pattern)])},
                       {"is_ufunc", make_truth(!kernel.looped.empty())},
                       {"required", make_integer(static_cast<long>(kernel.required))},
                       {"positional", make_integer(static_cast<long>(kernel.positional))},
                       {"parameters", list_of(numbers,
                                              [&](std::size_t i) {
                                                  return dictionary({{"name", make_text(kernel.parameters[i])},
                                                                     {"default", make_text(kernel.defaults[i])},
                                                                     {"is_option", make_truth(kernel.are_options[i])},
                                                                     {"is_positional_only",
                                                                      make_truth(is_positional_only(kernel, i))}});
                                              })},
                       {"signatures", list_of(kernel.ordered, [&](const signature* one) {
                            const auto inputs = static_cast<std::size_t>(one->inputs);
                            const std::span<const operand_type> operands(one->operands);
                            return dictionary({{"inputs", list_of(operands.first(inputs), describe_operand)},
                                               {"outputs", list_of(operands.subspan(inputs), describe_operand)},
                                               {"accumulator", make_text(name_of(one->accumulator))},
                                               {"has_steps", make_truth(one->has_steps)}});
                        })}});
}

}  // namespace foldwise::python
