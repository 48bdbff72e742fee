#!/usr/bin/env python3
"""What building a kernel costs, beside files of the same work with Thrust, with CUB and by hand, and what one more
signature costs in a file that has one: processor time of the generator, of nvcc and of the C++ compiler, and bytes of
the objects, with line information, too. The least of several turns."""
import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import tempfile

import results_file

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE / "build_cost"
HEADERS = HERE.parent / "runtime" / "include"
CASES = sorted(spec.name.removesuffix(".kernels.cpp") for spec in SOURCES.glob("*.kernels.cpp"))
PEERS = ("cuda", "cub", "thrust")
# What foldwise_add_kernels gives nvcc. Peers are compiled as nvcc does by default.
KERNEL_OPTIONS = ("-Xfatbin=-compress-all", "-Xcompiler=-D__NV_LEGACY_LAUNCH")
# A kernel with one signature, for each pattern; {n} makes several of them differ.
SIGNATURES = {
    "vectorize": "auto k{n} = foldwise::vectorize<float(float, float)>("
                 "[](float x, float y) {{ return x * y + {n}; }});",
    "forall": "auto k{n} = foldwise::forall([](foldwise::index<2> at, foldwise::view<const float, 2> in,"
              " foldwise::view<float, 2> out) {{ out(at[0], at[1]) = in(at[0], at[1]) + {n}; }});",
    "reduce": "auto k{n} = foldwise::reduce<float>(foldwise::map([](float x) {{ return x + {n}; }}),"
              " [](float a, float b) {{ return a + b; }}, foldwise::identity(0));",
}
MORE = 4  # signatures beyond the first


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--foldwise", required=True, help="the generator")
    parser.add_argument("--nvcc", default=os.environ.get("CUDACXX", "nvcc"))
    parser.add_argument("--cxx", default=os.environ.get("CXX", "c++"))
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=(*CASES, *SIGNATURES), default=(*CASES, *SIGNATURES),
                        help="measure only these files and signatures, such as `sum reduce`")
    parser.add_argument("--json", type=pathlib.Path, required=True)
    return parser.parse_args()


def microseconds(*command):
    """Of processors, those of its own processes with it: what no other work of the machine lengthens much."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(list(map(str, command)), check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e6 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


class Compilers:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.cuda_headers = pathlib.Path(shutil.which(options.nvcc)).resolve().parents[1] / "include"

    def nvcc(self, source, *options):
        """Time and size."""
        return self.compile(source, self.options.nvcc, "-O3", "-std=c++20", "--expt-relaxed-constexpr", "-DNDEBUG",
                            f"-arch={self.options.arch}", f"-I{HEADERS}", *options)

    def cxx(self, source):
        return self.compile(source, self.options.cxx, "-O3", "-std=c++20", "-DNDEBUG", f"-I{HEADERS}",
                            f"-I{self.cuda_headers}")

    def compile(self, source, *command):
        to = self.folder / f"{source.name}.o"
        return microseconds(*command, "-c", source, "-o", to), to.stat().st_size

    def foldwise(self, spec, with_line_info=False):
        generated = self.folder / "generated"
        generator = microseconds(self.options.foldwise, "--backend=cuda", f"--out-dir={generated}", spec, "--",
                                 "-std=c++20", "-DNDEBUG", f"-I{HEADERS}", f"-I{self.cuda_headers}")
        name = spec.name.removesuffix(".cpp")
        nvcc, kernels = self.nvcc(generated / f"{name}.cu", *KERNEL_OPTIONS)
        cxx, launchers = self.cxx(generated / f"{name}.launch.cpp")
        figures = {"generator_us": generator, "nvcc_us": nvcc, "cxx_us": cxx, "us": generator + nvcc + cxx,
                   "object_bytes": kernels + launchers}
        if with_line_info:
            figures["line_info_bytes"] = self.nvcc(generated / f"{name}.cu", *KERNEL_OPTIONS, "-lineinfo")[1] + launchers
        return figures

    def signatures(self, pattern, count):
        """A spec of so many kernels of one signature."""
        spec = self.folder / f"{pattern}{count}.kernels.cpp"
        kernels = "\n".join(SIGNATURES[pattern].format(n=n) for n in range(count))
        spec.write_text(f"#include <foldwise/spec.hpp>\nnamespace more {{\n{kernels}\n}}\n")
        return self.foldwise(spec)

    def peer(self, source):
        nvcc, size = self.nvcc(source)
        return {"nvcc_us": nvcc, "us": nvcc, "object_bytes": size,
                "line_info_bytes": self.nvcc(source, "-lineinfo")[1]}


def least(turns):
    """Of each figure by itself."""
    figures = {name: min(turn[name] for turn in turns) for name in turns[0]}
    parts = [name for name in figures if name.endswith("_us")]
    return figures | {"us": sum(figures[name] for name in parts)}


def one_more(first, all_of_them):
    """The mean of those beyond the first."""
    return {name: (all_of_them[name] - first[name]) / MORE for name in first}


def main():
    options = parse_options()
    run = results_file.begin("build")
    run["nvcc"] = results_file.output_of(options.nvcc, "--version").splitlines()[-2:]
    run["cxx"] = next(iter(results_file.output_of(options.cxx, "--version").splitlines()), "")
    measured = {}
    with tempfile.TemporaryDirectory() as folder:
        compilers = Compilers(options, pathlib.Path(folder))
        for _ in range(options.turns):
            for case in filter(options.only.__contains__, CASES):
                spec = SOURCES / f"{case}.kernels.cpp"
                measured.setdefault((case, "foldwise"), []).append(compilers.foldwise(spec, with_line_info=True))
                for peer in PEERS:
                    source = SOURCES / f"{case}_{peer}.cu"
                    if source.exists():
                        measured.setdefault((case, peer), []).append(compilers.peer(source))
            for pattern in filter(options.only.__contains__, SIGNATURES):
                for count in (1, 1 + MORE):
                    measured.setdefault((pattern, count), []).append(compilers.signatures(pattern, count))
    costs = {key: least(turns) for key, turns in measured.items()}
    for pattern in filter(options.only.__contains__, SIGNATURES):
        first, all_of_them = costs.pop((pattern, 1)), costs.pop((pattern, 1 + MORE))
        costs[f"{pattern}, one signature", "foldwise"] = first
        costs[f"{pattern}, one more", "foldwise"] = one_more(first, all_of_them)
    cells = [{"suite": "build", "case": case, "type": "", "n": 1, "bytes": 0, "impl": impl, **cost}
             for (case, impl), cost in costs.items()]
    for cell in cells:
        print(f"{cell['case']:24} {cell['impl']:10} {cell['us'] / 1e6:6.2f} s  {cell['object_bytes'] / 1024:8.1f} KiB")
    results_file.write(options.json, run, cells)


if __name__ == "__main__":
    main()
