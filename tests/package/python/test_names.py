"""The names of parameters, the docstrings, and messages that name what is wrong: python3 test_names.py"""
import inspect
import pathlib

import numpy as np

import checked
import functions as f
from checks import raises, run


def parameters(function):
    return list(inspect.signature(function).parameters)


def same(a, b):
    np.testing.assert_array_equal(a, b)


def test_keywords_of_calls():
    """A parameter with the name of a keyword of the call's ends in an underscore."""
    x = np.arange(6.0).reshape(2, 3)
    assert parameters(f.elementwise)[:4] == ["where_", "dtype_", "out_", "out"]
    same(f.elementwise(x, 2, 3, where=x >= 0, dtype="f8", out=np.zeros((2, 3))), 100 * x + 23)
    assert parameters(f.total)[:4] == ["x", "axis_", "initial_", "axis"]
    same(f.total(x, 2, 1, axis=0), (2 * x + 1).sum(axis=0))
    same(f.total(x=x, axis_=2, initial_=1, axis=1, initial=5, keepdims=True), (2 * x + 1).sum(1, keepdims=True) + 5)
    same(f.total(x, 2, 1, where=x > 2), (2 * x + 1)[x > 2].sum())
    same(f.total.from_partials(f.total.partial(x, 2, 1, axis=0)), (2 * x + 1).sum())
    assert parameters(f.accumulated)[:3] == ["x", "reverse_", "axis"]
    same(f.accumulated(x, 2, axis=1, reverse=True), 2 * x[:, ::-1].cumsum(axis=1)[:, ::-1])
    same(f.scattered([1, 1, 0], 2.0, shape=2), [2, 4])
    same(f.scattered(shape_=[1, 1, 0], stream_=2.0, shape=2), [2, 4])
    assert parameters(f.smoothed) == ["a", "steps_", "out", "steps", "dtype", "casting", "stream"]
    same(f.smoothed(x[0], 0.5, steps=1), [0.5, 1, 1.5])
    assert parameters(f.tasks) == ["shape", "shape_", "stream_", "lambda_", "stream"]
    y = np.zeros(3)
    f.tasks(3, y, stream_=1, lambda_=2)
    same(y, [3, 3, 3])
    f.tasks(shape=2, shape_=y, stream_=1, lambda_=1)
    same(y, [2, 2, 3])


def test_names_of_launchers():
    """What is a name in emitted C++ is none in Python."""
    assert parameters(f.placed)[:4] == ["x", "place", "out_", "out"]
    assert f.placed.__doc__.startswith("placed(x, place=None, out_=None, /, *, out=None, ")
    same(f.placed(3.0), (4, 6))
    place, out = np.zeros(2), np.zeros(2)
    f.placed([1, 2], place, out)
    same(place, [2, 3])
    same(out, [2, 4])


def test_dimensions():
    x = np.arange(4.0)
    assert parameters(f.repeated)[:2] == ["k", "all"] and "k_" in parameters(f.repeated)
    same(f.repeated(x + 7, k_=2), [7, 7])
    raises(TypeError, lambda: f.repeated(x), "say k_= or out=")
    raises(ValueError, lambda: f.repeated(x, k_=-1), "k_ is -1")
    same(f.cut(x, out_=2), [1, 1])
    same(f.cut(x, out=np.zeros(3)), [1, 1, 1])
    assert parameters(f.grouped)[:2] == ["x", "axes_"] and "class_" in parameters(f.grouped)
    same(f.grouped(x, class_=2, axes=[0, 0]), [2, 2])
    assert f.grouped.signature == "(n)->(class)"
    compile(pathlib.Path(f.__file__).with_name("functions.pyi").read_text(), "functions.pyi", "exec")


def section(function, name):
    """What a docstring says of a parameter."""
    text = inspect.getdoc(function)
    assert f"\n{name} : " in text, text
    return text.split(f"\n{name} : ")[1].split("\n    ")[0], text.split(f"\n{name} : ")[1].split("\n    ")[1].split("\n")[0]


def test_docstrings():
    assert section(f.tasks, "shape") == ("int or tuple of ints", "The number of tasks along each axis of the index.")
    assert "broadcast" in section(f.uniform, "shape")[1] and "broadcast" not in section(f.histogram, "shape")[1]
    assert "output" in section(f.histogram, "shape")[1] and "combined with" in section(f.histogram, "out")[1]
    assert "left out" in section(f.total, "where")[1] and "left out" in section(f.accumulated, "where")[1]
    assert "keep their values" in section(f.elementwise, "where")[1]
    assert section(f.accumulated, "axis")[0] == "int, optional" and section(f.inner1d, "axis")[0] == "int, optional"
    assert section(f.total, "axis")[0] == "int or tuple of ints, optional"
    assert section(f.total, "initial")[0] == "number, optional"
    assert section(f.variance, "initial")[0] == "record or tuple, optional"
    text = inspect.getdoc(f.drift)
    assert "\np : array of 1 axis, written\n" in text and "\ndt : number\n" in text
    assert "\nlike : record or tuple\n" in inspect.getdoc(f.weigh)
    assert "\np : array or record\n" in inspect.getdoc(f.moved)
    assert "\na : array of 2 axes\n" in inspect.getdoc(f.heat) and "\nx : array\n" in inspect.getdoc(f.cut)


def test_own_elements_in_loops():
    """A call with more tasks than elements is refused where an element is read and written in a loop."""
    p = np.zeros(3, f.drift.dtypes[0][0])
    p["v"] = [1, 2, 4]
    f.drift(3, p, 0.5)
    same(p["x"], [[0.5, 1, 2]] * 3)
    raises(ValueError, lambda: f.drift(10, p, 0.5), "drift(): 10 tasks each read and write an element of p, of shape (3,)")


def test_values_of_tasks():
    p = np.zeros(3, f.drift.dtypes[0][0])
    for dt in np.zeros(3), np.zeros(0), [1.0, 2.0], np.zeros((1, 2)):
        raises(TypeError, lambda: f.drift(3, p, dt), "drift(): dt is one value, which all tasks are given, not an array of shape (")
    for dt in np.float32(1), np.ones(1, "f4"), 1:
        f.drift(3, p, dt)
    raises(TypeError, lambda: f.weigh(3, np.zeros(3, f.weigh.dtypes[0][0]), np.zeros(2, f.weigh.dtypes[0][0])),
           "weigh(): like is one value", "(2,)")


def test_records():
    """What is wrong with an array of records is said of its member."""
    right = f.drift.dtypes[0][0]
    wide = np.dtype({"names": ["x", "v"], "formats": [("f4", 3), ("f4", 3)], "offsets": [0, 16], "itemsize": 32})
    message = raises(ValueError, lambda: f.drift(3, np.zeros(3, wide), 1),
                     "p is written, so its records have the layout of the struct in C++, drift.dtypes[0][0],",
                     "of 32 bytes and not 24")
    assert "aligned" not in message
    apart = np.dtype({"names": ["x", "v"], "formats": [("f4", 3), ("f4", 3)], "offsets": [12, 0], "itemsize": 24})
    raises(ValueError, lambda: f.drift(3, np.zeros(3, apart), 1), "of other places of its members")
    def refused(members, *pieces, call=lambda p: f.drift(3, p, 1)):
        message = raises(TypeError, lambda: call(np.zeros(3, members)), *pieces)
        assert "formats" not in message and len(message) < 160, message
    refused([("v", "f4", 3), ("x", "f4", 3)], "drift() does not take p: its members are v, x, and the struct's x, v in this order",
            "dtype is drift.dtypes[0][0]")
    refused([("x", "f4", 3), ("w", "f4", 3)], "it has no member 'v'")
    refused([("x", "f4", 3), ("v", "f4", 3), ("m", "f4")], "its member 'm' is none of the struct's")
    refused([("x", "f8", 3), ("v", "f4", 3)], "its member 'x' is of ('<f8', (3,)), and the struct's of ('<f4', (3,))")
    refused([("x", "f2", 3), ("v", "f4", 3)], "its member 'x' is of ('<f2', (3,))")  # goes to float32, but tasks write these
    refused([("x", "f8", 3), ("v", "f4", 3)], "heaviest() does not take x: its member 'x' is of", call=f.heaviest)
    f.heaviest(np.zeros(3, [("x", "f2", 3), ("v", "f4", 3)]))
    own = f.moved.dtypes[0][0]
    place = [("row", "i4"), ("kolumn", "i4")]
    other = [("at", place), *((name, own[name]) for name in own.names[1:])]
    refused(other, "moved() does not take p: it has no member 'at.column'", call=lambda p: f.moved(p, 1))
    # NumPy would take these by their places.
    for turned in [("column", "i4"), ("row", "i4")], place:
        raises(TypeError, lambda: f.moved(np.zeros(3, [("at", turned), *other[1:]]), 1), "moved() does not take p")
    assert right.itemsize == 24


def test_messages():
    x = np.arange(6.0)
    y = np.zeros(6)
    raises(ValueError, lambda: f.tasks((2, 3), y, 1, 2), "tasks() takes one number of tasks, not 2")
    raises(ValueError, lambda: f.scaled_transpose(3, np.float32([[1]]), 1, np.float32([[1]])),
           "takes 2 numbers of tasks, one for each axis, not 1")
    raises(ValueError, lambda: f.histogram(np.uint8([1]), np.zeros((2, 2), "u4")), "arrays of 1 axis, not of 2")
    raises(TypeError, lambda: f.total(x, 1, 1, out=np.zeros((), "f4")), "total(): cannot cast a result of float64 to the output's "
           "float32 without losing values; pass an output of float64, and cast that")
    raises(TypeError, lambda: f.sum(x, out=np.zeros((), "c8")), "; pass an output of float64")
    raises(TypeError, lambda: f.sum(np.arange(3.0), out=np.zeros((), "i8")), "; dtype='int64' computes such a result")
    raises(ValueError, lambda: f.kept(x, initial="a"), "kept(): initial= is an accumulator, of type float64, not str")
    raises(TypeError, lambda: f.kept(x, initial=object()), "kept(): initial= is")
    raises(ValueError, lambda: f.kept(x[:0]), "kept")
    raises(TypeError, lambda: f.recent(x, where=x > 1), "recent() takes the index of each element")
    raises(ValueError, lambda: f.plain(4, np.zeros(3), np.zeros(4)), "plain(): 4 tasks each read", "of shape (3,)")
    raises(ValueError, lambda: f.accumulated(x, 1.0, out=np.zeros(3)), "accumulated(): ", "(3,)", "(6,)")


def test_checked():
    y = np.zeros(3)
    raises(IndexError, lambda: checked.picked(3, np.zeros(2), np.array([0, 1, 7]), y),
           "index 7 is out of bounds for axis 0 with size 2")


if __name__ == "__main__":
    run(globals(), "names")
