"""What the machine has to build with: compilers, CMake, and GPUs."""

import ctypes
import functools
import os
import pathlib
import platform
import shutil
import sys
import sysconfig

from ._installation import __version__, cmake_folder

# Variables that decide what CMake and the compilers do.
_VARIABLES = (
    "CXX CXXFLAGS CUDACXX CUDAFLAGS CUDAHOSTCXX CUDAARCHS LDFLAGS CPATH CPLUS_INCLUDE_PATH LIBRARY_PATH "
    "CMAKE_PREFIX_PATH"
).split()


def find_tool(name: str) -> "str | None":
    """A program beside this Python's, which pip may have installed there, or on the PATH."""
    beside = os.path.join(os.path.dirname(sys.executable or ""), name)
    return beside if os.access(beside, os.X_OK) else shutil.which(name)


def _cxx() -> "str | None":
    named = os.environ.get("CXX")
    return shutil.which(named) if named else shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")


def nvcc() -> "str | None":
    named = os.environ.get("CUDACXX")
    return shutil.which(named) if named else shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")


@functools.lru_cache(maxsize=None)
def gpu_architectures() -> "tuple[str, ...]":
    """The compute capabilities of this machine's GPUs, such as ("90",).

    They are from NVML: a process that has initialised CUDA itself could not fork afterwards and go on with it.
    """
    if os.environ.get("CUDA_VISIBLE_DEVICES") in ("", "-1"):
        return ()
    try:
        nvml = ctypes.CDLL("libnvidia-ml.so.1")
    except OSError:
        return ()
    if nvml.nvmlInit_v2() != 0:
        return ()
    found = set()
    count, device, major, minor = ctypes.c_uint(), ctypes.c_void_p(), ctypes.c_int(), ctypes.c_int()
    if nvml.nvmlDeviceGetCount_v2(ctypes.byref(count)) == 0:
        for index in range(count.value):
            if (
                nvml.nvmlDeviceGetHandleByIndex_v2(index, ctypes.byref(device)) == 0
                and nvml.nvmlDeviceGetCudaComputeCapability(device, ctypes.byref(major), ctypes.byref(minor)) == 0
            ):
                found.add(f"{major.value}{minor.value}")
    nvml.nvmlShutdown()
    return tuple(sorted(found))


def default_backends() -> "tuple[str, ...]":
    """cuda and cpu where kernels for a GPU can be built and run; otherwise cpu."""
    can_build = (cmake_folder / "FoldwiseCudaTargets.cmake").is_file() and nvcc() is not None
    return ("cuda", "cpu") if can_build and gpu_architectures() else ("cpu",)


def cuda_architectures() -> str:
    """For CMAKE_CUDA_ARCHITECTURES: those of CUDAARCHS, those of the GPUs here, or all."""
    return os.environ.get("CUDAARCHS") or ";".join(gpu_architectures()) or "all-major"


def stamp(path: "str | os.PathLike") -> "list":
    """A file and what changes with its content: size and time of its last change, in ns; both are -1 without a file."""
    try:
        status = os.stat(path)
        return [os.fspath(path), status.st_size, status.st_mtime_ns]
    except OSError:
        return [os.fspath(path), -1, -1]


def _stamp_of_program(path: "str | None") -> "list | None":
    return stamp(os.path.realpath(path)) if path else None


def describe(backends, uses_native_instructions: bool) -> "dict":
    """All that decides what is built from a spec, but for the spec and the options of the call."""
    described = {
        "foldwise": [__version__, stamp(cmake_folder / "FoldwiseConfig.cmake")],
        "python": [sysconfig.get_config_var("SOABI"), _stamp_of_program(sys.executable)],
        "machine": [platform.machine(), *platform.libc_ver()],
        "cxx": _stamp_of_program(_cxx()),
        "environment": {name: os.environ[name] for name in _VARIABLES if name in os.environ},
        "backends": list(backends),
    }
    if "cuda" in backends:
        described["nvcc"] = _stamp_of_program(nvcc())
        described["architectures"] = cuda_architectures()
    if uses_native_instructions or "native" in os.environ.get("CXXFLAGS", ""):
        described["cpu"] = _cpu()
    return described


def _cpu() -> str:
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return "\n".join(sorted({line for line in lines if line.startswith(("model name", "flags", "Features"))}))
