"""The modules that `foldwise.inline` has built, one file each. Their functions are pickled by these names."""

from .. import _cache

__path__.insert(0, str(_cache.folder() / "modules"))
