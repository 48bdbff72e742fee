# The types of the module demo, which Foldwise has written. Do not edit.
# mypy: disable-error-code="overload-overlap, misc"
from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypeVar, overload

import numpy as np
import numpy.typing as npt


class _ArrayOfLibrary(Protocol):
    """An array of PyTorch, CuPy, JAX or another library."""

    def __dlpack__(self, *arguments: Any, **keywords: Any) -> Any: ...
    def __dlpack_device__(self) -> tuple[Any, int]: ...


_Array = TypeVar("_Array", bound=_ArrayOfLibrary)
_Casting = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
_Order = Literal["K", "A", "C", "F"]


class _divmod:
    @overload
    def __call__(
        self,
        a: np.int32,
        b: np.int32,
        out0: Any = None,
        out1: Any = None,
        /,
        *,
        out: None = None,
        where: Any = True,
        dtype: Any = None,
        casting: _Casting = 'safe',
        order: _Order = 'K',
        subok: bool = True,
        stream: Any = None,
    ) -> tuple[np.int32, np.int32]:
        """divmod(a, b, out0=None, out1=None, /, *, out=None, where=True, dtype=None, casting='safe', order='K', subok=True, stream=None)

        Parameters
        ----------
        a : array or number
        b : array or number
        out0 : array, optional
            Where a result is written.
        out1 : array, optional
            Where a result is written.
        out : array, or tuple of arrays, optional
            Where results are written, instead of to new arrays.
        where : array of bools, optional
            The elements that count; all others of an output keep their values.
        dtype : dtype, optional
            The type of the result, which chooses among the types below.
        casting : str, optional
            Which casts are made: 'no', 'safe', 'same_kind' or 'unsafe'.
        order : str, optional
            The memory layout of new results, as in NumPy.
        subok : bool, optional
            Whether results may be of subclasses of NumPy's arrays.
        stream : stream of CUDA's, optional
            The stream of a call on a GPU; None: the one on which the arrays' library works.

        Types
        -----
        int32, int32 -> int32, int32
        int64, int64 -> int64, int64
        """
    @overload
    def __call__(
        self,
        a: np.int64,
        b: np.int64,
        out0: Any = None,
        out1: Any = None,
        /,
        *,
        out: None = None,
        where: Any = True,
        dtype: Any = None,
        casting: _Casting = 'safe',
        order: _Order = 'K',
        subok: bool = True,
        stream: Any = None,
    ) -> tuple[np.int64, np.int64]: ...
    @overload
    def __call__(
        self,
        a: npt.NDArray[np.int32] | int | np.int32,
        b: npt.NDArray[np.int32] | int | np.int32,
        out0: Any = None,
        out1: Any = None,
        /,
        *,
        out: Any = None,
        where: Any = True,
        dtype: Any = None,
        casting: _Casting = 'safe',
        order: _Order = 'K',
        subok: bool = True,
        stream: Any = None,
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
    @overload
    def __call__(
        self,
        a: npt.NDArray[np.int64] | int | np.int64,
        b: npt.NDArray[np.int64] | int | np.int64,
        out0: Any = None,
        out1: Any = None,
        /,
        *,
        out: Any = None,
        where: Any = True,
        dtype: Any = None,
        casting: _Casting = 'safe',
        order: _Order = 'K',
        subok: bool = True,
        stream: Any = None,
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]: ...
    @overload
    def __call__(
        self,
        a: npt.NDArray[Any] | np.generic | complex,
        b: npt.NDArray[Any] | np.generic | complex,
        out0: Any = None,
        out1: Any = None,
        /,
        *,
        out: Any = None,
        where: Any = True,
        dtype: Any = None,
        casting: _Casting = 'safe',
        order: _Order = 'K',
        subok: bool = True,
        stream: Any = None,
    ) -> tuple[Any, Any]: ...
    @overload
    def __call__(
        self,
        a: _Array,
        b: _Array | complex,
        out0: Any = None,
        out1: Any = None,
        /,
        *,
        out: Any = None,
        where: Any = True,
        dtype: Any = None,
        casting: _Casting = 'safe',
        order: _Order = 'K',
        subok: bool = True,
        stream: Any = None,
    ) -> tuple[_Array, _Array]: ...
    @overload
    def __call__(
        self,
        a: npt.ArrayLike | _ArrayOfLibrary,
        b: npt.ArrayLike | _ArrayOfLibrary,
        out0: Any = None,
        out1: Any = None,
        /,
        *,
        out: Any = None,
        where: Any = True,
        dtype: Any = None,
        casting: _Casting = 'safe',
        order: _Order = 'K',
        subok: bool = True,
        stream: Any = None,
    ) -> tuple[Any, Any]: ...
    __name__: str
    __qualname__: str
    types: list[str]
    dtypes: list[tuple[np.dtype[Any], ...]]
    nin: int
    nout: int
    nargs: int
    ntypes: int
    signature: str | None
    identity: Any
    def reduce(self, *arguments: Any, **options: Any) -> Any: ...
    def accumulate(self, *arguments: Any, **options: Any) -> Any: ...
    def outer(self, *arguments: Any, **options: Any) -> Any: ...
    def at(self, *arguments: Any, **options: Any) -> None: ...
    def reduceat(self, *arguments: Any, **options: Any) -> Any: ...


divmod: _divmod
"""divmod(a, b, out0=None, out1=None, /, *, out=None, where=True, dtype=None, casting='safe', order='K', subok=True, stream=None)

Parameters
----------
a : array or number
b : array or number
out0 : array, optional
    Where a result is written.
out1 : array, optional
    Where a result is written.
out : array, or tuple of arrays, optional
    Where results are written, instead of to new arrays.
where : array of bools, optional
    The elements that count; all others of an output keep their values.
dtype : dtype, optional
    The type of the result, which chooses among the types below.
casting : str, optional
    Which casts are made: 'no', 'safe', 'same_kind' or 'unsafe'.
order : str, optional
    The memory layout of new results, as in NumPy.
subok : bool, optional
    Whether results may be of subclasses of NumPy's arrays.
stream : stream of CUDA's, optional
    The stream of a call on a GPU; None: the one on which the arrays' library works.

Types
-----
int32, int32 -> int32, int32
int64, int64 -> int64, int64
"""


class _largest:
    @overload
    def __call__(
        self,
        x: npt.NDArray[np.float64] | float | np.float64,
        axis: None = None,
        dtype: Any = None,
        out: None = None,
        keepdims: Literal[False] = False,
        initial: Any = None,
        where: Any = True,
        *,
        segments: None = None,
        stream: Any = None,
    ) -> np.float64:
        """largest(x, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True, *, segments=None, stream=None)

        Parameters
        ----------
        x : array or number
        axis : int or tuple of ints, optional
            The axes along which the call runs; None: all of them.
        dtype : dtype, optional
            The type of the result, which chooses among the types below.
        out : array, or tuple of arrays, optional
            Where results are written, instead of to new arrays.
        keepdims : bool, optional
            Whether the axes along which the call runs remain, with one element each.
        initial : number, optional
            What is combined before all elements.
        where : array of bools, optional
            The elements that are folded; all others are left out.
        segments : array of integers, optional
            Offsets: segment i has the elements from the i-th to the one after it.
        stream : stream of CUDA's, optional
            The stream of a call on a GPU; None: the one on which the arrays' library works.

        Types
        -----
        float64 -> float64
        """
    @overload
    def __call__(
        self,
        x: npt.NDArray[np.float64] | float | np.float64,
        axis: int | Sequence[int] | None = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
        *,
        segments: npt.ArrayLike | _ArrayOfLibrary | None = None,
        stream: Any = None,
    ) -> npt.NDArray[np.float64]: ...
    @overload
    def __call__(
        self,
        x: npt.NDArray[Any] | np.generic | complex,
        axis: int | Sequence[int] | None = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
        *,
        segments: npt.ArrayLike | _ArrayOfLibrary | None = None,
        stream: Any = None,
    ) -> Any: ...
    @overload
    def __call__(
        self,
        x: _Array,
        axis: int | Sequence[int] | None = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
        *,
        segments: npt.ArrayLike | _ArrayOfLibrary | None = None,
        stream: Any = None,
    ) -> _Array: ...
    @overload
    def __call__(
        self,
        x: npt.ArrayLike | _ArrayOfLibrary,
        axis: int | Sequence[int] | None = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
        *,
        segments: npt.ArrayLike | _ArrayOfLibrary | None = None,
        stream: Any = None,
    ) -> Any: ...
    __name__: str
    __qualname__: str
    types: list[str]
    dtypes: list[tuple[np.dtype[Any], ...]]
    def partial(self, *arguments: Any, axis: int | Sequence[int] | None = None, keepdims: bool = False, initial: Any = None, out: Any = None, **options: Any) -> Any: ...
    def from_partials(self, partials: Any, axis: int | Sequence[int] | None = None, *, keepdims: bool = False, initial: Any = None, out: Any = None, stream: Any = None) -> Any: ...


largest: _largest
"""largest(x, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True, *, segments=None, stream=None)

Parameters
----------
x : array or number
axis : int or tuple of ints, optional
    The axes along which the call runs; None: all of them.
dtype : dtype, optional
    The type of the result, which chooses among the types below.
out : array, or tuple of arrays, optional
    Where results are written, instead of to new arrays.
keepdims : bool, optional
    Whether the axes along which the call runs remain, with one element each.
initial : number, optional
    What is combined before all elements.
where : array of bools, optional
    The elements that are folded; all others are left out.
segments : array of integers, optional
    Offsets: segment i has the elements from the i-th to the one after it.
stream : stream of CUDA's, optional
    The stream of a call on a GPU; None: the one on which the arrays' library works.

Types
-----
float64 -> float64
"""


class _rel_diff:
    @overload
    def __call__(
        self,
        x: np.float32,
        y: np.float32,
        /,
        out: None = None,
        *,
        where: Any = True,
        dtype: Any = None,
        casting: _Casting = 'safe',
        order: _Order = 'K',
        subok: bool = True,
        stream: Any = None,
    ) -> np.float32:
        """rel_diff(x, y, /, out=None, *, where=True, dtype=None, casting='safe', order='K', subok=True, stream=None)

        Twice the difference over the sum.

        Parameters
        ----------
        x : array or number
        y : array or number
        out : array, or tuple of arrays, optional
            Where results are written, instead of to new arrays.
        where : array of bools, optional
            The elements that count; all others of an output keep their values.
        dtype : dtype, optional
            The type of the result, which chooses among the types below.
        casting : str, optional
            Which casts are made: 'no', 'safe', 'same_kind' or 'unsafe'.
        order : str, optional
            The memory layout of new results, as in NumPy.
        subok : bool, optional
            Whether results may be of subclasses of NumPy's arrays.
        stream : stream of CUDA's, optional
            The stream of a call on a GPU; None: the one on which the arrays' library works.

        Types
        -----
        float32, float32 -> float32
        float64, float64 -> float64
        """
    @overload
    def __call__(
        self,
        x: np.float64,
        y: np.float64,
        /,
        out: None = None,
        *,
        where: Any = True,
        dtype: Any = None,
        casting: _Casting = 'safe',
        order: _Order = 'K',
        subok: bool = True,
        stream: Any = None,
    ) -> np.float64: ...
    @overload
    def __call__(
        self,
        x: npt.NDArray[np.float32] | float | np.float32,
        y: npt.NDArray[np.float32] | float | np.float32,
        /,
        out: Any = None,
        *,
        where: Any = True,
        dtype: Any = None,
        casting: _Casting = 'safe',
        order: _Order = 'K',
        subok: bool = True,
        stream: Any = None,
    ) -> npt.NDArray[np.float32]: ...
    @overload
    def __call__(
        self,
        x: npt.NDArray[np.float64] | float | np.float64,
        y: npt.NDArray[np.float64] | float | np.float64,
        /,
        out: Any = None,
        *,
        where: Any = True,
        dtype: Any = None,
        casting: _Casting = 'safe',
        order: _Order = 'K',
        subok: bool = True,
        stream: Any = None,
    ) -> npt.NDArray[np.float64]: ...
    @overload
    def __call__(
        self,
        x: npt.NDArray[Any] | np.generic | complex,
        y: npt.NDArray[Any] | np.generic | complex,
        /,
        out: Any = None,
        *,
        where: Any = True,
        dtype: Any = None,
        casting: _Casting = 'safe',
        order: _Order = 'K',
        subok: bool = True,
        stream: Any = None,
    ) -> Any: ...
    @overload
    def __call__(
        self,
        x: _Array,
        y: _Array | complex,
        /,
        out: Any = None,
        *,
        where: Any = True,
        dtype: Any = None,
        casting: _Casting = 'safe',
        order: _Order = 'K',
        subok: bool = True,
        stream: Any = None,
    ) -> _Array: ...
    @overload
    def __call__(
        self,
        x: npt.ArrayLike | _ArrayOfLibrary,
        y: npt.ArrayLike | _ArrayOfLibrary,
        /,
        out: Any = None,
        *,
        where: Any = True,
        dtype: Any = None,
        casting: _Casting = 'safe',
        order: _Order = 'K',
        subok: bool = True,
        stream: Any = None,
    ) -> Any: ...
    __name__: str
    __qualname__: str
    types: list[str]
    dtypes: list[tuple[np.dtype[Any], ...]]
    nin: int
    nout: int
    nargs: int
    ntypes: int
    signature: str | None
    identity: Any
    def reduce(self, *arguments: Any, **options: Any) -> Any: ...
    def accumulate(self, *arguments: Any, **options: Any) -> Any: ...
    def outer(self, *arguments: Any, **options: Any) -> Any: ...
    def at(self, *arguments: Any, **options: Any) -> None: ...
    def reduceat(self, *arguments: Any, **options: Any) -> Any: ...


rel_diff: _rel_diff
"""rel_diff(x, y, /, out=None, *, where=True, dtype=None, casting='safe', order='K', subok=True, stream=None)

Twice the difference over the sum.

Parameters
----------
x : array or number
y : array or number
out : array, or tuple of arrays, optional
    Where results are written, instead of to new arrays.
where : array of bools, optional
    The elements that count; all others of an output keep their values.
dtype : dtype, optional
    The type of the result, which chooses among the types below.
casting : str, optional
    Which casts are made: 'no', 'safe', 'same_kind' or 'unsafe'.
order : str, optional
    The memory layout of new results, as in NumPy.
subok : bool, optional
    Whether results may be of subclasses of NumPy's arrays.
stream : stream of CUDA's, optional
    The stream of a call on a GPU; None: the one on which the arrays' library works.

Types
-----
float32, float32 -> float32
float64, float64 -> float64
"""


@overload
def running(
    x: npt.NDArray[np.float64] | float | np.float64,
    axis: int | None = None,
    dtype: Any = None,
    out: Any = None,
    *,
    exclusive: bool = False,
    reverse: bool = False,
    initial: Any = None,
    where: Any = True,
    segments: npt.ArrayLike | _ArrayOfLibrary | None = None,
    by_key: npt.ArrayLike | _ArrayOfLibrary | None = None,
    stream: Any = None,
) -> npt.NDArray[np.float64]:
    """running(x, axis=None, dtype=None, out=None, *, exclusive=False, reverse=False, initial=None, where=True, segments=None, by_key=None, stream=None)

    Parameters
    ----------
    x : array or number
    axis : int, optional
        The axis along which the call runs; None: along all elements, and the results are flat.
    dtype : dtype, optional
        The type of the result, which chooses among the types below.
    out : array, or tuple of arrays, optional
        Where results are written, instead of to new arrays.
    exclusive : bool, optional
        Whether each result combines only what is before its own element.
    reverse : bool, optional
        Whether the scan begins at the last element.
    initial : number, optional
        What is combined before all elements.
    where : array of bools, optional
        The elements that are folded; all others are left out.
    segments : array of integers, optional
        Offsets: segment i has the elements from the i-th to the one after it.
    by_key : array of integers, optional
        Keys: the scan begins anew where they change.
    stream : stream of CUDA's, optional
        The stream of a call on a GPU; None: the one on which the arrays' library works.

    Types
    -----
    float64 -> float64
    """
@overload
def running(
    x: npt.NDArray[Any] | np.generic | complex,
    axis: int | None = None,
    dtype: Any = None,
    out: Any = None,
    *,
    exclusive: bool = False,
    reverse: bool = False,
    initial: Any = None,
    where: Any = True,
    segments: npt.ArrayLike | _ArrayOfLibrary | None = None,
    by_key: npt.ArrayLike | _ArrayOfLibrary | None = None,
    stream: Any = None,
) -> Any: ...
@overload
def running(
    x: _Array,
    axis: int | None = None,
    dtype: Any = None,
    out: Any = None,
    *,
    exclusive: bool = False,
    reverse: bool = False,
    initial: Any = None,
    where: Any = True,
    segments: npt.ArrayLike | _ArrayOfLibrary | None = None,
    by_key: npt.ArrayLike | _ArrayOfLibrary | None = None,
    stream: Any = None,
) -> _Array: ...
@overload
def running(
    x: npt.ArrayLike | _ArrayOfLibrary,
    axis: int | None = None,
    dtype: Any = None,
    out: Any = None,
    *,
    exclusive: bool = False,
    reverse: bool = False,
    initial: Any = None,
    where: Any = True,
    segments: npt.ArrayLike | _ArrayOfLibrary | None = None,
    by_key: npt.ArrayLike | _ArrayOfLibrary | None = None,
    stream: Any = None,
) -> Any: ...


def square_all(
    shape: int | Sequence[int],
    x: npt.NDArray[np.float64] | _ArrayOfLibrary,
    out: npt.NDArray[np.float64] | _ArrayOfLibrary,
    *,
    stream: Any = None,
) -> None:
    """square_all(shape, x, out, *, stream=None)

    Parameters
    ----------
    shape : int or tuple of ints
        The number of tasks along each axis of the index.
    x : array of 1 axis
    out : array of 1 axis, written
    stream : stream of CUDA's, optional
        The stream of a call on a GPU; None: the one on which the arrays' library works.

    Types
    -----
    float64[:], float64[:]
    """


class _total:
    @overload
    def __call__(
        self,
        x: npt.NDArray[np.int64] | int | np.int64,
        axis: None = None,
        dtype: Any = None,
        out: None = None,
        keepdims: Literal[False] = False,
        initial: Any = None,
        where: Any = True,
        *,
        segments: None = None,
        stream: Any = None,
    ) -> np.int64:
        """total(x, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True, *, segments=None, stream=None)

        Parameters
        ----------
        x : array or number
        axis : int or tuple of ints, optional
            The axes along which the call runs; None: all of them.
        dtype : dtype, optional
            The type of the result, which chooses among the types below.
        out : array, or tuple of arrays, optional
            Where results are written, instead of to new arrays.
        keepdims : bool, optional
            Whether the axes along which the call runs remain, with one element each.
        initial : number, optional
            What is combined before all elements.
        where : array of bools, optional
            The elements that are folded; all others are left out.
        segments : array of integers, optional
            Offsets: segment i has the elements from the i-th to the one after it.
        stream : stream of CUDA's, optional
            The stream of a call on a GPU; None: the one on which the arrays' library works.

        Types
        -----
        int64 -> int64
        float32 -> float32
        float64 -> float64
        """
    @overload
    def __call__(
        self,
        x: npt.NDArray[np.int64] | int | np.int64,
        axis: int | Sequence[int] | None = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
        *,
        segments: npt.ArrayLike | _ArrayOfLibrary | None = None,
        stream: Any = None,
    ) -> npt.NDArray[np.int64]: ...
    @overload
    def __call__(
        self,
        x: npt.NDArray[np.float32] | float | np.float32,
        axis: None = None,
        dtype: Any = None,
        out: None = None,
        keepdims: Literal[False] = False,
        initial: Any = None,
        where: Any = True,
        *,
        segments: None = None,
        stream: Any = None,
    ) -> np.float32: ...
    @overload
    def __call__(
        self,
        x: npt.NDArray[np.float32] | float | np.float32,
        axis: int | Sequence[int] | None = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
        *,
        segments: npt.ArrayLike | _ArrayOfLibrary | None = None,
        stream: Any = None,
    ) -> npt.NDArray[np.float32]: ...
    @overload
    def __call__(
        self,
        x: npt.NDArray[np.float64] | float | np.float64,
        axis: None = None,
        dtype: Any = None,
        out: None = None,
        keepdims: Literal[False] = False,
        initial: Any = None,
        where: Any = True,
        *,
        segments: None = None,
        stream: Any = None,
    ) -> np.float64: ...
    @overload
    def __call__(
        self,
        x: npt.NDArray[np.float64] | float | np.float64,
        axis: int | Sequence[int] | None = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
        *,
        segments: npt.ArrayLike | _ArrayOfLibrary | None = None,
        stream: Any = None,
    ) -> npt.NDArray[np.float64]: ...
    @overload
    def __call__(
        self,
        x: npt.NDArray[Any] | np.generic | complex,
        axis: int | Sequence[int] | None = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
        *,
        segments: npt.ArrayLike | _ArrayOfLibrary | None = None,
        stream: Any = None,
    ) -> Any: ...
    @overload
    def __call__(
        self,
        x: _Array,
        axis: int | Sequence[int] | None = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
        *,
        segments: npt.ArrayLike | _ArrayOfLibrary | None = None,
        stream: Any = None,
    ) -> _Array: ...
    @overload
    def __call__(
        self,
        x: npt.ArrayLike | _ArrayOfLibrary,
        axis: int | Sequence[int] | None = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = True,
        *,
        segments: npt.ArrayLike | _ArrayOfLibrary | None = None,
        stream: Any = None,
    ) -> Any: ...
    __name__: str
    __qualname__: str
    types: list[str]
    dtypes: list[tuple[np.dtype[Any], ...]]
    def partial(self, *arguments: Any, axis: int | Sequence[int] | None = None, keepdims: bool = False, initial: Any = None, out: Any = None, **options: Any) -> Any: ...
    def from_partials(self, partials: Any, axis: int | Sequence[int] | None = None, *, keepdims: bool = False, initial: Any = None, out: Any = None, stream: Any = None) -> Any: ...


total: _total
"""total(x, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True, *, segments=None, stream=None)

Parameters
----------
x : array or number
axis : int or tuple of ints, optional
    The axes along which the call runs; None: all of them.
dtype : dtype, optional
    The type of the result, which chooses among the types below.
out : array, or tuple of arrays, optional
    Where results are written, instead of to new arrays.
keepdims : bool, optional
    Whether the axes along which the call runs remain, with one element each.
initial : number, optional
    What is combined before all elements.
where : array of bools, optional
    The elements that are folded; all others are left out.
segments : array of integers, optional
    Offsets: segment i has the elements from the i-th to the one after it.
stream : stream of CUDA's, optional
    The stream of a call on a GPU; None: the one on which the arrays' library works.

Types
-----
int64 -> int64
float32 -> float32
float64 -> float64
"""
