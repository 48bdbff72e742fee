"""python -m foldwise: where the CMake package is. The console script foldwise is the generator."""

import argparse
import os
import sys

from ._installation import PACKAGE, __version__, cmake_folder


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m foldwise", description="Says where Foldwise is.")
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("--version", action="store_true", help="print the version")
    asked.add_argument(
        "--cmake-dir",
        action="store_true",
        help="print the folder of FoldwiseConfig.cmake, for CMake's variable Foldwise_DIR",
    )
    arguments = parser.parse_args()
    print(__version__ if arguments.version else cmake_folder)
    return 0


def run_generator() -> None:
    """Becomes the generator that the wheel has, with the arguments of this process."""
    generator = PACKAGE / "bin/foldwise"
    try:
        os.execv(generator, [str(generator), *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"foldwise: {generator} cannot be run: {error.strerror}")


if __name__ == "__main__":
    sys.exit(main())
