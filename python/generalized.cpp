// python/generalized.cpp: calls of functions of rows and matrices, as those of NumPy's generalised universal functions:
// core dimensions are the last axes of each array, or those that axes= and axis= name.
#include "prepared.hpp"

#include <algorithm>
#include <map>

namespace foldwise::python {

namespace {

/// Where an operand's core dimensions are among its axes.
struct core_place {
    std::vector<int> core;  ///< The axes of the core dimensions, in their order.
    std::vector<int> loop;  ///< All others.
};

/// A layout of some axes of another one.
detail::layout taken(const detail::layout& from, const std::vector<int>& first, const std::vector<int>& then = {}) {
    detail::layout result;
    std::vector<std::int64_t> extents;
    for (const std::vector<int>* axes : {&first, &then})
        for (const int axis : *axes) {
            result.strides[extents.size()] = from.strides[static_cast<std::size_t>(axis)];
            extents.push_back(from.shape[axis]);
        }
    result.shape = shape(std::span<const std::int64_t>(extents));
    return result;
}

shape shape_of(const shape& whole, const std::vector<int>& axes) {
    std::vector<std::int64_t> extents;
    for (const int axis : axes) extents.push_back(whole[axis]);
    return shape(std::span<const std::int64_t>(extents));
}

class generalized_call {
  public:
    generalized_call(const kernel& kernel, const call& call)
        : kernel_(kernel), given_(kernel, call), library_(given_.common_library()),
          casting_(to_casting(given_.option("casting"))), signature_(choose_signature()),
          inputs_(library_, signature_, all_, types_), keeps_(to_truth(given_.option("keepdims"), false)) {}

    object run() {
        if (given_.option("keepdims")) check_keepdims();
        read_axes();
        sizes_.resize(signature_.dimensions.size(), -1);
        for (std::size_t i = 0; i < sizes_.size(); ++i)
            if (signature_.dimensions[i].size > 0) sizes_[i] = signature_.dimensions[i].size;
        std::vector<operand_ref> refs = inputs_.refs();
        std::vector<shape> loops;
        for (std::size_t i = 0; i < refs.size(); ++i) {
            const core_place place = place_of(i, refs[i].layout.shape.rank(), "Input");
            add_sizes(i, shape_of(refs[i].layout.shape, place.core), "Input");
            if (refs[i].is_scalar) continue;
            loops.push_back(shape_of(refs[i].layout.shape, place.loop));
            refs[i].layout = taken(refs[i].layout, place.loop, place.core);
        }
        const std::vector<PyObject*> wanted = given_.outputs();
        for (std::size_t i = 0; i < wanted.size(); ++i) add_output(i, wanted[i], loops);
        read_own_dimensions();
        const shape loop = broadcast(loops);

        std::vector<output> outputs;
        std::vector<core_place> places;
        outputs.reserve(wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const std::size_t number = kernel_.inputs() + i;
            const operand_type& operand = signature_.operands[number];
            places.push_back(place_of(number, loop.rank() + cores_of(number), "Output"));
            outputs.emplace_back(library_, wanted[i], shape_of_output(number, loop, places.back()), operand.type,
                                 inputs_, output_options{operand.keeps, casting_, &kernel_});
        }
        const executor executor = library_.executor_for(outputs.front().target());
        python::run(outputs, [&] {
            std::vector<operand_ref> operands = refs;
            for (std::size_t i = 0; i < outputs.size(); ++i) {
                if (signature_.operands[kernel_.inputs() + i].keeps && is_none(wanted[i]))
                    library_.clear(outputs[i].target(), executor);
                operands.push_back(outputs[i].ref());
                detail::layout& layout = operands.back().layout;
                layout = keeps_ ? taken(layout, places[i].loop) : taken(layout, places[i].loop, places[i].core);
            }
            library_.launch({kernel_, signature_, std::move(operands), executor});
        });
        return results_of(outputs);
    }

  private:
    const signature& choose_signature() {
        for (PyObject* one : given_.inputs()) all_.push_back(object::share(one));
        return chosen(kernel_, library_, all_, types_, to_element_type(given_.option("dtype")), casting_);
    }

    bool is_input(std::size_t operand) const { return operand < kernel_.inputs(); }
    int count_of(std::size_t operand) const { return static_cast<int>(signature_.operands[operand].core.size()); }
    /// The core axes of an operand: with keepdims outputs have those of the inputs, of one element each.
    int cores_of(std::size_t operand) const { return keeps_ && !is_input(operand) ? count_of(0) : count_of(operand); }

    std::string text() const { return layout_text(signature_); }

    void check_keepdims() const {
        bool fits = kernel_.inputs() > 0;
        for (std::size_t i = 0; i < signature_.operands.size(); ++i)
            fits = fits && count_of(i) == (is_input(i) ? count_of(0) : 0);
        if (!fits)
            fail(PyExc_TypeError, kernel_.name + " does not support keepdims: its signature " + text() +
                                      " requires inputs that have the same number of core dimensions, and outputs "
                                      "that have none");
    }

    /// "; axes=[(-2, -1), -1, ()] names those of each operand", with the axes that core dimensions have by default.
    std::string axes_example() const {
        std::string entries;
        for (std::size_t i = 0; i < signature_.operands.size(); ++i) {
            const int cores = cores_of(i);
            std::string numbers;
            for (int axis = -cores; axis < 0; ++axis) numbers += (numbers.empty() ? "" : ", ") + std::to_string(axis);
            entries += (i ? ", " : "") + (cores == 1 ? numbers : "(" + numbers + ")");
        }
        return "; axes=[" + entries + "] names those of each operand";
    }

    void read_axes() {
        PyObject* const axes = given_.option("axes");
        PyObject* const axis = given_.option("axis");
        if (!is_none(axes) && !is_none(axis))
            fail(PyExc_TypeError, kernel_.name + "(): cannot specify both 'axis' and 'axes'");
        const std::size_t count = signature_.operands.size();
        bool have_cores = false;
        for (std::size_t i = kernel_.inputs(); i < count; ++i) have_cores |= count_of(i) > 0;
        if (!is_none(axis)) {
            for (std::size_t i = 0; i < count; ++i)
                if (count_of(i) > 1 || (is_input(i) && count_of(i) != 1) || signature_.dimensions.size() != 1)
                    fail(PyExc_TypeError, kernel_.name +
                                              ": axis can only be used with a single shared core dimension, not with "
                                              "the signature " +
                                              text() + axes_example());
            if (!PyIndex_Check(axis))
                fail(PyExc_TypeError, kernel_.name + "(): axis is an integer, not " + class_of(axis) + axes_example());
            for (std::size_t i = 0; i < count; ++i)
                axes_.push_back(cores_of(i) == 1 ? std::vector{to_integer({kernel_.name, "axis", axis})}
                                                 : std::vector<std::int64_t>());
            return;
        }
        if (is_none(axes)) return;
        if (!PyList_Check(axes)) fail(PyExc_TypeError, kernel_.name + "(): axes should be a list");
        const auto said = static_cast<std::size_t>(PyList_Size(axes));
        if (said != count && (said != kernel_.inputs() || have_cores))
            fail(PyExc_ValueError, kernel_.name + "(): axes should be a list with an entry for all " +
                                       std::to_string(count) +
                                       " inputs and outputs; entries for outputs can only be omitted if none of them "
                                       "has core axes.");
        for (std::size_t i = 0; i < said; ++i) {
            PyObject* const entry = PyList_GetItem(axes, static_cast<Py_ssize_t>(i));
            const int cores = cores_of(i);
            if (!PyTuple_Check(entry) && PyIndex_Check(entry) && cores != 1)
                fail_axes(kernel_.name + "(): axes item " + std::to_string(i) + " should be a tuple: operand " +
                          std::to_string(i) + " has " + std::to_string(cores) + " core dimensions");
            if (!PyTuple_Check(entry) && !PyIndex_Check(entry))
                fail(PyExc_TypeError, kernel_.name + "(): axes item " + std::to_string(i) + " should be a tuple" +
                                          (cores == 1 ? ", or an integer for a single core dimension." : "."));
            axes_.push_back(to_integers({kernel_.name, "axes item " + std::to_string(i), entry}));
            if (axes_.back().size() != static_cast<std::size_t>(cores))
                fail_axes(kernel_.name + "(): axes item " + std::to_string(i) + " should be a tuple with " +
                          std::to_string(cores) + " element" + (cores == 1 ? "" : "s") +
                          ", one for each core dimension");
        }
        for (std::size_t i = said; i < count; ++i) {
            axes_.emplace_back();
            for (int core = -cores_of(i); core < 0; ++core) axes_.back().push_back(core);
        }
    }

    core_place place_of(std::size_t operand, int rank, const char* kind) const {
        const int cores = cores_of(operand);
        if (rank < cores)
            fail(PyExc_ValueError, kernel_.name + ": " + kind + " operand " +
                                       std::to_string(is_input(operand) ? operand : operand - kernel_.inputs()) +
                                       " does not have enough dimensions (has " + std::to_string(rank) +
                                       ", gufunc core with signature " + text() + " requires " + std::to_string(cores) +
                                       ")");
        core_place place;
        if (axes_.empty()) {
            for (int axis = rank - cores; axis < rank; ++axis) place.core.push_back(axis);
        } else {
            for (const std::int64_t axis : normalized(axes_[operand], rank, kernel_.name))
                place.core.push_back(static_cast<int>(axis));
        }
        for (int axis = 0; axis < rank; ++axis)
            if (std::ranges::find(place.core, axis) == place.core.end()) place.loop.push_back(axis);
        return place;
    }

    void add_sizes(std::size_t operand, const shape& cores, const char* kind) {
        for (int i = 0; i < cores.rank(); ++i) {
            const auto dimension =
                static_cast<std::size_t>(signature_.operands[operand].core[static_cast<std::size_t>(i)]);
            std::int64_t& size = sizes_[dimension];
            if (size >= 0 && size != cores[i])
                fail(PyExc_ValueError, kernel_.name + ": " + kind + " operand " +
                                           std::to_string(is_input(operand) ? operand : operand - kernel_.inputs()) +
                                           " has a mismatch in its core dimension " + std::to_string(i) +
                                           ", with gufunc signature " + text() + " (size " + std::to_string(cores[i]) +
                                           " is different from " + std::to_string(size) + ")");
            size = cores[i];
        }
    }

    void add_output(std::size_t number, PyObject* given, std::vector<shape>& loops) {
        if (is_none(given) || !library_.owns(given)) return;
        const shape whole = library_.shape_of(given);
        const std::size_t operand = kernel_.inputs() + number;
        const core_place place = place_of(operand, whole.rank(), "Output");
        if (!keeps_) add_sizes(operand, shape_of(whole, place.core), "Output");
        loops.push_back(shape_of(whole, place.loop));
    }

    /// The core dimensions that only outputs have.
    void read_own_dimensions() {
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            const std::size_t place_in_call = kernel_.places_of_dimensions[i];
            const std::string name = place_in_call == no_place ? "" : kernel_.parameters[place_in_call];
            PyObject* const given = place_in_call == no_place ? nullptr : given_.all()[place_in_call];
            if (!is_none(given)) {
                const named_argument argument{kernel_.name, name, given};
                const std::int64_t size = to_integer(argument);
                if (size < 0)
                    argument.refuse(PyExc_ValueError,
                                    "is " + std::to_string(size) + ", and negative dimensions are not allowed");
                if (sizes_[i] >= 0 && sizes_[i] != size)
                    fail(PyExc_ValueError, kernel_.name + ": " + name + " is " + std::to_string(size) +
                                               ", and that of an output is " + std::to_string(sizes_[i]));
                sizes_[i] = size;
            }
            if (sizes_[i] < 0)
                fail(PyExc_TypeError, kernel_.name + "() with the signature " + text() + ": say " + name + "= or out=");
        }
    }

    shape shape_of_output(std::size_t operand, const shape& loop, const core_place& place) const {
        std::vector<std::int64_t> extents(place.core.size() + place.loop.size(), 1);
        for (std::size_t i = 0; i < place.loop.size(); ++i)
            extents[static_cast<std::size_t>(place.loop[i])] = loop[static_cast<int>(i)];
        if (!keeps_)
            for (std::size_t i = 0; i < place.core.size(); ++i)
                extents[static_cast<std::size_t>(place.core[i])] =
                    sizes_[static_cast<std::size_t>(signature_.operands[operand].core[i])];
        return shape(std::span<const std::int64_t>(extents));
    }

    const kernel& kernel_;
    const arguments given_;
    const library& library_;
    castings casting_;
    std::vector<object> all_;
    std::vector<argument_type> types_;
    const signature& signature_;
    const inputs inputs_;
    bool keeps_;
    std::vector<std::vector<std::int64_t>> axes_;  ///< The core axes of each operand; empty: the last ones.
    std::vector<std::int64_t> sizes_;              ///< The sizes of the core dimensions; -1: not known.
};

}  // namespace

/// What another library's array makes of the call by its __array_ufunc__; null if there is none among the arguments.
static object overridden(const kernel& kernel, const call& call) {
    const std::span all(call.arguments, static_cast<std::size_t>(call.positional + call.keyword_count()));
    const object word = make_text("__call__");
    bool is_asked = false;
    for (PyObject* argument : all) {
        if (is_number(argument) || PyBool_Check(argument) || argument == Py_None || numpy_of(argument)) continue;
        const object type = object::share(reinterpret_cast<PyObject*>(Py_TYPE(argument)));
        const object method = type.attribute_if_any("__array_ufunc__");
        if (!method) continue;
        if (method.get() == Py_None)
            fail(PyExc_TypeError,
                 "operand '" + type.attribute("__name__").text() + "' does not support ufuncs (__array_ufunc__=None)");
        // Outputs are passed as a tuple, wherever they stand in the call.
        const auto inputs = std::min(static_cast<Py_ssize_t>(kernel.inputs()), call.positional);
        const object positional = object::take(PyTuple_New(inputs + 3)), outputs = object::take(PyList_New(0));
        const object keywords = object::take(PyDict_New());
        PyObject* const first[] = {argument, call.self, word.get()};
        for (Py_ssize_t i = 0; i < inputs + 3; ++i)
            if (PyTuple_SetItem(positional.get(), i, Py_NewRef(i < 3 ? first[i] : call.arguments[i - 3])) < 0)
                throw python_error();
        for (Py_ssize_t i = inputs; i < call.positional; ++i)
            if (PyList_Append(outputs.get(), call.arguments[i]) < 0) throw python_error();
        for (Py_ssize_t i = 0; i < call.keyword_count(); ++i)
            if (PyDict_SetItem(keywords.get(), call.keyword(i), call.value(i)) < 0) throw python_error();
        object out = object::take(PySequence_Tuple(outputs.get()));
        PyObject* const named = PyDict_GetItemString(keywords.get(), "out");
        if (named) out = PyTuple_Check(named) ? object::share(named) : object::take(PyTuple_Pack(1, named));
        if (PyTuple_Size(out.get()) > 0 && PyDict_SetItemString(keywords.get(), "out", out.get()) < 0)
            throw python_error();
        object result = object::take(PyObject_Call(method.get(), positional.get(), keywords.get()));
        if (result.get() != Py_NotImplemented) return result;
        is_asked = true;
    }
    if (is_asked)
        fail(PyExc_TypeError, std::string("operand type(s) all returned NotImplemented from __array_ufunc__(") +
                                  call.function + ", '__call__', ...)");
    return {};
}

object call_generalized(kernel& kernel, const call& call) {
    arguments(kernel, call).outputs();  // what is wrong with the call itself is said first
    if (object result = overridden(kernel, call)) return result;
    return generalized_call(kernel, call).run();
}

}  // namespace foldwise::python
