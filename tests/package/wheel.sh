#!/usr/bin/env bash
# The wheel foldwise, where there is no LLVM: what it says of itself, a project of CMake's, examples/python, and
# foldwise.inline. ./dev wheel runs this. usage: wheel.sh PYTHON WHEEL; PYTHON has pip, scikit-build-core, CMake and NumPy.
source "$(dirname "$0")/common.sh"
python=$1 wheel=$2

size=$(stat -c %s "$wheel")
((size <= 60000000)) || fail "$wheel has $size bytes"
[[ ${wheel##*/} == foldwise-*-py3-none-*linux*.whl ]] || fail "$wheel is not for every Python 3"

# An environment with the packages of $python, and the wheel.
quietly "$python" -m venv --without-pip environment
site=$(environment/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
"$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' > "$site/others.pth"
quietly "$python" -m pip --python environment/bin/python install --no-index --no-deps --ignore-installed "$wheel"

# LLVM is out of sight: its folder is an empty one, where this can be done.
run=()
llvm=$(ls -d /usr/lib/llvm-* 2> /dev/null | head -n 1 || true)
if [[ -n $llvm ]] && unshare --mount --map-root-user true 2> /dev/null; then
  mkdir empty
  cat > hidden <<'TEXT'
#!/bin/sh
for folder in /usr/lib/llvm-*; do mount --bind "$EMPTY" "$folder" || exit 99; done
exec "$@"
TEXT
  chmod +x hidden
  run=(env EMPTY="$WORK/empty" unshare --mount --map-root-user "$WORK/hidden")
elif [[ -n $llvm ]]; then
  echo "no namespaces of mounts here: $llvm is in sight"
fi
! ldd "$site/foldwise/bin/foldwise" | grep -qv "linux-vdso\|ld-linux\|libc\.so\|libm\.so\|libdl\|librt\|libpthread" ||
  fail "the generator needs more than the C library: $(ldd "$site/foldwise/bin/foldwise")"

export PATH=$WORK/environment/bin:${python%/*}:/usr/bin:/bin FOLDWISE_EXECUTOR=cpu FOLDWISE_CACHE_DIR=$WORK/cache
version=$(foldwise --version)
[[ $version == "foldwise $(python -m foldwise --version)" ]] || fail "two versions"
expect "$site/foldwise/lib/cmake/Foldwise" python -m foldwise --cmake-dir
"${run[@]}" foldwise --explain='*' "$SOURCE/tests/golden/basic/basic.kernels.cpp" > log.txt 2>&1 || { cat log.txt; fail "explain"; }

# A project of C++, told where the package is.
quietly "${run[@]}" cmake -S "$SOURCE/examples/quickstart" -B quickstart -G Ninja \
  -DFoldwise_DIR="$(python -m foldwise --cmake-dir)"
quietly "${run[@]}" cmake --build quickstart
quietly quickstart/quickstart

# A project of scikit-build-core's, which is told nothing, and what it builds runs without all this.
cp -r "$SOURCE/examples/python" project
rm -rf project/build
quietly "${run[@]}" python -m pip wheel ./project --no-index --no-build-isolation --no-deps -w wheels
weather=$(echo wheels/weather-0.1.0-cp312-abi3-*.whl)
size=$(stat -c %s "$weather")
((size <= 2000000)) || fail "$weather has $size bytes"
echo "$weather has $size bytes"
quietly "$python" -m venv --without-pip used
"$python" -c 'import os, numpy; print(os.path.dirname(os.path.dirname(numpy.__file__)))' > "$(echo used/lib/python*/site-packages)/others.pth"
quietly "$python" -m pip --python used/bin/python install --no-index --no-deps "$weather"
PATH=$WORK/used/bin quietly used/bin/python -m unittest discover project/tests

CUDACXX='' quietly "${run[@]}" python "$SOURCE/tests/package/python/test_inline.py" "$WORK"
# What Python modules have in common is not compiled again: it is in the wheel, for the limited API.
[[ -z $(find cache/build -name 'arguments.cpp.o') ]] || fail "the archive of the wheel is not used"
