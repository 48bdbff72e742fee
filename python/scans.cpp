// python/scans.cpp: calls of scans.
#include "fold_call.hpp"
#include "program.hpp"

#include <foldwise/detail/layout.hpp>

namespace foldwise::python {

namespace {

/// A scan of the elements for which a condition holds. They are packed, row by row, each row with an element more, so
/// that an exclusive scan of the rows has all prefixes; each place then takes that of the elements up to it.
constexpr const char* scans_program = R"python(
def scan_where(function, xp, inputs, are_laid, shape, condition, axis, exclusive, reverse, options):
    def laid(x):
        x = xp.broadcast_to(x, shape)
        x = x.reshape(1, -1) if axis is None else xp.moveaxis(x, axis, -1)
        return xp.flip(x, (-1,)) if reverse else x

    def longer(x):
        return xp.concatenate((x, x[..., :1]), -1)

    mask = laid(condition)
    rows, length = mask.shape[:-1], mask.shape[-1]
    if 0 in mask.shape:
        return None
    chosen = xp.concatenate((mask, xp.ones_like(mask[..., :1])), -1)
    packed = [longer(laid(x))[chosen] if is_laid else x for x, is_laid in zip(inputs, are_laid)]
    counts = chosen.reshape(-1, length + 1).sum(1)
    ends = counts.cumsum(0)
    prefixes = function(*packed, exclusive=True, segments=xp.concatenate((ends[:1] * 0, ends)), **options)
    mask = mask.reshape(-1, length) * 1
    before = mask.cumsum(1) - (mask if exclusive else 0)
    result = prefixes[(ends - counts)[:, None] + before].reshape((*rows, length))
    result = xp.flip(result, (-1,)) if reverse else result
    return result.reshape(-1) if axis is None else xp.moveaxis(result, -1, axis)
)python";

const object& scan_where() {
    return *made_once([] {
        const object names = run_program(scans_program, "<scans of some elements>");
        return new object(object::share(PyDict_GetItemString(names.get(), "scan_where")));
    });
}

/// Scans the elements for which a condition holds; others do not change what is accumulated.
object call_where(const fold_call& fold, PyObject* self, const object& condition,
                  const std::optional<std::vector<std::int64_t>>& axis, output& out) {
    const object inputs = object::take(PyList_New(0)), are_laid = object::take(PyList_New(0));
    for (std::size_t i = 0; i < fold.given_inputs.size(); ++i) {
        const object& one = fold.given_inputs[i];
        const bool is_laid = fold.library.owns(one.get()) && fold.signature.operands[i].axes == 0;
        if (PyList_Append(inputs.get(), one.get()) < 0 || PyList_Append(are_laid.get(), make_truth(is_laid).get()) < 0)
            throw python_error();
    }
    const object options = object::take(PyDict_New());
    for (const char* name : {"dtype", "initial"})
        if (PyObject* given = fold.given.option(name); !is_none(given))
            if (PyDict_SetItemString(options.get(), name, given) < 0) throw python_error();
    const object result =
        scan_where()(object::share(self), namespace_of(fold.any()), inputs, are_laid, tuple_of(fold.extents()),
                     condition, axis ? make_integer(axis->front()) : object::share(Py_None),
                     make_truth(to_truth(fold.given.option("exclusive"), false)),
                     make_truth(to_truth(fold.given.option("reverse"), false)), options);
    if (result.get() != Py_None) fold.library.assign(out.target().owner.get(), result.get(), fold.result_type());
    return out.finished();
}

}  // namespace

object call_scan(kernel& kernel, const call& call) {
    const fold_call fold(kernel, call, detail::fold_stage::whole);
    const shape& extents = fold.extents();
    auto numbers = to_axes({kernel.name, "axis", fold.given.option("axis")}, extents.rank());
    if (extents.rank() == 0) numbers.reset();
    if (numbers && numbers->size() != 1) fail(PyExc_TypeError, kernel.name + "() runs along one axis, or along all");
    PyObject* const segments = fold.given.option("segments");
    PyObject* const keys = fold.given.option("by_key");
    if (!is_none(segments) && !is_none(keys))
        fail(PyExc_TypeError, kernel.name + "() takes segments= or by_key=, not both");
    if (!is_none(segments) || !is_none(keys)) fold.refuse_masked("() with segments= or by_key=");
    std::optional<offsets_of> begins;
    prepared_call prepared = fold.prepared();
    if (!is_none(segments) || !is_none(keys)) {
        begins.emplace(object::share(is_none(keys) ? segments : keys));
        prepared.begins = &begins->elements();
        prepared.restarts = begins->restarts(is_none(keys));
    }
    if (numbers) prepared.along = axes(std::span<const std::int64_t>(*numbers));
    prepared.is_exclusive = to_truth(fold.given.option("exclusive"), false);
    prepared.is_reverse = to_truth(fold.given.option("reverse"), false);

    // Along all axes the results are flat, as those of numpy.cumsum.
    output out(fold.library, fold.given.option("out"), numbers ? extents : shape(extents.size()), fold.result_type(),
               fold.operands, {.function = &fold.kernel});
    if (fold.has_condition() && fold.signature.index_rank > 0)
        fail(PyExc_TypeError,
             is_none(fold.given.option("where"))
                 ? kernel.name + "() would leave masked elements out as where=~m.mask does, and cannot, as it takes "
                                 "the index of each element"
                 : kernel.name + "() takes the index of each element, and only a reduction that does has where=");
    if (const object condition = fold.condition("scan")) {
        if (begins) fail(PyExc_TypeError, kernel.name + "() takes segments= or by_key= or where=, not both");
        return call_where(fold, call.self, condition, numbers, out);
    }
    run(std::span(&out, 1), [&] {
        prepared.operands = fold.operands.refs();
        prepared.operands.push_back(out.ref());
        if (!numbers) prepared.operands.back().layout = detail::reshape(out.ref().layout, extents);
        fold.library.launch(prepared);
    });
    return out.finished();
}

}  // namespace foldwise::python
