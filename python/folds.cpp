// python/folds.cpp: calls of reductions.
#include "fold_call.hpp"
#include "program.hpp"

#include <foldwise/detail/layout.hpp>

#include <algorithm>
#include <numeric>

namespace foldwise::python {

namespace {

/// The axes that a call folds, and the shape of its results.
struct folded_axes {
    folded_axes(const named_argument& argument, bool keeps, const shape& extents)
        : numbers(to_axes(argument, extents.rank())) {
        for (int axis = 0; axis < extents.rank(); ++axis) {
            const bool is_folded = !numbers || std::ranges::find(*numbers, axis) != numbers->end();
            (is_folded ? folded : kept).push_back(axis);
            if (!is_folded) results.push_back(extents[axis]);
            if (is_folded && keeps) results.push_back(1);
        }
    }

    std::optional<std::vector<std::int64_t>> numbers;
    std::vector<int> kept, folded;
    std::vector<std::int64_t> results;
};

/// A tuple of axes.
object tuple_of_axes(const std::vector<int>& numbers) {
    object tuple = object::take(PyTuple_New(static_cast<Py_ssize_t>(numbers.size())));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (PyTuple_SetItem(tuple.get(), static_cast<Py_ssize_t>(i), make_integer(numbers[i]).release()) < 0)
            throw python_error();
    return tuple;
}

/// Folds the elements for which a condition holds: each result folds a segment of them, in their order.
object fold_where(const fold_call& fold, const object& condition, const folded_axes& axes, PyObject* out) {
    const shape& extents = fold.extents();
    const object library = namespace_of(fold.any());
    const object whole = tuple_of(extents), from = tuple_of_axes(axes.folded);
    std::vector<int> last(axes.folded.size());
    std::iota(last.begin(), last.end(), -static_cast<int>(last.size()));
    const object to = tuple_of_axes(last);
    const auto laid = [&](const object& array) {
        return library.attribute("moveaxis")(library.attribute("broadcast_to")(array, whole), from, to);
    };
    std::int64_t count = 1, length = 1;
    for (const int axis : axes.kept) count *= extents[axis];
    for (const int axis : axes.folded) length *= extents[axis];
    const object mask = laid(condition);
    std::vector<object> chosen;
    for (std::size_t i = 0; i < fold.given_inputs.size(); ++i) {
        const bool is_laid = fold.library.owns(fold.given_inputs[i].get()) && fold.signature.operands[i].axes == 0;
        chosen.push_back(is_laid ? object::take(PyObject_GetItem(laid(fold.given_inputs[i]).get(), mask.get()))
                                 : fold.given_inputs[i]);
    }
    const inputs operands(fold.library, fold.signature, chosen, fold.types);
    output result(fold.library, out, shape(std::span<const std::int64_t>(axes.results)), fold.result_type(),
                  fold.operands, {.function = &fold.kernel});
    prepared_call call = fold.prepared();
    if (count == 0) return result.finished();
    const object rows = mask.attribute("reshape")(tuple_of(shape(count, length)));
    const object ends = rows.attribute("sum")(make_integer(1)).attribute("cumsum")(make_integer(0));
    const object first = object::take(PySequence_GetSlice(ends.get(), 0, 1));
    const object zero = object::take(PyNumber_Subtract(first.get(), first.get()));
    const object pair = object::take(PyTuple_Pack(2, zero.get(), ends.get()));
    const offsets_of offsets(library.attribute("concatenate")(pair));
    if (!detail::is_contiguous(result.ref().layout.shape, result.ref().layout.strides)) result.detach();

    call.begins = &offsets.elements();
    call.restarts = offsets.restarts(true);
    if (operands.extents().rank() != 1) call.whole = shape(0);
    run(std::span(&result, 1), [&] {
        call.operands = operands.refs();
        call.operands.push_back(result.ref());
        call.operands.back().layout = detail::row_major(shape(count));
        fold.library.launch(call);
    });
    return result.finished();
}

/// A fold of the elements for which a condition holds, by accumulators that are made of each element where it is. Rows
/// with as many such elements are folded together.
constexpr const char* some_elements_program = R"python(
def fold_where(function, xp, inputs, shape, condition, axes, rows, length, apart, options):
    def laid(x):
        last = tuple(range(-len(axes), 0))
        return xp.moveaxis(xp.broadcast_to(x, shape), axes, last).reshape(rows, length)

    parts, mask = laid(function.partial(*inputs, axis=(), shape=shape, **apart)), laid(condition)
    counts = mask.sum(1)
    numbers = (counts * 0 + 1).cumsum(0) - 1
    results, order = [], []
    for count in sorted(set(counts.tolist())):
        alike = counts == count
        chosen = parts[alike][mask[alike]].reshape(int(alike.sum()), count)
        results.append(function.from_partials(chosen, axis=1, **options))
        order.append(numbers[alike])
    return xp.concatenate(results)[xp.argsort(xp.concatenate(order))]
)python";

/// Folds the elements for which a condition holds, of a fold whose map takes an index.
object fold_indexed_where(const fold_call& fold, PyObject* self, const object& condition, const folded_axes& axes) {
    const object& function = *made_once([] {
        const object names = run_program(some_elements_program, "<folds of some elements>");
        return new object(object::share(PyDict_GetItemString(names.get(), "fold_where")));
    });
    output out(fold.library, fold.given.option("out"), shape(std::span<const std::int64_t>(axes.results)),
               fold.result_type(), fold.operands, {.function = &fold.kernel});
    const shape& extents = fold.extents();
    std::int64_t rows = 1, length = 1;
    for (const int axis : axes.kept) rows *= extents[axis];
    for (const int axis : axes.folded) length *= extents[axis];
    if (rows == 0) return out.finished();
    const object inputs = object::take(PyList_New(0));
    for (const object& one : fold.given_inputs)
        if (PyList_Append(inputs.get(), one.get()) < 0) throw python_error();
    const object apart = object::take(PyDict_New()), options = object::take(PyDict_New());
    const auto pass = [&](const object& to, const char* name, PyObject* value) {
        if (!is_none(value) && PyDict_SetItemString(to.get(), name, value) < 0) throw python_error();
    };
    pass(apart, "dtype", fold.given.option("dtype"));
    pass(options, "initial", fold.given.option("initial"));
    if (fold.result_type().kind != element_type::kinds::record)
        pass(options, "dtype", make_text(name_of(fold.result_type())).get());
    const object result =
        function(object::share(self), namespace_of(fold.any()), inputs, tuple_of(extents), condition,
                 tuple_of_axes(axes.folded), make_integer(rows), make_integer(length), apart, options);
    const object shaped = result.attribute("reshape")(tuple_of(out.ref().layout.shape));
    fold.library.assign(out.target().owner.get(), shaped.get(), fold.result_type());
    return out.finished();
}

/// Folds each segment of one axis.
object fold_segments(const fold_call& fold, PyObject* segments) {
    for (const char* other : {"axis", "where"})
        if (PyObject* given = fold.given.option(other); !is_none(given) && given != Py_True)
            fail(PyExc_TypeError, fold.kernel.name + "() takes segments= or " + other + "=, not both");
    fold.refuse_masked("() with segments=");
    const offsets_of offsets{object::share(segments)};
    const operand_ref& ref = offsets.elements().ref;
    if (ref.layout.shape.rank() != 1 || ref.layout.shape[0] == 0)
        fail(PyExc_ValueError, "segments= is an array of one axis, with an offset more than there are segments");
    output result(fold.library, fold.given.option("out"), shape(ref.layout.shape[0] - 1), fold.result_type(),
                  fold.operands, {.function = &fold.kernel});
    prepared_call call = fold.prepared();
    call.begins = &offsets.elements();
    call.restarts = offsets.restarts(true);
    run(std::span(&result, 1), [&] {
        call.operands = fold.operands.refs();
        call.operands.push_back(result.ref());
        fold.library.launch(call);
    });
    return result.finished();
}

object run_fold(const fold_call& fold, PyObject* self, element_type result_type) {
    const folded_axes axes({fold.kernel.name, "axis", fold.given.option("axis")},
                           to_truth(fold.given.option("keepdims"), false), fold.extents());
    if (const object condition = fold.condition("reduction"))
        return fold.signature.index_rank > 0 ? fold_indexed_where(fold, self, condition, axes)
                                             : fold_where(fold, condition, axes, fold.given.option("out"));
    const auto is_empty = [&](int axis) { return fold.extents()[axis] == 0; };
    if (!fold.signature.has_identity && !fold.has_initial() && std::ranges::any_of(axes.folded, is_empty))
        fail(PyExc_ValueError, "zero-size array to reduction operation " + fold.kernel.name + " which has no identity");
    const shape results(std::span<const std::int64_t>(axes.results));
    output out(fold.library, fold.given.option("out"), results, result_type, fold.operands, {.function = &fold.kernel});
    prepared_call call = fold.prepared();
    if (axes.numbers) call.along = foldwise::axes(std::span<const std::int64_t>(*axes.numbers));
    call.keepdims = to_truth(fold.given.option("keepdims"), false);
    run(std::span(&out, 1), [&] {
        call.operands = fold.operands.refs();
        call.operands.push_back(out.ref());
        // A fold of all axes has one result, which kept axes only give another shape.
        if (!axes.numbers) call.operands.back().layout = {};
        fold.library.launch(call);
    });
    return out.finished();
}

}  // namespace

object call_fold(kernel& kernel, const call& call) {
    const fold_call fold(kernel, call, detail::fold_stage::whole);
    if (PyObject* segments = fold.given.option("segments"); !is_none(segments)) return fold_segments(fold, segments);
    return run_fold(fold, call.self, fold.result_type());
}

object call_partial(kernel& kernel, const call& call) {
    const fold_call fold(kernel, call, detail::fold_stage::partial);
    for (const char* other : {"segments", "where"})
        if (PyObject* given = fold.given.option(other); !is_none(given) && given != Py_True)
            fail(PyExc_TypeError, kernel.name + ".partial() takes no " + other + "=");
    fold.refuse_masked(".partial()");
    return run_fold(fold, call.self, fold.signature.accumulator);
}

object call_from_partials(kernel& kernel, const call& call) {
    // A kernel of one input, the accumulators, that has the options of the fold.
    python::kernel of_partials(kernel.table, kernel.module.c_str());
    std::vector<signature> signatures;
    for (const signature* one : kernel.ordered) {
        signature partial = *one;
        const operand_type result = one->operands.back();
        partial.inputs = 1;
        partial.operands = {{"partials", one->accumulator}, result};
        partial.index_rank = 0;
        const auto is_alike = [&](const signature& other) {
            return other.accumulator == partial.accumulator && other.operands.back().type == result.type;
        };
        if (std::ranges::none_of(signatures, is_alike)) signatures.push_back(std::move(partial));
    }
    of_partials.ordered.clear();
    for (const signature& one : signatures) of_partials.ordered.push_back(&one);
    const auto added = static_cast<std::ptrdiff_t>(of_partials.required);
    of_partials.parameters.erase(of_partials.parameters.begin(), of_partials.parameters.begin() + added);
    of_partials.parameters.insert(of_partials.parameters.begin(), "partials");
    of_partials.are_options.erase(of_partials.are_options.begin(), of_partials.are_options.begin() + added);
    of_partials.are_options.insert(of_partials.are_options.begin(), false);
    of_partials.positional -= of_partials.required - 1;
    of_partials.required = 1;
    const fold_call fold(of_partials, call, detail::fold_stage::from_partials);
    for (const char* other : {"segments", "where", "shape"})
        if (PyObject* given = fold.given.option(other); !is_none(given) && given != Py_True)
            fail(PyExc_TypeError, kernel.name + ".from_partials() takes no " + other + "=");
    fold.refuse_masked(".from_partials()");
    return run_fold(fold, call.self, fold.result_type());
}

}  // namespace foldwise::python
