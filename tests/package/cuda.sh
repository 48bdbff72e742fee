#!/usr/bin/env bash
# A project that has CUDA files of its own gets kernels: its standards, options and compiler launcher stay as they are, and
# what its configurations, properties and variables say to nvcc holds for the kernels.
source "$(dirname "$0")/common.sh"
[[ -n $CUDACXX ]] || exit 0
export CUDAFLAGS=-Xcicc=-O0 CUDAARCHS=$real_architecture  # device code is linked

configure() {  # configure BUILD [option...]
  quietly cmake -S "$SOURCE/tests/package/cuda" -B "$1" -G "${generator:-Ninja}" -DFoldwise_DIR="$BUILD" "${@:2}"
}
command_of() {  # command_of BUILD OBJECT [option...]: what compiles an object
  ninja -C "$1" "${@:3}" -t commands app | grep -- "-o [^ ]*$2\$"
}
has() { [[ " $(command_of "${@:2}") " == *" $1 "* ]] || fail "no $1 in $(command_of "${@:2}")"; }
has_not() { [[ " $(command_of "${@:2}") " != *" $1 "* ]] || fail "$1 in $(command_of "${@:2}")"; }
kernels=stats.kernels.cu.o

# One build, with all that a project may have: separable compilation, architectures, a launcher, fast math.
launcher=()
export CCACHE_DIR=$WORK/cache
[[ -z $(command -v ccache) ]] || launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache)
configure build "${launcher[@]}" -DCMAKE_CUDA_SEPARABLE_COMPILATION=ON -DVALUE=1 -DKEYWORDS="CUDA_OPTIONS;--maxrregcount=96"
quietly cmake --build build
FOLDWISE_EXECUTOR=cpu expect 7 build/app
FOLDWISE_EXECUTOR=cpu expect "" build/user
for object in $kernels own.cu.o; do
  has -std=c++20 build $object
  has -rdc=true build $object
  has "--generate-code=arch=compute_$CUDAARCHS,code=[compute_$CUDAARCHS,sm_$CUDAARCHS]" build $object
done
has --use_fast_math build own.cu.o
has_not --use_fast_math build $kernels  # an option of the target's own CUDA files; the kernels have keywords
has --maxrregcount=96 build $kernels
has_not --maxrregcount=96 build own.cu.o

# A program's own CUDA files include generated headers without a warning, with no option but that for C++20.
cat > warned.cu <<'TEXT'
#include "stats.kernels.hpp"
__global__ void round(float x, foldwise::half* h, foldwise::bfloat16* b) { *h = foldwise::half(x), *b = foldwise::bfloat16(x); }
TEXT
quietly "$CUDACXX" -std=c++20 -arch="sm_$CUDAARCHS" -Werror=all-warnings -I"$SOURCE/runtime/include" -Ibuild/app_kernels \
  -fdevice-syntax-only -c warned.cu -o warned.o

# What is compiled again comes from the cache, unless something has changed: also what nvcc reads in a file of options.
if ((${#launcher[@]})); then
  [[ $(command_of build $kernels) == *ccache* ]] || fail "the kernels are compiled without a launcher"
  again() {  # again COUNTER: compiles the kernels again, which counts there
    ccache --zero-stats > /dev/null
    rm -f build/CMakeFiles/app_kernels.dir/app_kernels/$kernels
    quietly ninja -C build CMakeFiles/app_kernels.dir/app_kernels/$kernels
    [[ $(ccache --print-stats | sed -n "s/^$1\t//p") == 1 ]] || { ccache --print-stats >&2; fail "no $1"; }
  }
  again direct_cache_hit
  configure build -DVALUE=2
  again direct_cache_miss
fi

# The same with sccache, which knows nvcc's files of options since version 0.6.
if [[ $(sccache --version 2> /dev/null || true) =~ ^sccache\ ([0-9]+)\.([0-9]+) ]] &&
    ((BASH_REMATCH[1] > 0 || BASH_REMATCH[2] >= 6)); then
  export SCCACHE_DIR=$WORK/sccache SCCACHE_SERVER_PORT=$((20000 + RANDOM % 20000)) SCCACHE_IDLE_TIMEOUT=600
  quietly sccache --start-server
  trap 'sccache --stop-server > /dev/null' EXIT
  compiled() {  # compiled KEYWORDS HITS MISSES: compiles the kernels anew, after which there were so many of both
    configure sccached -DCMAKE_CUDA_COMPILER_LAUNCHER=sccache -DKEYWORDS="$1"
    rm -f sccached/CMakeFiles/app_kernels.dir/app_kernels/$kernels
    quietly ninja -C sccached CMakeFiles/app_kernels.dir/app_kernels/$kernels
    sccache --show-stats --stats-format json > stats.json
    expect "$2 $3" python3 -c "import json
stats = json.load(open('stats.json'))['stats']
print(*(stats[name]['counts'].get('CUDA', 0) for name in ('cache_hits', 'cache_misses')))"
  }
  compiled "" 0 1
  compiled "" 1 1
  compiled "CUDA_OPTIONS;--maxrregcount=96" 1 2
else
  echo "[SKIP] there is no sccache 0.6 or later"
fi

# Line information is for configurations with debug information, unless somebody says otherwise.
generator="Ninja Multi-Config" configure several
for configuration in Debug RelWithDebInfo; do has -lineinfo several $kernels -f build-$configuration.ninja; done
has_not -lineinfo several $kernels -f build-Release.ninja
generator="Ninja Multi-Config" configure several -DFOLDWISE_LINE_INFO=ON
has -lineinfo several $kernels -f build-Release.ninja
generator="Ninja Multi-Config" configure several -DFOLDWISE_LINE_INFO=OFF
has_not -lineinfo several $kernels -f build-Debug.ninja
generator="Ninja Multi-Config" configure several -DKEYWORDS="LINE_INFO;ON" -DCMAKE_CUDA_FLAGS_DEBUG="-g -G"
has -lineinfo several $kernels -f build-Release.ninja
has_not -lineinfo several $kernels -f build-Debug.ninja  # -G writes it, too
generator="Ninja Multi-Config" configure several -DKEYWORDS=DEBUG
has -G several $kernels -f build-Debug.ninja
has_not -lineinfo several $kernels -f build-Debug.ninja
