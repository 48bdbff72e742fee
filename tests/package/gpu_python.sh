#!/usr/bin/env bash
# What ./dev gpu python gathers for a machine with a GPU: modules that Python finds there, and a script that tests them.
# Here it runs what needs no GPU. usage: gpu_python.sh PYTHON
source "$(dirname "$0")/common.sh"
[[ -n $CUDACXX ]] || exit 77
python=$1

take_python_library
quietly cmake "${compiled[@]}" -S "$SOURCE/tests/gpu/python" -B build -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DFoldwise_DIR="$BUILD" -DCMAKE_CXX_COMPILER="$CXX" -DPython_EXECUTABLE="$python" -DCMAKE_CXX_FLAGS_RELEASE="-O0 -DNDEBUG"
quietly cmake --build build
quietly cmake --install build --prefix gathered --strip
mv build not-here  # nothing may be found there

# Where other work runs, threads that wait in loops for each other take minutes for a million calls.
export FOLDWISE_EXECUTOR=cpu OMP_WAIT_POLICY=passive
[[ -e gathered/libgomp.so.1 ]] || fail "no OpenMP runtime has been gathered"
expect "True True True" env -C gathered "$python" -c 'import measure
print(*(measure.from_cpp(kind, 10) > 0 for kind in ("out", "new", "host")))'
tests=(acceptance_of_numpy leaks_of_numpy)
output=$("$python" gathered/run.py "${tests[@]}") || fail "$output"
[[ $output == *"2 passed, 0 failed, 0 skipped" ]] || fail "$output"

# A test that crashes, hangs or fails is told, and ends no other.
cat > gathered/check_leaks.py <<'TEXT'
import os
import signal
import time


def test_killed():
    os.kill(os.getpid(), signal.SIGSEGV)


def test_hanging():
    time.sleep(1000)


def test_wrong():
    assert 1 == 2, "one is not two"


def test_right():
    pass
TEXT
sed -i 's/^LIMITS = {/&"hanging": 4, /' gathered/run.py
output=$("$python" gathered/run.py killed hanging wrong right) && fail "failed tests are not told: $output"
for text in "ended by SIGSEGV" "not done in 4 s" "one is not two" "right" "1 passed, 3 failed, 0 skipped"; do
  [[ $output == *"$text"* ]] || fail "no '$text' in: $output"
done
