#!/usr/bin/env bash
# Random calls of functions of kernels and of NumPy's, and NumPy's own tests of universal functions where pytest and
# hypothesis are there. The module is built by an installed Foldwise, or by the build tree that FOLDWISE_DIR names.
# usage: run.sh PYTHON [CALLS [SEED]]; run.sh PYTHON report writes README.md.
set -euo pipefail
source=$(cd "$(dirname "$0")" && pwd)
python=$1
build=${BUILD_FOLDER:-$(mktemp -d)}
cmake -S "$source/../package/python" -B "$build" -DCMAKE_BUILD_TYPE=Release -DPython_EXECUTABLE="$python" \
  ${FOLDWISE_DIR:+-DFoldwise_DIR="$(realpath "$FOLDWISE_DIR")"} > /dev/null
cmake --build "$build" --target ufuncs -j 2 > /dev/null
export PYTHONPATH=$build
if [[ ${2:-} == report ]]; then
  exec "$python" "$source/report.py"
fi
"$python" "$source/fuzz.py" --calls "${2:-10000}" --seed "${3:-1}"
if "$python" -c 'import pytest, hypothesis' 2> /dev/null; then
  "$python" "$source/report.py" --check
else
  echo "NumPy's own tests: SKIPPED, $python has no pytest and hypothesis"
fi
