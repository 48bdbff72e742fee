#!/usr/bin/env bash
# The Python package foldwise of an installed copy: where it says that things are, and foldwise.inline.
# usage: inline.sh PYTHON
source "$(dirname "$0")/common.sh"
share_compilations
python=$1

quietly cmake --install "$BUILD" --prefix "$WORK/here"
packages=$(echo here/lib*/foldwise/python)
cmake_folder=$(echo "$WORK"/here/lib*/cmake/Foldwise)
export PYTHONPATH=$WORK/$packages PYTHONDONTWRITEBYTECODE=1 FOLDWISE_EXECUTOR=cpu
unset Foldwise_DIR
# What modules compute does not depend on optimisation, and what all of them have in common takes long to optimise.
echo 'set(CMAKE_CXX_FLAGS_RELEASE "-O0 -DNDEBUG" CACHE STRING "")' > unoptimised.cmake
export CMAKE_TOOLCHAIN_FILE=$WORK/unoptimised.cmake

expect "$cmake_folder" "$python" -m foldwise --cmake-dir
expect "$("$GENERATOR" --version)" "$python" -c 'import foldwise; print("foldwise", foldwise.__version__)'
expect "$("$GENERATOR" --version)" echo "foldwise $("$python" -m foldwise --version)"
Foldwise_DIR=$BUILD expect "$BUILD" "$python" -m foldwise --cmake-dir
! Foldwise_DIR=$WORK "$python" -m foldwise --version 2> log.txt || fail "a folder without Foldwise is taken"
grep -qF "Foldwise_DIR is '$WORK', where there is no FoldwiseConfig.cmake" log.txt || { cat log.txt; fail "no word of it"; }
mv "$packages/foldwise" elsewhere
! PYTHONPATH=$WORK/none "$python" -c 'import sys; sys.path.insert(0, "."); import elsewhere' 2> log.txt || fail "no Foldwise around"
grep -qF "there is no Foldwise that belongs to" log.txt || { cat log.txt; fail "no word of it"; }
mv elsewhere "$packages/foldwise"

FOLDWISE_CACHE_DIR=$WORK/cache CXX=$CXX "$python" "$SOURCE/tests/package/python/test_inline.py" "$WORK"

# Where there are nvcc and, by what the driver's library says, a GPU, kernels are compiled for that GPU as well.
[[ -n $CUDACXX ]] || exit 0
cat > nvml.cpp <<'TEXT'
extern "C" {
int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }
int nvmlDeviceGetCount_v2(unsigned* count) { return *count = 2, 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) { return *device = new unsigned(index), 0; }
int nvmlDeviceGetCudaComputeCapability(void*, int* major, int* minor) { return *major = 8, *minor = 0, 0; }
}
TEXT
mkdir driver
quietly "$CXX" -shared -fPIC nvml.cpp -o driver/libnvidia-ml.so.1
unset CUDAARCHS CUDA_VISIBLE_DEVICES
export FOLDWISE_CACHE_DIR=$WORK/cache CXX CUDACXX
chosen='from foldwise import _toolchain; print(_toolchain.gpu_architectures(), _toolchain.default_backends())'
export LD_LIBRARY_PATH=$WORK/driver
expect "('80',) ('cuda', 'cpu')" "$python" -c "$chosen"
CUDA_VISIBLE_DEVICES='' expect "() ('cpu',)" "$python" -c "$chosen"
CUDACXX=$WORK/none expect "('80',) ('cpu',)" "$python" -c "$chosen"
cat > both.py <<'TEXT'
import foldwise
spec = "#include <foldwise/spec.hpp>\nauto f = foldwise::vectorize([](float x) { return 2 * x; });\n"
module = foldwise.inline(spec, name="both")
assert module.f(3.0) == 6
print(module.__file__)
TEXT
module=$("$python" both.py) || fail "a module with kernels for a GPU"
readelf --wide --sections "$module" | grep -qF .nv_fatbin || fail "$module has no kernels for a GPU"
grep -q '^CMAKE_CUDA_ARCHITECTURES:[A-Z]*=80$' cache/build/*/CMakeCache.txt || fail "they are not for the GPU that is here"
