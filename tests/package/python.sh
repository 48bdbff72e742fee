#!/usr/bin/env bash
# Python modules: those of tests/acceptance/python and of tests/package/python, built and called with NumPy and, where
# they are there, with PyTorch, JAX and others. usage: python.sh PYTHON
source "$(dirname "$0")/common.sh"
python=$1

# Both projects in one, so that what modules have in common is compiled once at most. What they compute does not depend
# on optimisation, and programs that are optimised are tested elsewhere.
cat > CMakeLists.txt <<TEXT
cmake_minimum_required(VERSION 3.25)
project(modules LANGUAGES CXX)
add_subdirectory("$SOURCE/tests/acceptance/python" acceptance)
add_subdirectory("$SOURCE/tests/package/python" package)
TEXT
take_python_library
quietly cmake "${compiled[@]}" -S . -B . -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O0 -DNDEBUG" \
  -DFoldwise_DIR="$BUILD" -DCMAKE_CXX_COMPILER="$CXX" -DPython_EXECUTABLE="$python"
quietly cmake --build .
package/program || fail "a program that shares a spec with a module"
libraries=numpy
if "$python" -c 'import torch; torch.Tensor.__dlpack_c_exchange_api__' 2> /dev/null; then
  libraries="numpy torch"
else
  echo "PyTorch: SKIPPED, $python has no version from 2.10 on"
fi
FOLDWISE_EXECUTOR=cpu PYTHONPATH=acceptance "$python" "$SOURCE/tests/acceptance/python/test_demo.py" $libraries
for test in test_functions test_arrays test_calls test_gradients test_jax test_names test_patterns test_threads; do
  FOLDWISE_EXECUTOR=cpu PYTHONPATH=package "$python" "$SOURCE/tests/package/python/$test.py"
done
FOLDWISE_EXECUTOR=cpu PYTHONPATH=package "$python" "$SOURCE/tests/numpy/fuzz.py" --calls 1500

# What could never be imported is not built.
refused() {  # refused MODULE MESSAGE
  ! cmake --build . --target "$1" > log.txt 2>&1 || fail "$1 was built"
  grep -qF -- "$2" log.txt || { cat log.txt >&2; fail "no '$2' for $1"; }
}
refused twice "has two functions that are called square, left::square of twice.kernels.cpp and right::square of twice.kernels.cpp"
refused unfit "GRADIENTS squared=squared_backward"
refused unfit "(float64, float64) -> (float64)"

# The Python of the documentation.
FOLDWISE_EXECUTOR=cpu PYTHONPATH=package "$python" "$SOURCE/tests/docs/printed.py" python "$SOURCE"/{README.md,docs/*.md}

# What type checkers know of a module.
diff -u "$SOURCE/tests/package/python/demo.pyi" acceptance/demo.pyi || fail "the stub of demo is another one"
if "$python" -c 'import mypy' 2> /dev/null; then
  MYPYPATH=package "$python" "$SOURCE/tests/package/python/check_types.py"
else
  echo "types: SKIPPED, $python has no mypy"
fi
