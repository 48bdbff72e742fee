#!/usr/bin/env bash
# The tests of the array API standard, run against functions of kernels (README.md). The module is built by an installed
# Foldwise, or by the build tree that FOLDWISE_DIR names.
# usage: run.sh PYTHON TESTS [report]; TESTS is a checkout of array-api-tests; `report` writes README.md.
set -euo pipefail
source=$(cd "$(dirname "$0")" && pwd)
python=$1 tests=$2
build=${BUILD_FOLDER:-$(mktemp -d)}
cmake -S "$source/../package/python" -B "$build" -DCMAKE_BUILD_TYPE=Release -DPython_EXECUTABLE="$python" \
  ${FOLDWISE_DIR:+-DFoldwise_DIR="$(realpath "$FOLDWISE_DIR")"} > /dev/null
cmake --build "$build" --target standard -j 2 > /dev/null
check=(100 --check)
[[ ${3:-} != report ]] || check=()
PYTHONPATH=$build exec "$python" "$source/report.py" "$tests" "${check[@]}"
