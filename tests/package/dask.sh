#!/usr/bin/env bash
# examples/python-dask, built as a user would and run on Dask's cluster of local processes. usage: dask.sh PYTHON
source "$(dirname "$0")/common.sh"
python=$1

if ! "$python" -c 'import dask.array, distributed' 2> /dev/null; then
  echo "SKIPPED: $python has no Dask (dask, distributed); -DFOLDWISE_DASK_PYTHON=... names one that has"
  exit 77
fi
quietly cmake -S "$SOURCE/examples/python-dask" -B build -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DFoldwise_DIR="$BUILD" -DCMAKE_CXX_COMPILER="$CXX" -DPython_EXECUTABLE="$python"
quietly cmake --build build
export FOLDWISE_EXECUTOR=cpu OMP_NUM_THREADS=1 PYTHONPATH="$WORK/build:$SOURCE/examples/python-dask" PYTHONDONTWRITEBYTECODE=1
output=$(timeout 100 "$python" "$SOURCE/examples/python-dask/main.py") || fail "main.py: $output"
lines=$(grep -cE '^(variance of 36 blocks: [0-9.]+|sum of 40 blocks: -?[0-9]+|steps in their order: [0-9]+)$' <<< "$output")
((lines == 3)) || fail "main.py printed '$output'"
