#!/usr/bin/env python3
"""Writes build.ninja for a folder of drawn workloads, for a machine that has a compiler and no generator.

usage: build.py FOLDER

FOLDER has the emitted files, include/ and lib/. Each workload becomes a library of its own, so that one that does not
compile stops no other, with a runtime of its own; all share libmeasure.so, which has the clock.

For the CPU, kernels that call functions of which VECTOR_MATH has vector forms are compiled with it as well, as a second
library.
"""
import pathlib
import re
import shutil
import sys

RULES = """\
arch = native
rule nvcc
  command = $nvcc -arch=$arch -std=c++20 -O3 -DNDEBUG --expt-relaxed-constexpr -w -Xcompiler=-fPIC -Iinclude -I. $
    -c $in -o $out
rule cxx
  command = g++ -std=c++20 -O3 -DNDEBUG -fPIC -w -Iinclude -I. -c $in -o $out
rule measure
  command = g++ -shared -o $out measure.o delay.o $cudart
rule link
  command = g++ -shared -fopenmp -o $out $in lib/libfoldwise_cuda.a lib/libfoldwise_runtime.a -Wl,--no-undefined $
    -Wl,-rpath,'$$ORIGIN' -L. -lmeasure $cudart

build measure.o: nvcc measure.cpp
build delay.o: nvcc delay.cu
build libmeasure.so: measure measure.o delay.o
"""


# As foldwise_add_kernels has a CPU backend compiled that is told nothing else.
CPU_RULES = """\
rule cxx
  command = g++ -std=c++20 -O3 -DNDEBUG $definitions -fPIC -w -fopenmp-simd -fno-math-errno -fno-trapping-math $
    -ffp-contract=off -fno-tree-slp-vectorize -Iinclude -I. -c $in -o $out
rule link
  command = g++ -shared -fopenmp -o $out $in lib/libfoldwise_runtime.a -Wl,--no-undefined
"""
VECTOR_FUNCTIONS = re.compile(r"\bstd::(a?(sin|cos|tan)h?|atan2|exp2?|expm1|log(2|10|1p)?|pow|cbrt|hypot|erfc?)\b")


def find_nvcc():
    found = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not pathlib.Path(found).exists():
        sys.exit("there is no nvcc on the PATH or in /usr/local/cuda")
    return found


def find_cudart(nvcc):
    """CUDA's shared runtime library: a program has to have one, and PyTorch has it, too."""
    toolkit = pathlib.Path(nvcc).resolve().parent.parent
    folders = [toolkit / "lib64", toolkit / "targets/x86_64-linux/lib", toolkit / "lib",
               *(pathlib.Path(path) / "nvidia/cu13/lib" for path in sys.path)]
    for folder in folders:
        for name in ("libcudart.so", "libcudart.so.13"):
            if (folder / name).exists():
                return folder / name
    sys.exit(f"there is no libcudart.so in {', '.join(map(str, folders))}")


def write_for_cpu(folder):
    names = sorted(file.name.removesuffix(".kernels.cpu.cpp") for file in folder.glob("case*.kernels.cpu.cpp"))
    lines = [CPU_RULES]
    for name in names:
        lines += [f"build {name}.cpu.o: cxx {name}.kernels.cpu.cpp", f"build {name}.o: cxx {name}.call.cpp",
                  f"build lib{name}.so: link {name}.o {name}.cpu.o"]
        if VECTOR_FUNCTIONS.search((folder / f"{name}.kernels.cpu.cpp").read_text()):
            lines += [f"build {name}.vector_math.o: cxx {name}.kernels.cpu.cpp", "  definitions = -DFOLDWISE_VECTOR_MATH",
                      f"build lib{name}.vector_math.so: link {name}.o {name}.vector_math.o"]
    (folder / "build.ninja").write_text("\n".join(lines) + "\n")


def write(folder):
    nvcc = find_nvcc()
    names = sorted(file.name.removesuffix(".kernels.cu") for file in folder.glob("case*.kernels.cu"))
    lines = [f"nvcc = {nvcc}", f"cudart = {find_cudart(nvcc)}", RULES]
    for name in names:
        lines += [f"build {name}.cu.o: nvcc {name}.kernels.cu", f"build {name}.o: cxx {name}.call.cpp",
                  f"build lib{name}.so: link {name}.o {name}.cu.o | libmeasure.so"]
    (folder / "build.ninja").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]))
