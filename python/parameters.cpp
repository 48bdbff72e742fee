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

/// What Python calls a parameter: those of the standard library's functions, such as __x of std::plus, as NumPy does.
std::string parameter_name(const signature& signature, std::size_t operand) {
    const std::string name = signature.operands[operand].name;
    if (name.starts_with("__")) return signature.inputs == 1 ? "x" : "x" + std::to_string(operand + 1);
    return python_name(name);
}

/// The core dimensions that outputs alone have, which a call may name.
std::vector<const char*> own_dimensions(const signature& signature) {
    std::vector<const char*> names;
    for (std::size_t dimension = 0; dimension < signature.dimensions.size(); ++dimension) {
        bool is_given = signature.dimensions[dimension].size > 0;
        for (const operand_type& operand : signature.operands)
            for (const int core : operand.core)
                is_given |= !operand.is_written && static_cast<std::size_t>(core) == dimension;
        if (!is_given) names.push_back(signature.dimensions[dimension].name);
    }
    return names;
}

}  // namespace

std::string python_name(const std::string& name) {
    constexpr std::string_view keywords[] = {"None",   "False",  "True",  "and",  "as",     "assert",   "async",
                                             "await",  "def",    "del",   "elif", "except", "finally",  "from",
                                             "global", "import", "in",    "is",   "lambda", "nonlocal", "not",
                                             "or",     "pass",   "raise", "with", "yield"};
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
    if (ordered.empty()) return;
    struct option {
        const char* name;
        const char* value = "None";
    };
    // An operand that is called like an option has the name.
    const auto add = [&](std::initializer_list<option> options) {
        for (const option& one : options)
            if (std::ranges::find(parameters, one.name) == parameters.end()) {
                parameters.emplace_back(one.name);
                defaults.emplace_back(one.value);
            }
    };
    const patterns pattern = first().pattern;
    if (is_of_tasks()) add({{"shape", ""}});
    for (std::size_t i = 0; i < (is_of_tasks() ? first().operands.size() : inputs()); ++i) {
        parameters.push_back(parameter_name(first(), i));
        defaults.emplace_back();
    }
    required = positional = parameters.size();
    if (is_of_tasks()) {
        add({{"stream"}});
        return;
    }
    if (pattern == patterns::reduce) {
        add({{"axis"}, {"dtype"}, {"out"}, {"keepdims", "False"}, {"initial"}, {"where", "True"}});
        positional = parameters.size();
        add({{"segments"}});
    } else if (pattern == patterns::scan) {
        add({{"axis"}, {"dtype"}, {"out"}});
        positional = parameters.size();
        add({{"exclusive", "False"}, {"reverse", "False"}, {"initial"}, {"where", "True"}, {"segments"}, {"by_key"}});
    } else if (pattern == patterns::scatter) {
        add({{"out"}});
        positional = parameters.size();
        add({{"shape"}, {"dtype"}});
    } else {
        for (std::size_t i = inputs(); i < first().operands.size(); ++i) add({{parameter_name(first(), i).c_str()}});
        positional = parameters.size();
        add({{"out"}});
        if (pattern == patterns::vectorize) add({{"where", "True"}});
        if (pattern == patterns::stencil && std::ranges::any_of(ordered, &signature::has_steps)) add({{"steps", "1"}});
        if (pattern == patterns::guvectorize) add({{"axes"}, {"axis"}, {"keepdims", "False"}});
        add({{"dtype"}, {"casting", "'safe'"}});
        if (!looped.empty()) add({{"order", "'K'"}, {"subok", "True"}});
        if (pattern == patterns::guvectorize)
            for (const char* dimension : own_dimensions(first())) add({{dimension}});
    }
    const bool has_elements =
        pattern == patterns::reduce || pattern == patterns::scan || pattern == patterns::vectorize;
    if (has_elements && std::ranges::any_of(ordered, &signature::takes_shape)) add({{"shape"}});
    add({{"stream"}});
}

PyObject* arguments::option(const char* name) const {
    const auto begin = kernel_.parameters.begin() + static_cast<std::ptrdiff_t>(kernel_.required);
    const auto found = std::find(begin, kernel_.parameters.end(), name);
    return found == kernel_.parameters.end() ? nullptr
                                             : given_[static_cast<std::size_t>(found - kernel_.parameters.begin())];
}

std::vector<PyObject*> arguments::outputs() const {
    const std::size_t inputs = kernel_.inputs();
    std::vector<PyObject*> all(kernel_.outputs());
    const patterns pattern = kernel_.first().pattern;
    bool is_positional = false;
    if (pattern == patterns::vectorize || pattern == patterns::stencil || pattern == patterns::guvectorize)
        for (std::size_t i = 0; i < all.size() && kernel_.parameters[inputs + i] != "out"; ++i) {
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
