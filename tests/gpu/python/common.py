"""What the tests of this folder share."""
import importlib
import os
import pathlib

here = pathlib.Path(__file__).resolve().parent
os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
os.environ.setdefault("XLA_PYTHON_CLIENT_MEM_FRACTION", "0.2")

import numpy as np
from checks import raises  # noqa: F401, for the tests

if not hasattr(np, "row_stack"):
    np.row_stack = np.vstack  # NumPy has dropped the name, which numba.cuda still looks up


class Skipped(Exception):
    """A test that this machine cannot run; the text says why."""


def installed(name):
    """A library that works on a GPU here."""
    try:
        library = importlib.import_module(name)
    except (ImportError, OSError) as error:
        raise Skipped(f"{name}: {error}") from error
    finds_a_gpu = {"torch": lambda: library.cuda.is_available(), "cupy": lambda: library.cuda.is_available(),
                   "numba.cuda": lambda: library.is_available(), "jax": lambda: library.default_backend() == "gpu"}
    if not finds_a_gpu.get(name, lambda: True)():
        raise Skipped(f"{name} finds no GPU here")
    return library
