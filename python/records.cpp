// python/records.cpp: says in which member an array of records differs from the struct that a kernel takes.
#include "kernel.hpp"

#include <algorithm>

namespace foldwise::python {

namespace {

std::vector<std::string> names_of(const object& dtype) {
    const object names = dtype.attribute("names");
    std::vector<std::string> all;
    if (names.get() == Py_None) return all;
    for (Py_ssize_t i = 0; i < PyTuple_Size(names.get()); ++i)
        all.push_back(object::share(PyTuple_GetItem(names.get(), i)).text());
    return all;
}

object member(const object& dtype, const std::string& name) {
    return object::take(PyObject_GetItem(dtype.get(), make_text(name).get()));
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& one : names) text += (text.empty() ? "" : ", ") + one;
    return text;
}

bool is_equal(const object& a, const object& b) {
    const int equal = PyObject_RichCompareBool(a.get(), b.get(), Py_EQ);
    if (equal < 0) throw python_error();
    return equal == 1;
}

bool is_cast_safely(const object& from, const object& to) {
    return import_module("numpy").attribute("can_cast")(from, to).get() == Py_True;
}

/// What is different about a dtype's members, whose names begin with `prefix`; nothing if they differ in their places
/// alone or, unless they are to be exactly the same, in types that go to the struct's safely.
std::string difference(const object& given, const object& wanted, bool is_exact, const std::string& prefix) {
    const std::vector<std::string> own = names_of(given), needed = names_of(wanted);
    const auto missing = [](const std::vector<std::string>& names, const std::vector<std::string>& from) {
        return std::ranges::find_if(names,
                                    [&](const std::string& one) { return std::ranges::find(from, one) == from.end(); });
    };
    if (const auto one = missing(needed, own); one != needed.end()) return "it has no member '" + prefix + *one + "'";
    if (const auto one = missing(own, needed); one != own.end())
        return "its member '" + prefix + *one + "' is none of the struct's";
    if (own != needed)
        return "its members are " + listed(own) + ", and the struct's " + listed(needed) + " in this order";
    for (const std::string& name : own) {
        const object from = member(given, name), to = member(wanted, name);
        if (is_equal(from, to)) continue;
        const object one = from.attribute("base"), other = to.attribute("base");  // of an array of them
        const bool have_members = !names_of(one).empty() && !names_of(other).empty();
        if (have_members && is_equal(from.attribute("shape"), to.attribute("shape"))) {
            if (std::string within = difference(one, other, is_exact, prefix + name + "."); !within.empty())
                return within;
        } else if (is_exact || !is_cast_safely(from, to)) {
            return "its member '" + prefix + name + "' is of " + from.text() + ", and the struct's of " + to.text();
        }
    }
    return {};
}

/// "drift.dtypes[0][1]"
std::string place_of_dtype(const kernel& kernel, const signature& signature, std::size_t operand) {
    const auto number = std::ranges::find(kernel.ordered, &signature) - kernel.ordered.begin();
    return kernel.name + ".dtypes[" + std::to_string(number) + "][" + std::to_string(operand) + "]";
}

object dtype_of(const object& array) { return array.attribute_if_any("dtype"); }

}  // namespace

void refuse_members(const kernel& kernel, std::size_t operand, const object& given) {
    const auto parameter = operand + (kernel.is_of_tasks() ? 1 : 0);
    const object dtype = dtype_of(given);
    if (!dtype || !dtype.attribute_if_any("names") || names_of(dtype).empty()) return;
    for (const signature* one : kernel.ordered) {
        const operand_type& wanted = one->operands[operand];
        if (wanted.type.kind != element_type::kinds::record) continue;
        const std::string what = difference(dtype, numpy_dtype(wanted.type), wanted.is_written, "");
        if (what.empty()) continue;
        fail(PyExc_TypeError, kernel.name + "() does not take " + kernel.parameters[parameter] + ": " + what +
                                  "; the struct's dtype is " + place_of_dtype(kernel, *one, operand));
    }
}

void refuse_layout(const kernel& kernel, const signature& signature, std::size_t operand, const object& given) {
    const element_type type = signature.operands[operand].type;
    const auto parameter = operand + (kernel.is_of_tasks() ? 1 : 0);
    if (type.kind != element_type::kinds::record) return;
    const object own = dtype_of(given), wanted = numpy_dtype(type);
    if (!own || is_equal(own, wanted)) return;
    const std::string bytes = own.attribute("itemsize").text();
    const std::string sizes = bytes == std::to_string(type.size)
                                  ? std::string(", of other places of its members")
                                  : ", of " + bytes + " bytes and not " + std::to_string(type.size);
    fail(PyExc_ValueError, kernel.parameters[parameter] +
                               " is written, so its records have the layout of the struct in C++, " +
                               place_of_dtype(kernel, signature, operand) + ", and not another one" + sizes);
}

}  // namespace foldwise::python
