"""The folder of built modules: `FOLDWISE_CACHE_DIR`, or foldwise in the user's cache folder."""

import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import sys


def folder() -> pathlib.Path:
    named = os.environ.get("FOLDWISE_CACHE_DIR")
    if named:
        return pathlib.Path(named).absolute()
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache").absolute() / "foldwise"


def make_folder(path: pathlib.Path) -> pathlib.Path:
    """Nobody else may write there what this user then loads."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def key(described) -> str:
    """16 hexadecimal digits for values that JSON can have."""
    return hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()[:16]


@contextlib.contextmanager
def locked(path: pathlib.Path):
    """Only one thread of all processes is in here with the same path. The lock ends with the process that has it."""
    make_folder(path.parent)
    with open(path, "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("foldwise: waiting for a build in another process or thread", file=sys.stderr)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def write(path: pathlib.Path, text: str) -> None:
    """Readers see all of it or nothing."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    unfinished.write_text(text)
    os.replace(unfinished, path)
