# tests/errors/deep.py FOLDWISE INCLUDE CXX: code that is long or nested deeply becomes kernels which the host compiler
# takes, or ends in one error at its place. Nothing of it ends the generator.
import pathlib
import re
import subprocess
import sys
import tempfile

foldwise, include, cxx = sys.argv[1:]
limit = 100_000  # mostLevels of generator/frontend/Nesting.hpp


def kernel(body, parameter="float x"):
    return f"auto f = foldwise::vectorize([]({parameter}) {{ {body} }});\n"


def chain(count):
    functions = "".join(f"inline float f{i}(float x) {{ return f{i - 1}(x) * 0.5f; }}\n" for i in range(1, count))
    return f"inline float f0(float x) {{ return x + 1; }}\n{functions}" + kernel(f"return f{count - 1}(x);")


def circle(count):
    declared = "".join(f"inline float f{i}(float x);\n" for i in range(count))
    defined = "".join(
        f"inline float f{i}(float x) {{ return x > 3 ? x : f{(i + 1) % count}(x + 1); }}\n" for i in range(count))
    return declared + defined + kernel("return f0(x);")


def template(depth):
    return ("template <int N> inline float g(float x) {\n"
            "    if constexpr (N == 0) return x; else return g<N - 1>(x) * 0.5f;\n}\n" + kernel(f"return g<{depth}>(x);"))


def nested_structs(count):
    structs = "".join(f"struct s{i} {{ s{i - 1} value; }};\n" for i in range(1, count))
    return "struct s0 { float value; };\n" + structs + kernel("return x;", f"s{count - 1} x")


def constants(count):
    more = "".join(f"constexpr float c{i} = c{i - 1} + 1;\n" for i in range(1, count))
    return "constexpr float c0 = 1;\n" + more + kernel(f"return x + c{count - 1};")


def table(count):
    return ("constexpr float table[] = {" + ", ".join(f"{i % 100}.5f" for i in range(count)) + "};\n" +
            kernel("return table[x];", "int x"))


def terms(count):
    return kernel("return " + " +\n".join(["x"] * count) + ";")


def elses(count):
    return kernel("else ".join(f"if (x == {i}) x = {i % 7};\n" for i in range(count)) + "return x;", "int x")


def cases(count):
    return kernel("switch (x) {\n" + "".join(f"case {i}: return {i % 7};\n" for i in range(count)) +
                  "default: return 0; }", "int x")


tasks = ("auto f = foldwise::forall([](foldwise::index<1> i, foldwise::view<float, 1> v) { v[i] = " +
         " +\n".join(["v[i]"] * 5_000) + "; });\n")
fold = ("auto f = foldwise::reduce<float>(foldwise::map([](float x) { return " + " +\n".join(["x"] * 5_000) +
        "; }), [](float a, float b) { return a + b; }, foldwise::identity(0));\n")

# A name, the spec, and the error that it ends with; where there is none, whether the host compiler reads the kernels.
too_deep = rf"error: this is nested too deeply: \d+ levels.*there is room for {limit} \[FW057\]"
specs = [
    ("chain", chain(4_000), None, True),
    ("longer_chain", chain(20_000), too_deep, False),
    ("circle", circle(2_000), None, False),
    ("terms", terms(20_000), None, True),
    ("more_terms", terms(limit + 1_000), too_deep, False),
    ("terms_of_tasks", tasks, None, False),
    ("terms_of_folds", fold, None, False),
    ("signs", kernel("return " + "- " * 5_000 + "x;"), None, False),
    ("parentheses", kernel("return " + "(" * 250 + "x" + ")" * 250 + ";"), None, True),
    ("more_parentheses", kernel("return " + "(" * 10_000 + "x" + ")" * 10_000 + ";"), r"error: bracket nesting", False),
    ("blocks", kernel("{" * 250 + "x += 1;" + "}" * 250 + " return x;"), None, True),
    ("lambdas", kernel("return " + "[&] { return " * 60 + "x" + "; }()" * 60 + ";"), None, False),
    ("conditions", kernel("if (x > 1) " * 2_000 + "x += 1; return x;"), None, False),
    ("elses", elses(5_000), None, True),
    ("cases", cases(20_000), None, True),
    ("template", template(900), None, False),
    ("deeper_template", template(2_000), r"error: recursive template instantiation", False),
    ("structs", nested_structs(2_500), None, False),
    ("constants", constants(3_000), None, False),
    ("table", table(100_000), None, True),
]

wrong = []
with tempfile.TemporaryDirectory() as folder:
    for name, text, error, compiles in specs:
        spec = pathlib.Path(folder, f"{name}.kernels.cpp")
        spec.write_text("#include <foldwise/spec.hpp>\n" + text)
        out = pathlib.Path(folder, name)
        command = [foldwise, "--backend=cuda,cpu,simulator", f"--out-dir={out}", spec, "--", f"-I{include}"]
        run = subprocess.run(command, capture_output=True, text=True, timeout=600)
        errors = [line for line in run.stderr.splitlines() if "error:" in line]
        if error is None:
            if run.returncode != 0 or errors:
                wrong.append(f"{name}: exit status {run.returncode}, {errors[:3]}")
                continue
            if compiles and subprocess.run([cxx, "-std=c++20", "-fsyntax-only", f"-I{include}",
                                            out / f"{name}.kernels.cpu.cpp"]).returncode != 0:
                wrong.append(f"{name}: the host compiler refuses what was generated")
        elif run.returncode != 1 or len(errors) != 1 or not re.search(error, errors[0]) or spec.name not in errors[0]:
            wrong.append(f"{name}: exit status {run.returncode}, {errors[:3] or run.stderr[-300:]}")
        elif out.exists():
            wrong.append(f"{name}: something is written beside an error")

print("\n".join(wrong) or f"{len(specs)} specs, and nothing is wrong")
sys.exit(bool(wrong))
