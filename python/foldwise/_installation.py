"""Where the files of Foldwise are that this package has come with."""

import os
import pathlib
import re

PACKAGE = pathlib.Path(__file__).absolute().parent


def _find_cmake_folder() -> pathlib.Path:
    named = os.environ.get("Foldwise_DIR")  # as for CMake itself
    # In a wheel this package is the prefix; an installed prefix has it in <libraries>/foldwise/python/foldwise.
    here = [PACKAGE / "lib/cmake/Foldwise", PACKAGE.parents[2] / "cmake/Foldwise"]
    for folder in [pathlib.Path(named).absolute()] if named else here:
        if (folder / "FoldwiseConfigVersion.cmake").is_file():
            return folder
    if named:
        raise ImportError(f"the environment variable Foldwise_DIR is '{named}', where there is no FoldwiseConfig.cmake")
    raise ImportError(
        f"there is no Foldwise that belongs to {PACKAGE}: the environment variable Foldwise_DIR may name the folder of "
        "another one's FoldwiseConfig.cmake"
    )


def _read_version() -> str:
    text = (cmake_folder / "FoldwiseConfigVersion.cmake").read_text()
    return re.search(r'set\(PACKAGE_VERSION "([^"]+)"\)', text)[1]


cmake_folder = _find_cmake_folder()
__version__ = _read_version()
