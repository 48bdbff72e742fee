"""foldwise.inline: results, the cache, errors, several processes, IPython. usage: test_inline.py FOLDER"""

import concurrent.futures
import contextlib
import io
import os
import pathlib
import pickle
import re
import subprocess
import sys
import time

import numpy as np

import foldwise
from foldwise import _build
from foldwise._installation import cmake_folder

FOLDER = pathlib.Path(sys.argv[1])
HAS_ARCHIVE = sys.version_info >= (3, 12) and any(
    cmake_folder.parents[1].glob("libfoldwise_python_abi3.a"))
SPEC = """\
#include <foldwise/spec.hpp>

#include <functional>

namespace any {
/// Twice the difference over the sum.
auto rel_diff = foldwise::vectorize<float(float, float), double(double, double)>(
    [](auto x, auto y) { return 2 * (x - y) / (x + y); });
auto total = foldwise::reduce<double>(std::plus<>{}, foldwise::identity(0));
}
"""
REFUSED = """\
#include <foldwise/spec.hpp>

int rand_of(int x);
auto shaken = foldwise::vectorize<float(float)>([](float x) { return x + rand(); });
"""
builds = []
build_itself = _build.build


def counted(tree, request):
    builds.append(request.module)
    return build_itself(tree, request)


_build.build = counted


def raised(kind, call):
    try:
        call()
    except kind as error:
        return str(error)
    raise AssertionError(f"no {kind.__name__} is raised")


def test_results():
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        module = foldwise.inline(SPEC, backends=["cpu"])
    # The first module of all takes long, and says why; not where the archive is installed.
    assert said.getvalue().count("compiling what all modules have in common") == (not HAS_ARCHIVE), said.getvalue()
    np.testing.assert_array_equal(module.rel_diff(np.array([1.0, 2, 3]), 2), [-2 / 3, 0, 0.4])
    assert module.rel_diff(np.float32(1), np.float32(3)).dtype == np.float32
    assert module.total(np.arange(5.0)) == 10
    assert "Twice the difference over the sum." in module.rel_diff.__doc__
    assert module.__name__.startswith("foldwise.inlined.spec_"), module.__name__
    assert len(builds) == 1, builds


def test_a_built_module_is_found():
    assert foldwise.inline(SPEC, backends=["cpu"]) is foldwise.inline(SPEC, backends=["cpu"])
    assert len(builds) == 1, builds
    # What is said otherwise is another module: in a text that differs by a blank, and with another keyword.
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        other = foldwise.inline(SPEC + " ", name="stats", backends=["cpu"], contract=False)
    assert said.getvalue() == "", said.getvalue()
    assert len(builds) == 2 and other.__name__.startswith("foldwise.inlined.stats_")


def test_processes():
    """Eight at once: the one that is first builds, and all have it. A function that one has pickled is another's."""
    spec = SPEC.replace("2 * (x", "3 * (x")
    program = f"""
import pickle, sys
import foldwise
from foldwise import _build
build_itself = _build.build
def build(tree, request):
    print("built", file=sys.stderr)
    return build_itself(tree, request)
_build.build = build
f = foldwise.inline({spec!r}, backends=["cpu"]).rel_diff
assert f(1.0, 3.0) == -1.5, f(1.0, 3.0)
sys.stdout.buffer.write(pickle.dumps(f))
"""
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        runs = [pool.submit(subprocess.run, [sys.executable, "-c", program], capture_output=True) for _ in range(8)]
        done = [run.result() for run in runs]
    for process in done:
        assert process.returncode == 0, process.stderr.decode()
    assert sum("built" in process.stderr.decode().splitlines() for process in done) == 1
    assert pickle.loads(done[0].stdout)(1.0, 3.0) == -1.5
    modules = pathlib.Path(os.environ["FOLDWISE_CACHE_DIR"]) / "modules"
    assert not [path for path in modules.iterdir() if path.suffix not in (".json", ".so", ".pyi", ".cpp")]


def test_headers():
    """A header that changes makes another module, beside the one that is loaded."""
    header = FOLDER / "scale of mine.hpp"
    header.write_text("inline double scaled(double x) { return 2 * x; }\n")
    spec = '#include "scale of mine.hpp"\n#include <foldwise/spec.hpp>\nauto f = foldwise::vectorize(scaled);\n'
    first = foldwise.inline(spec, backends=["cpu"], include_folders=[FOLDER])
    count = len(builds)
    assert foldwise.inline(spec, backends=["cpu"], include_folders=[FOLDER]) is first and len(builds) == count
    header.write_text("inline double scaled(double x) { return 30 * x; }\n")
    second = foldwise.inline(spec, backends=["cpu"], include_folders=[FOLDER])
    assert (first.f(2.0), second.f(2.0)) == (4, 60)
    assert second.__name__ == first.__name__ + "_2"


def test_options():
    spec = "#include <foldwise/spec.hpp>\nauto f = foldwise::vectorize([](float x) { return x * FACTOR; });\n"
    module = foldwise.inline(spec, backends=["cpu"], compiler_options=["-DFACTOR=3.3f"], options=["-Werror"])
    assert module.f(np.float32(2)) == np.float32(2) * np.float32(3.3)
    text = raised(
        foldwise.BuildError,
        lambda: foldwise.inline(spec, backends=["cpu"], compiler_options=["-DFACTOR=3.3"], options=["-Werror"]),
    )
    assert "-Wdouble-computation" in text, text


def test_errors():
    text = raised(foldwise.BuildError, lambda: foldwise.inline(REFUSED, name="gain", backends=["cpu"]))
    place, line, caret = text.splitlines()[:3]
    assert re.match(r"gain\.kernels\.cpp:4:74: error: 'rand' does not exist in device code.*\[FW013\]$", place), text
    assert line == "    4 | " + REFUSED.splitlines()[3] and caret.strip(" |") == "^", text
    # What only the compiler of the program refuses.
    text = raised(
        foldwise.BuildError, lambda: foldwise.inline(SPEC, backends=["cpu"], compiler_options=["-fno-such-option"])
    )
    assert "-fno-such-option" in text, text
    # And after these the next one is built.
    assert foldwise.inline(REFUSED.replace("rand()", "1"), backends=["cpu"]).shaken(np.float32(1)) == 2


def test_forgotten_header():
    text = raised(foldwise.BuildError, lambda: foldwise.inline("\n" + SPEC.partition("\n")[2], backends=["cpu"]))
    assert text.startswith("spec.kernels.cpp:7:17: error: use of undeclared identifier 'foldwise'"), text
    assert "note: it is declared in <foldwise/spec.hpp>: add #include <foldwise/spec.hpp>" in text, text
    text = raised(foldwise.BuildError, lambda: foldwise.inline(
        "#include <foldwise/spec.hpp>\nauto f = foldwise::vectorize([](int x, int y) { return std::gcd(x, y); });\n"))
    assert "std::gcd is declared in <numeric>: add #include <numeric>" in text, text


def test_keywords():
    """Names that Python cannot have."""
    module = foldwise.inline("""\
#include <foldwise/spec.hpp>

auto lambda = foldwise::vectorize<double(double)>([](double in) { return in * in; });
auto pass = foldwise::vectorize<double(double, double)>([](double x, double g) { return 2 * x * g; });
""", backends=["cpu"], gradients={"lambda": "pass"})
    assert module.lambda_(3.0) == 9 and module.lambda_.gradient is module.pass_
    assert module.lambda_.__name__ == "lambda_" and pickle.loads(pickle.dumps(module.lambda_)) is module.lambda_
    assert not hasattr(module, "lambda") and module.lambda_.__doc__.startswith("lambda_(in_, "), module.lambda_.__doc__
    stub = pathlib.Path(module.__file__).with_name(module.__name__.rpartition(".")[2] + ".pyi")
    compile(stub.read_text(), stub, "exec")
    own = "#include <foldwise/spec.hpp>\nauto __name__ = foldwise::vectorize([](float x) { return x; });\n"
    text = raised(foldwise.BuildError, lambda: foldwise.inline(own, backends=["cpu"]))
    assert "cannot have a function that is called __name__, which Python's modules have themselves" in text, text
    twice = SPEC + "namespace other { auto lambda_ = foldwise::vectorize([](float x) { return x; }); }\n"
    twice += "namespace one { auto lambda_ = foldwise::vectorize([](float x) { return x; }); }\n"
    text = raised(foldwise.BuildError, lambda: foldwise.inline(twice, name="two", backends=["cpu"]))
    assert "two functions that are called lambda_, other::lambda_ of two.kernels.cpp and one::lambda_ of two.kernels.cpp" in text, text
    assert "keyword" in raised(ValueError, lambda: foldwise.inline(SPEC, name="lambda"))


def test_wrong_calls():
    assert "spec has to be a str" in raised(TypeError, lambda: foldwise.inline(pathlib.Path("a.kernels.cpp")))
    assert "'gpu', and can have cpu, cuda" in raised(ValueError, lambda: foldwise.inline(SPEC, backends=["gpu"]))
    assert "not one str" in raised(TypeError, lambda: foldwise.inline(SPEC, backends="cpu"))
    assert "backends is empty" in raised(ValueError, lambda: foldwise.inline(SPEC, backends=[]))
    assert "name 'a-b'" in raised(ValueError, lambda: foldwise.inline(SPEC, name="a-b"))


def test_warnings(spec="#include <foldwise/spec.hpp>\nauto f = foldwise::vectorize([](float x) { return x * 3.3; });\n"):
    """A spec that can be built, and of which the generator has something to say."""
    run = [sys.executable, "-c", f"import foldwise; foldwise.inline({spec!r}, backends=['cpu'])"]
    said = subprocess.run(run, capture_output=True, text=True, check=True).stderr
    assert said.startswith("spec.kernels.cpp:2:55: warning: '3.3' makes this a computation in double"), said
    assert subprocess.run(run, capture_output=True, text=True, check=True).stderr == ""


def test_a_hit_is_quick():
    times = []
    for _ in range(20):
        start = time.perf_counter()
        foldwise.inline(SPEC, backends=["cpu"])
        times.append(time.perf_counter() - start)
    assert min(times) < 0.05, times


def test_ipython():
    try:
        from IPython.core.interactiveshell import InteractiveShell
    except ImportError:
        print("IPython: SKIPPED, this Python has none")
        return
    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "foldwise")
    shell.run_cell_magic("foldwise", "--backends cpu --name stats", SPEC)
    assert shell.user_ns["rel_diff"](1.0, 3.0) == -1 and shell.user_ns["stats"].total is shell.user_ns["total"]
    result = shell.run_cell("%%foldwise --backends cpu\n" + REFUSED)
    assert isinstance(result.error_in_exec, foldwise.BuildError)
    assert str(result.error_in_exec).startswith("spec.kernels.cpp:4:74: error: "), result.error_in_exec
    assert shell.InteractiveTB is not None and "Traceback" not in "".join(result.error_in_exec._render_traceback_())


def test_notebook():
    """A notebook as Jupyter runs it, in a kernel's process."""
    try:
        import ipykernel  # noqa: F401
        import nbclient
        import nbformat
    except ImportError as error:
        print(f"a notebook: SKIPPED, {error}")
        return
    cells = ["%load_ext foldwise", "%%foldwise --backends cpu --name stats\n" + SPEC,
             "print(rel_diff(1.0, 3.0), stats.total([1.0, 2.5]))", "%%foldwise --backends cpu\n" + REFUSED,
             "%%foldwise?", "print(total([2.0, 3.0]))"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = nbclient.NotebookClient(notebook, timeout=100, kernel_name="python3", allow_errors=True)
    client.execute()
    outputs = [cell.outputs for cell in notebook.cells]
    assert outputs[0] == outputs[1] == [], outputs
    assert outputs[2][0].text == "-1.0 3.5\n" and outputs[5][0].text == "5.0\n", outputs
    error = outputs[3][-1]
    assert error.output_type == "error" and error.ename == "BuildError", error
    shown = re.sub("\x1b\\[[0-9;]*m", "", "\n".join(error.traceback))
    assert "spec.kernels.cpp:4:74: error: 'rand' does not exist in device code" in shown, shown
    assert "Traceback" not in shown and "_inline.py" not in shown, shown


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
print("foldwise.inline: all tests passed")
