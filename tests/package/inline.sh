#!/usr/bin/env bash
# The Python package foldwise of an installed copy: where it says that things are, and foldwise.inline.
# usage: inline.sh PYTHON
source "$(dirname "$0")/common.sh"
python=$1

quietly cmake --install "$BUILD" --prefix "$WORK/here"
packages=$(echo here/lib*/foldwise/python)
cmake_folder=$(echo "$WORK"/here/lib*/cmake/Foldwise)
export PYTHONPATH=$WORK/$packages PYTHONDONTWRITEBYTECODE=1 FOLDWISE_EXECUTOR=cpu
unset Foldwise_DIR

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
