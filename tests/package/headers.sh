#!/usr/bin/env bash
# Each public header compiles alone, without a warning, with GCC and with Clang; and before C++20 it and a generated header
# say what to set, and nothing else.
source "$(dirname "$0")/common.sh"

mpi=()
if command -v mpicxx > /dev/null; then
  for folder in $(mpicxx --showme:incdirs); do mpi+=(-isystem "$folder"); done
fi

# What docs/arrays.md says a header declares, each header alone has.
declare -A declared
while IFS='|' read -r _ header names _; do
  [[ $header =~ foldwise/[a-z0-9_]+\.hpp ]] || continue
  header=${BASH_REMATCH[0]}
  [[ -f $SOURCE/runtime/include/$header ]] || fail "docs/arrays.md names $header, which is not there"
  declared[$header]+=$(grep -oE '`[a-z0-9_]+`' <<< "${names%%\[*}" | tr -d '`' | sed 's/.*/using foldwise::&;/')$'\n'
done < <(sed -n '/^## Headers/,$p' "$SOURCE/docs/arrays.md" | grep '^| `<foldwise/')
((${#declared[@]} >= 10)) || fail "docs/arrays.md lists only ${#declared[@]} headers"

for compiler in g++ clang++-22; do
  command -v $compiler > /dev/null || { echo "[SKIP] there is no $compiler"; continue; }
  for header in "$SOURCE"/runtime/include/foldwise/*.hpp; do
    name=foldwise/$(basename "$header")
    ((${#mpi[@]})) || [[ $name != foldwise/mpi.hpp ]] || { echo "[SKIP] $name: there is no MPI"; continue; }
    printf '#include <%s>\n%s' "$name" "${declared[$name]-}" | quietly $compiler -std=c++20 -I"$SOURCE/runtime/include" \
      "${mpi[@]}" -x c++ -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Werror -
  done
done

cat > add.kernels.cpp <<'TEXT'
#include <foldwise/spec.hpp>
namespace sums {
struct pair { float a, b; };
auto add = foldwise::vectorize([](float x, pair y) { return x + y.a; });
auto sum = foldwise::reduce<float>([](float a, float b) { return a + b; }, foldwise::identity(0));
auto clear = foldwise::forall([](foldwise::index<1> i, foldwise::view<float, 1> x) { x[i] = 0; });
}
TEXT
quietly "$GENERATOR" --out-dir=. add.kernels.cpp -- -std=c++20 -I"$SOURCE/runtime/include"
mapfile -t headers < <(cd "$SOURCE/runtime/include" && ls foldwise/*.hpp)
((${#headers[@]} > 10)) || fail "only ${#headers[@]} public headers"

# old_standard TEXT COMPILER...: each header alone, and all of them together, give one error that says the text.
old_standard() {
  local text=$1 file header
  shift
  for header in "${headers[@]}" add.kernels.hpp ""; do
    file=old.cpp
    [[ $1 != *nvcc ]] || file=old.cu
    { [[ -n $header ]] && echo "#include <$header>" || printf '#include <%s>\n' "${headers[@]}" add.kernels.hpp
      echo 'int main() {}'; } > $file
    ! "$@" -I"$SOURCE/runtime/include" -I. $file > log.txt 2>&1 || fail "$* accepts $header"
    [[ $(grep -c 'error:' log.txt) == 1 ]] && (($(wc -l < log.txt) <= 10)) ||
      { cat log.txt >&2; fail "more than one error for '$header' with $*"; }
    grep -qF -- "Foldwise needs C++20" log.txt && grep -qF -- "$text" log.txt ||
      { cat log.txt >&2; fail "no '$text' for '$header' with $*"; }
  done
}
cxx='target_compile_features(<target> PRIVATE cxx_std_20)'
old_standard "$cxx" g++ -std=c++17 -fsyntax-only
old_standard "$cxx" g++ -std=gnu++11 -fsyntax-only
[[ -z $CLANG ]] || old_standard "$cxx" "$CLANG" -std=c++17 -fsyntax-only
if [[ -n $CUDACXX ]]; then
  headers=(foldwise/runtime.hpp)  # nvcc takes its time, and preprocesses with GCC
  old_standard 'Set CMAKE_CUDA_STANDARD' "$CUDACXX" -std=c++17 -c -o /dev/null
fi
