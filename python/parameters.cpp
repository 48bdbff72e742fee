// python/parameters.cpp: the parameters of each function, and a call's arguments for them.
#include "kernel.hpp"

#include <algorithm>
#include <string_view>

namespace foldwise::python {

namespace {

/// Whether calls from Python can be made of a signature: what they cannot is left out of the types.
bool is_callable(const signature& one) {
    return std::ranges::none_of(
        one.operands, [](const operand_type& operand) { return operand.type.kind == element_type::kinds::other; });
}

/// Whether a universal function of NumPy's can have a signature as one of its loops.
bool is_loop(const signature& one) {
    return one.pattern == patterns::vectorize && one.index_rank == 0 && one.inputs > 0 && one.operands.size() <= 32 &&
           std::ranges::all_of(one.operands, [](const operand_type& operand) {
               return operand.axes == 0 && number_of(operand.type) >= 0;
           });
}

/// What Python calls a parameter: by its name in C++, but x, or x1 and x2, as NumPy has them, where that begins with
/// two underscores, as those of the standard library's functions do (__x of std::plus).
std::string parameter_name(const signature& signature, std::size_t operand) {
    const std::string name = signature.operands[operand].name;
    if (name.starts_with("__")) return signature.inputs == 1 ? "x" : "x" + std::to_string(operand + 1);
    return python_name(name);
}

/// For each core dimension, whether outputs alone have it and the layout does not say its size, so that a call may.
std::vector<bool> own_dimensions(const signature& signature) {
    std::vector<bool> are_own;
    for (const detail::core_dimension& dimension : signature.dimensions) are_own.push_back(dimension.size <= 0);
    for (const operand_type& operand : signature.operands)
        for (const int core : operand.core)
            if (!operand.is_written) are_own[static_cast<std::size_t>(core)] = false;
    return are_own;
}

/// A keyword of a pattern's calls.
struct option {
    const char* name;
    const char* value = "None";
    bool is_positional = false;  ///< Whether it may also be given by its place.
};

/// The keywords of a function's calls, in their order.
std::vector<option> options_of(const kernel& kernel) {
    const patterns pattern = kernel.first().pattern;
    std::vector<option> all;
    if (pattern == patterns::reduce) {
        all = {{"axis", "None", true},    {"dtype", "None", true}, {"out", "None", true}, {"keepdims", "False", true},
               {"initial", "None", true}, {"where", "True", true}, {"segments"}};
    } else if (pattern == patterns::scan) {
        all = {{"axis", "None", true},
               {"dtype", "None", true},
               {"out", "None", true},
               {"exclusive", "False"},
               {"reverse", "False"},
               {"initial"},
               {"where", "True"},
               {"segments"},
               {"by_key"}};
    } else if (pattern == patterns::scatter) {
        all = {{"out", "None", true}, {"shape"}, {"dtype"}};
    } else if (!kernel.is_of_tasks()) {
        // A single output that has no other name may be given by the place behind the inputs, too.
        const bool has_name =
            pattern == patterns::guvectorize && std::string_view(kernel.first().operands.back().name) != "out";
        all = {{"out", "None", kernel.outputs() == 1 && !has_name}};
        if (pattern == patterns::vectorize) all.push_back({"where", "True"});
        if (pattern == patterns::stencil && std::ranges::any_of(kernel.ordered, &signature::has_steps))
            all.push_back({"steps", "1"});
        if (pattern == patterns::guvectorize) all.insert(all.end(), {{"axes"}, {"axis"}, {"keepdims", "False"}});
        all.insert(all.end(), {{"dtype"}, {"casting", "'safe'"}});
        if (!kernel.looped.empty()) all.insert(all.end(), {{"order", "'K'"}, {"subok", "True"}});
    }
    const bool has_elements =
        pattern == patterns::reduce || pattern == patterns::scan || pattern == patterns::vectorize;
    if (has_elements && std::ranges::any_of(kernel.ordered, &signature::takes_shape)) all.push_back({"shape"});
    all.push_back({"stream"});
    return all;
}

}  // namespace

std::string python_name(const std::string& name) {
    constexpr std::string_view keywords[] = {"False",  "None",   "True",    "and",      "as",       "assert", "async",
                                             "await",  "break",  "class",   "continue", "def",      "del",    "elif",
                                             "else",   "except", "finally", "for",      "from",     "global", "if",
                                             "import", "in",     "is",      "lambda",   "nonlocal", "not",    "or",
                                             "pass",   "raise",  "return",  "try",      "while",    "with",   "yield"};
    return std::ranges::find(keywords, name) == std::end(keywords) ? name : name + "_";
}

kernel::kernel(const function& what, const char* of_module) : table(what), name(what.name), module(of_module) {
    name.erase(0, name.rfind(':') + 1);
    name = python_name(name);
    for (const signature* one : in_order(what.signatures))
        if (is_callable(*one)) ordered.push_back(one);
    for (const signature* one : ordered) {
        for (const operand_type& operand : one->operands) note_record(operand.type);
        note_record(one->accumulator);
    }
    for (const signature* one : ordered)
        if (is_loop(*one)) looped.push_back(one);
    if (!ordered.empty()) add_parameters();
}

void kernel::add_parameters() {
    const std::vector<option> options = options_of(*this);
    const auto is_taken = [&](const std::string& one) {
        const auto is_named = [&](const option& other) { return one == other.name; };
        return (is_of_tasks() && one == "shape") || std::ranges::any_of(options, is_named) ||
               std::ranges::find(parameters, one) != parameters.end();
    };
    const auto add_option = [&](const option& one) {
        parameters.emplace_back(one.name);
        defaults.emplace_back(one.value);
        are_options.push_back(true);
    };
    const auto add_own = [&](std::string own, const char* value) {
        while (is_taken(own)) own += '_';
        parameters.push_back(own);
        defaults.emplace_back(value);
        are_options.push_back(false);
    };
    if (is_of_tasks()) add_option({"shape", ""});
    for (std::size_t i = 0; i < (is_of_tasks() ? first().operands.size() : inputs()); ++i)
        add_own(parameter_name(first(), i), "");
    required = parameters.size();
    const bool has_named_outputs = first().pattern == patterns::vectorize || first().pattern == patterns::stencil ||
                                   first().pattern == patterns::guvectorize;
    const bool is_out = std::ranges::any_of(
        options, [](const option& one) { return std::string_view(one.name) == "out" && one.is_positional; });
    for (std::size_t i = inputs(); has_named_outputs && !is_out && i < first().operands.size(); ++i)
        add_own(parameter_name(first(), i), "None");
    for (const option& one : options)
        if (one.is_positional) add_option(one);
    positional = parameters.size();
    for (const option& one : options) {
        if (one.is_positional) continue;
        if (std::string_view(one.name) == "stream" && first().pattern == patterns::guvectorize) add_dimensions(add_own);
        add_option(one);
    }
}

void kernel::add_dimensions(const std::function<void(std::string, const char*)>& add) {
    const std::vector<bool> are_own = own_dimensions(first());
    for (std::size_t i = 0; i < are_own.size(); ++i) {
        places_of_dimensions.push_back(are_own[i] ? parameters.size() : no_place);
        if (are_own[i]) add(python_name(first().dimensions[i].name), "None");
    }
}

std::size_t kernel::place_of_option(std::string_view option) const {
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (are_options[i] && parameters[i] == option) return i;
    return no_place;
}

PyObject* arguments::option(const char* name) const {
    const std::size_t place = kernel_.place_of_option(name);
    return place == no_place ? nullptr : given_[place];
}

std::vector<PyObject*> arguments::outputs() const {
    const std::size_t inputs = kernel_.inputs();
    std::vector<PyObject*> all(kernel_.outputs());
    bool is_positional = false;
    for (std::size_t i = 0; i < all.size() && !kernel_.are_options[inputs + i]; ++i) {
        all[i] = given_[inputs + i];
        is_positional |= all[i] != nullptr;
    }
    PyObject* out = option("out");
    if (is_none(out)) return all;
    if (is_positional) fail(PyExc_TypeError, "cannot specify 'out' as both a positional and keyword argument");
    const bool is_tuple = PyTuple_Check(out);
    if (!is_tuple && all.size() != 1) fail(PyExc_TypeError, "'out' must be a tuple of arrays");
    if (is_tuple && PyTuple_Size(out) != static_cast<Py_ssize_t>(all.size()))
        fail(PyExc_ValueError, "The 'out' tuple must have exactly " + std::to_string(all.size()) +
                                   " entries, an array or None for each output of " + kernel_.name);
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = is_tuple ? PyTuple_GetItem(out, static_cast<Py_ssize_t>(i)) : out;
    return all;
}

const library& arguments::common_library(std::initializer_list<const char*> options) const {
    std::vector<PyObject*> arrays(inputs().begin(), inputs().end());
    for (PyObject* one : outputs())
        if (!is_none(one)) arrays.push_back(one);
    for (const char* name : options)
        if (PyObject* one = option(name); !is_none(one) && !PyBool_Check(one)) arrays.push_back(one);
    return python::common_library(kernel_.name.c_str(), arrays);
}

std::string layout_text(const signature& signature) {
    std::string text;
    for (std::size_t i = 0; i < signature.operands.size(); ++i) {
        text += i == 0 ? "(" : i == static_cast<std::size_t>(signature.inputs) ? "->(" : ",(";
        const char* comma = "";
        for (const int core : signature.operands[i].core) {
            text += comma + std::string(signature.dimensions[static_cast<std::size_t>(core)].name);
            comma = ",";
        }
        text += ")";
    }
    return (signature.inputs == 0 ? "->" : "") + text;
}

}  // namespace foldwise::python
