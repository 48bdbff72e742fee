// python/operands.cpp: from arguments to operands, and from outputs to results.
#include "kernel.hpp"
#include "streams.hpp"

#include <foldwise/detail/layout.hpp>
#include <foldwise/error.hpp>

#include <algorithm>

namespace foldwise::python {

namespace {

std::string text_of(const shape& shape) {
    std::string text = "(";
    for (int axis = 0; axis < shape.rank(); ++axis) text += (axis ? ", " : "") + std::to_string(shape[axis]);
    return text + (shape.rank() == 1 ? ",)" : ")");
}

/// Broadcasts one shape to another; false if that is not possible.
bool join(std::vector<std::int64_t>& extents, const shape& other) {
    const auto rank = static_cast<std::size_t>(other.rank());
    if (extents.size() < rank) extents.insert(extents.begin(), rank - extents.size(), 1);
    for (std::size_t axis = 0; axis < rank; ++axis) {
        std::int64_t& extent = extents[extents.size() - rank + axis];
        const std::int64_t own = other[static_cast<int>(axis)];
        if (extent == 1)
            extent = own;
        else if (own != 1 && own != extent)
            return false;
    }
    return true;
}

}  // namespace

shape broadcast(std::span<const shape> shapes) {
    std::vector<std::int64_t> extents;
    bool fits = true;
    std::string texts;
    for (const shape& one : shapes) {
        fits = fits && join(extents, one);
        texts += " " + text_of(one);
    }
    if (!fits) fail(PyExc_ValueError, "operands could not be broadcast together with shapes" + texts);
    return shape(std::span<const std::int64_t>(extents));
}

std::string input_names(const signature& signature) {
    std::string names;
    for (int i = 0; i < signature.inputs; ++i) {
        const element_type type = signature.operands[static_cast<std::size_t>(i)].type;
        names += i ? ", " : "";
        names += type.kind == element_type::kinds::record ? numpy_dtype(type).text() : name_of(type);
    }
    return names;
}

/// A Python number as casting='unsafe' takes it for elements of a narrower kind: without its imaginary part, and for
/// integers without its fraction.
static object narrowed(object number, element_type type) {
    using kinds = element_type::kinds;
    const bool is_integer = type.kind == kinds::integer || type.kind == kinds::unsigned_integer;
    const bool is_real = is_integer || type.kind == kinds::floating || type.kind == kinds::brain_floating;
    if (is_real && PyComplex_CheckExact(number.get())) number = number.attribute("real");
    if (is_integer && PyFloat_CheckExact(number.get()))
        number = object::take(PyLong_FromDouble(PyFloat_AsDouble(number.get())));
    return number;
}

const signature& chosen(const kernel& kernel, const library& library, std::vector<object>& arguments,
                        std::vector<argument_type>& types, element_type result, castings casting) {
    for (object& argument : arguments) types.push_back(describe(library, argument));
    std::vector<const signature*> possible = kernel.ordered;
    const bool has_wide_types = library.has_wide_types();
    if (!has_wide_types)
        std::erase_if(possible, [](const signature* one) {
            return std::ranges::any_of(one->operands, is_wide, &operand_type::type);
        });
    if (const signature* found = choose(possible, types, result, casting)) {
        for (std::size_t i = 0; i < arguments.size() && casting == castings::unsafe; ++i)
            if (types[i].is_weak) arguments[i] = narrowed(std::move(arguments[i]), found->operands[i].type);
        return *found;
    }
    std::string given, taken;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        given += i ? ", " : "";
        const bool is_array = library.owns(arguments[i].get());
        given += is_array ? library.type_name(arguments[i].get()) : class_of(arguments[i].get());
    }
    for (const signature* one : kernel.ordered) taken += (taken.empty() ? "(" : " or (") + input_names(*one) + ")";
    if (result.kind != element_type::kinds::other) given += ", dtype=" + std::string(name_of(result));
    fail(PyExc_TypeError, kernel.name + "() does not take (" + given + "); it takes " + taken +
                              ", and what can be cast to these safely" +
                              (has_wide_types ? "" : "; JAX has types of 64 bits only with jax_enable_x64"));
}

element_type to_element_type(PyObject* argument) {
    if (is_none(argument)) return {};
    const object given = object::share(argument);
    std::string name = given.text();  // "torch.float32", or "float32" of a dtype and a string
    if (name.starts_with("torch.")) name.erase(0, 6);
    if (const element_type type = type_of_name(name); type.kind != element_type::kinds::other) return type;
    const object dtype = import_module("numpy").attribute("dtype")(given);
    const element_type type = type_of_number(to_integer(dtype.attribute("num").get()));
    if (type.kind == element_type::kinds::other) fail(PyExc_TypeError, "no kernel has elements of " + dtype.text());
    return type;
}

object condition_of(const library& library, PyObject* where) {
    object condition = object::share(where);
    refuse_mask(where);
    if (!library.owns(where)) {
        if (!is_numpy(library)) fail(PyExc_TypeError, "where= is an array of booleans, not " + class_of(where));
        condition = import_module("numpy").attribute("asarray")(condition, make_text("bool"));
    }
    if (library.type_of(condition.get()).kind != element_type::kinds::boolean)
        fail(PyExc_TypeError, "where= is an array of booleans, not of " + library.type_name(condition.get()));
    return condition;
}

scalar::scalar(PyObject* given, element_type type) {
    if (type.kind != element_type::kinds::record) {
        number_ = to_value(given, type);
        return;
    }
    record_ = numpy().read(given, type);
    if (record_.ref.layout.shape.size() != 1)
        fail(PyExc_ValueError, "one record is wanted, and not an array of shape " + text_of(record_.ref.layout.shape));
}

inputs::inputs(const library& library, const signature& signature, const std::vector<object>& arguments,
               const std::vector<argument_type>& types) {
    std::vector<shape> shapes;
    arrays_.reserve(arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const operand_type& operand = signature.operands[i];
        const element_type type = operand.type;
        if (types[i].is_weak || !library.owns(arguments[i].get())) {
            if (operand.axes > 0)
                fail(PyExc_TypeError, std::string(operand.name) + " is an array that is handed over as a whole, not " +
                                          class_of(arguments[i].get()));
            values_.push_back(std::make_unique<scalar>(arguments[i].get(), type));
            refs_.push_back(values_.back()->ref());
            continue;
        }
        arrays_.push_back(library.read(arguments[i].get(), type));
        refs_.push_back(arrays_.back().ref);
        if (!(refs_.back().place == arrays_.front().ref.place))
            fail(PyExc_ValueError, "arrays are in different places: " + library.place_of(arrays_.front().owner.get()) +
                                       " and " + library.place_of(arguments[i].get()));
        if (operand.axes > 0) {
            refs_.back().is_scalar = true;
            refs_.back().whole_axes = operand.axes;
        }
        if (operand.axes == 0 || operand.is_around) shapes.push_back(refs_.back().layout.shape);
    }
    if (signature.pattern != patterns::guvectorize) extents_ = broadcast(shapes);
}

bool inputs::has_elements() const {
    return std::ranges::any_of(refs_, [](const operand_ref& one) { return !one.is_scalar; });
}

std::vector<operand_ref> inputs::broadcast_to(const shape& extents) const {
    std::vector<operand_ref> refs = refs_;
    for (operand_ref& one : refs)
        if (!one.is_scalar) one.layout = detail::broadcast(one.layout, extents);
    return refs;
}

output::output(const library& library, PyObject* given, const shape& extents, element_type type, const inputs& inputs,
               output_options options)
    : library_(library), given_(is_none(given) ? nullptr : given), options_(options), extents_(extents), type_(type),
      like_(inputs.any() ? inputs.any()->owner.get() : given_) {
    if (!given_) {
        target_ = library.make(extents, type, like_);
        return;
    }
    if (!library.owns(given_)) fail(PyExc_TypeError, "an output must be an array, not " + class_of(given_));
    if (is_numpy(library) && !is_numpy_array(given_))
        fail(PyExc_TypeError, "an output must be an array, not " + class_of(given_));
    const element_type own = library.type_of(given_);
    if (options_.keeps ? own != type : !is_cast(type, own, options_.casting))
        fail(PyExc_TypeError, std::string("cannot cast a result of ") + name_of(type) + " to the output's " +
                                  library.type_name(given_) +
                                  (options_.keeps ? ", which is also read" : " without losing values"));
    const array all = library.write(given_, own);
    if (all.ref.layout.shape != extents)
        fail(PyExc_ValueError,
             "an output of shape " + text_of(all.ref.layout.shape) + " for a result of shape " + text_of(extents));
    if (inputs.any() && !(all.ref.place == inputs.any()->ref.place))
        fail(PyExc_ValueError,
             "arrays are in different places: " + library.place_of(like_) + " and " + library.place_of(given_));
    if (library.is_fitting(given_, type))
        target_ = library.write(given_, type);
    else
        detach();
}

void output::detach() {
    target_ = library_.make(extents_, type_, like_);
    if (options_.keeps && given_) library_.assign(target_.owner.get(), given_, type_);
}

object output::finished(const object& where) {
    if (!given_) return library_.finished(std::move(target_.owner));
    object given = object::share(given_);
    if (!where && target_.owner.get() == given_) return given;
    const call_scope& scope = call_scope::current();
    scope.leave();  // the library copies on its own stream
    if (where) target_.owner = library_.selected(where, target_.owner, given);
    element_type type = type_;
    if (options_.casting > castings::safe) {
        type = library_.type_of(given_);
        target_ = library_.read(target_.owner.get(), type);
    }
    library_.assign(given_, target_.owner.get(), type);
    scope.enter();
    return given;
}

object results_of(std::span<output> outputs, const object& where) {
    if (outputs.size() == 1) return outputs.front().finished(where);
    object results = object::take(PyTuple_New(static_cast<Py_ssize_t>(outputs.size())));
    for (std::size_t i = 0; i < outputs.size(); ++i)
        if (PyTuple_SetItem(results.get(), static_cast<Py_ssize_t>(i), outputs[i].finished(where).release()) < 0)
            throw python_error();
    return results;
}

void run(std::span<output> outputs, const std::function<void()>& call) {
    try {
        return call();
    } catch (const overlap_error&) {
        if (std::ranges::none_of(outputs, &output::is_direct)) throw;
    }
    for (output& one : outputs) one.detach();
    call();
}

}  // namespace foldwise::python
