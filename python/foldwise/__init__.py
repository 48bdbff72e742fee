"""Foldwise: C++ lambdas become kernels for GPUs and CPUs.

`inline` builds a module from a spec in a string, `%load_ext foldwise` the same for notebooks. `python -m foldwise` says
where the CMake package is, for modules that a project builds.
"""

from ._build import BuildError
from ._inline import inline
from ._installation import __version__

__all__ = ["BuildError", "__version__", "inline", "load_ipython_extension"]


def load_ipython_extension(shell) -> None:
    """`%load_ext foldwise` in IPython and Jupyter: makes `%%foldwise` known."""
    from ._magic import register

    register(shell)
