#!/usr/bin/env bash
# examples/python, with pip, as its users build it: a wheel, which needs nothing where it is installed, and an editable
# installation. Nothing is downloaded. usage: template.sh PYTHON; exits with 77 where something is missing.
source "$(dirname "$0")/common.sh"
python=$1

skip() { echo "SKIPPED: $*"; exit 77; }
"$python" -m pip --version > /dev/null 2>&1 || skip "$python has no pip"
"$python" -c 'import scikit_build_core' 2> /dev/null || skip "$python has no scikit-build-core"
"$python" -c 'import venv, ensurepip' 2> /dev/null || skip "$python makes no virtual environments"

# A fresh environment, with pip's own packages and whatever else is named, from those of $python.
environment() {  # environment FOLDER PACKAGE...
  local folder=$1 package
  shift
  quietly "$python" -m venv --without-pip "$folder"
  local packages
  packages=$("$folder/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  for package; do
    "$python" - "$package" "$packages" <<'TEXT'
import importlib.util, os, sys
origin = os.path.dirname(importlib.util.find_spec(sys.argv[1]).origin)
for name in (origin, os.path.join(os.path.dirname(origin), sys.argv[1] + ".libs")):
    if os.path.isdir(name):
        os.symlink(name, os.path.join(sys.argv[2], os.path.basename(name)))
TEXT
  done
}

export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INDEX=1 PIP_ROOT_USER_ACTION=ignore
quietly cmake --install "$BUILD" --prefix "$WORK/here"
cp -r here/share/doc/foldwise/examples/python project
(
  export CMAKE_PREFIX_PATH=$WORK/here CXX
  [[ -z $CUDACXX ]] || export CUDACXX
  [[ -n $CUDACXX ]] || export CUDACXX=none
  quietly "$python" -m pip wheel ./project --no-build-isolation --no-deps -w wheels
)
wheel=$(echo wheels/weather-0.1.0-*.whl)
if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 12))'; then
  [[ $wheel == wheels/weather-0.1.0-cp312-abi3-* ]] || fail "$wheel is for one version of Python alone"
fi
size=$(stat -c %s "$wheel")
((size <= 2000000)) || fail "$wheel has $size bytes"

# Nothing but Python is on the PATH, and Foldwise is gone.
environment used numpy
quietly "$python" -m pip --python used/bin/python install --no-deps "$wheel"
mv here away
(
  unset PYTHONPATH
  PATH=$WORK/used/bin CUDACXX='' quietly used/bin/python -m unittest discover -v project/tests
)
grep -q "^OK" log.txt || { cat log.txt >&2; fail "no test has run"; }
! readelf -d used/lib/python*/site-packages/weather/kernels*.so | grep -q "libcudart\|libfoldwise\|RUNPATH\|RPATH" ||
  fail "the module needs libraries of the machine that has built it"
mv away here

# Of an editable installation Python's files are those of the project.
environment edited numpy scikit_build_core pathspec packaging
(
  export CMAKE_PREFIX_PATH=$WORK/here CXX CUDACXX=none
  quietly "$python" -m pip --python edited/bin/python install --no-build-isolation --no-deps -e ./project
)
quietly edited/bin/python -m unittest discover -v project/tests
printf '\n\ndef doubled(x):\n    return 2 * wind_chill(x, 0.0)\n' >> project/src/weather/__init__.py
expect 42.0 edited/bin/python -c 'import weather; print(weather.doubled(21.0))'
