// python/operands.cpp: makes operands from arguments, and results from outputs.
#include "kernel.hpp"
#include "streams.hpp"

#include <foldwise/detail/layout.hpp>
#include <foldwise/detail/limits.hpp>
#include <foldwise/error.hpp>

#include <algorithm>
#include <bitset>
#include <iterator>

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

std::string types_of(const signature& signature) {
    const auto names = [](std::span<const operand_type> operands) {
        std::string text;
        for (const auto& [name, type, axes, is_written, is_around, core, keeps] : operands) {
            text += text.empty() ? "" : ", ";
            text += type.kind == element_type::kinds::record ? numpy_dtype(type).text() : name_of(type);
        }
        return text;
    };
    const std::span<const operand_type> operands(signature.operands);
    const auto inputs = static_cast<std::size_t>(signature.inputs);
    const std::string text = "(" + names(operands.first(inputs)) + ")";
    if (inputs == operands.size()) return text;
    const std::string results = names(operands.subspan(inputs));
    return text + " -> " + (inputs + 1 == operands.size() ? results : "(" + results + ")");
}

static constexpr std::pair<castings, const char*> wide_castings[] = {{castings::same_kind, "same_kind"},
                                                                     {castings::unsafe, "unsafe"}};

std::string casting_hint(const kernel& kernel, element_type from, element_type to) {
    if (kernel.takes("casting"))
        for (const auto& [casting, word] : wide_castings)
            if (is_cast(from, to, casting)) return std::string("; casting='") + word + "' casts them";
    if (kernel.takes("casting") || to.kind == element_type::kinds::other) return {};
    const auto has_result = [&](const signature* one) { return one->operands.back().type == to; };
    if (kernel.takes("dtype") && std::ranges::any_of(kernel.ordered, has_result))
        return std::string("; dtype='") + name_of(to) + "' computes such a result";
    return std::string("; pass an output of ") + name_of(from) + ", and cast that";
}

namespace {

/// Which of a call's arguments something holds for.
using argument_set = std::bitset<detail::max_operands>;

/// "x.astype(np.int32)", as the argument's library has it.
std::string cast_text(const refused_argument& argument, element_type to) {
    if (argument.type.is_weak) return std::string(is_integer(to) ? "int(" : "float(") + argument.name + ")";
    const object type = object::share(reinterpret_cast<PyObject*>(Py_TYPE(argument.value.get())));
    const bool is_torch = type.attribute("__module__").text().starts_with("torch");
    const bool is_boolean = to.kind == element_type::kinds::boolean;
    const bool is_brain = to.kind == element_type::kinds::brain_floating;
    if (is_torch) return argument.name + ".to(torch." + name_of(to) + ")";
    const std::string dtype = (is_brain ? "ml_dtypes." : "np.") + std::string(name_of(to)) + (is_boolean ? "_" : "");
    return argument.is_array ? argument.name + ".astype(" + dtype + ")"
                             : "np.array(" + argument.name + ", " + dtype + ")";
}

}  // namespace

std::string cast_texts(std::span<const signature* const> possible, std::span<const refused_argument> arguments) {
    for (const auto& [casting, word] : wide_castings) {
        std::string fewest;
        std::size_t least = arguments.size() + 1;
        for (const signature* one : possible) {
            std::string text;
            std::size_t count = 0;
            bool fits = true;
            for (std::size_t i = 0; i < arguments.size() && fits; ++i) {
                const element_type from = arguments[i].type.type, to = one->operands[i].type;
                if (one->operands[i].is_written) {  // a copy would be written in its place
                    fits = !arguments[i].type.is_weak && from == to;
                    continue;
                }
                if (is_accepted(arguments[i].type, to)) continue;
                fits = is_cast(from, to, casting) && to.kind != element_type::kinds::boolean &&
                       (from.kind != element_type::kinds::complex || to.kind == from.kind);
                if (fits) text += (count++ == 0 ? ": " : ", ") + cast_text(arguments[i], to);
            }
            if (!fits || count >= least) continue;
            fewest = text;
            least = count;
        }
        if (!fewest.empty()) return fewest;
    }
    return {};
}

/// A Python number as casting='unsafe' takes it for elements of a narrower kind: without its imaginary part, and for
/// integers without its fraction.
static object narrowed(object number, element_type type) {
    const bool is_real = is_integer(type) || type.kind == element_type::kinds::floating ||
                         type.kind == element_type::kinds::brain_floating;
    if (is_real && PyComplex_CheckExact(number.get())) number = number.attribute("real");
    if (is_integer(type) && PyFloat_CheckExact(number.get()))
        number = object::take(PyLong_FromDouble(PyFloat_AsDouble(number.get())));
    return number;
}

/// TypeError: no signature takes the arguments, of which `are_arrays` are the library's own.
[[noreturn]] static void refuse_types(const kernel& kernel, const library& library,
                                      std::span<const signature* const> possible, const std::vector<object>& arguments,
                                      const std::vector<argument_type>& types, const argument_set& are_arrays,
                                      element_type result) {
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (types[i].type.kind == element_type::kinds::other) refuse_members(kernel, i, arguments[i]);
    std::string given, taken, fix;
    std::vector<refused_argument> refused;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        refused.push_back({kernel.parameters[i], arguments[i], types[i], are_arrays[i]});
        given += i ? ", " : "";
        const bool is_array = library.owns(arguments[i].get());
        given += is_array ? library.type_name(arguments[i].get()) : class_of(arguments[i].get());
    }
    for (const signature* one : kernel.ordered) taken += (taken.empty() ? "" : " or ") + types_of(*one);
    if (result.kind == element_type::kinds::other) {
        fix = cast_texts(possible, refused);
    } else {
        given += ", dtype=" + std::string(name_of(result));
        for (const auto& [wider, word] : wide_castings)
            if (fix.empty() && kernel.takes("casting") && choose(possible, types, result, wider))
                fix = std::string("; casting='") + word + "' casts them";
    }
    fail(PyExc_TypeError, kernel.name + "() does not take (" + given + "); it takes " + taken +
                              ", and what can be cast to these safely" + fix +
                              (library.has_wide_types() ? "" : "; JAX has types of 64 bits only with jax_enable_x64"));
}

const signature& chosen(const kernel& kernel, const library& library, std::vector<object>& arguments,
                        std::vector<argument_type>& types, element_type result, castings casting) {
    argument_set are_arrays;
    for (object& argument : arguments) {
        are_arrays[types.size()] = library.owns(argument.get());
        types.push_back(describe(library, argument));
    }
    std::span<const signature* const> possible = kernel.ordered;
    std::vector<const signature*> narrow;
    if (!library.has_wide_types()) {
        std::ranges::remove_copy_if(possible, std::back_inserter(narrow), [](const signature* one) {
            return std::ranges::any_of(one->operands, is_wide, &operand_type::type);
        });
        possible = narrow;
    }
    if (const signature* found = choose(possible, types, result, casting)) {
        for (std::size_t i = 0; i < arguments.size() && casting == castings::unsafe; ++i)
            if (types[i].is_weak) arguments[i] = narrowed(std::move(arguments[i]), found->operands[i].type);
        return *found;
    }
    refuse_types(kernel, library, possible, arguments, types, are_arrays, result);
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
    if (!library.owns(given_)) {
        const bool is_axis =
            options_.function && options_.function->takes("axis") && (PyLong_Check(given_) || PyTuple_Check(given_));
        fail(PyExc_TypeError, "an output must be an array, not " + class_of(given_) +
                                  (is_axis ? "; an axis is named: axis=" + object::share(given_).text() : ""));
    }
    // What NumPy's library owns may also be a scalar, which can be read but not written.
    if (is_numpy(library) && !is_numpy_array(given_))
        fail(PyExc_TypeError, "an output must be an array, not " + class_of(given_));
    const element_type own = library.type_of(given_);
    if (options_.keeps ? own != type : !is_cast(type, own, options_.casting))
        fail(PyExc_TypeError,
             std::string("cannot cast a result of ") + name_of(type) + " to the output's " + library.type_name(given_) +
                 (options_.keeps      ? ", which is also read"
                  : options_.function ? " without losing values" + casting_hint(*options_.function, type, own)
                                      : " without losing values"));
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
