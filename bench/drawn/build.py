#!/usr/bin/env python3
"""Writes build.ninja for a folder of drawn workloads, for a machine that has nvcc and no generator.

usage: build.py FOLDER

FOLDER has the emitted files, include/ and lib/. Each workload becomes a library of its own, so that one that does not
compile stops no other; all share libmeasure.so, which has the runtime.
"""
import pathlib
import sys

RULES = """\
arch = native
rule nvcc
  command = nvcc -arch=$arch -std=c++20 -O3 -DNDEBUG --expt-relaxed-constexpr -w -Xcompiler=-fPIC -Iinclude -I. $
    -c $in -o $out
rule cxx
  command = g++ -std=c++20 -O3 -DNDEBUG -fPIC -w -Iinclude -I. -isystem $cuda/include -c $in -o $out
rule measure
  command = g++ -shared -fopenmp -o $out measure.o delay.o -Wl,--whole-archive lib/libfoldwise_runtime.a $
    lib/libfoldwise_cuda.a -Wl,--no-whole-archive -L$cuda/lib64 -lcudart
rule link
  command = g++ -shared -o $out $in -Wl,-rpath,'$$ORIGIN' -L. -lmeasure -L$cuda/lib64 -lcudart

build measure.o: cxx measure.cpp
build delay.o: nvcc delay.cu
build libmeasure.so: measure measure.o delay.o
"""


def write(folder, cuda="/usr/local/cuda"):
    names = sorted(file.name.removesuffix(".kernels.cu") for file in folder.glob("case*.kernels.cu"))
    lines = [f"cuda = {cuda}", RULES]
    for name in names:
        lines += [f"build {name}.cu.o: nvcc {name}.kernels.cu", f"build {name}.o: cxx {name}.call.cpp",
                  f"build lib{name}.so: link {name}.o {name}.cu.o | libmeasure.so"]
    (folder / "build.ninja").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]))
