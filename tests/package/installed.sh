#!/usr/bin/env bash
# A consumer of an installed copy, and of the same copy after it has been moved.
source "$(dirname "$0")/common.sh"

use() {  # use PREFIX [KIND...]: also libraries of these kinds
  local prefix=$1 has_libraries=OFF
  shift
  (($# == 0)) || has_libraries=ON
  rm -rf build
  quietly cmake -S "$SOURCE/tests/package/consumer" -B build -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DBACKENDS="$backends" \
    -DLIBRARIES=$has_libraries -DFOLDWISE_GENERATOR_EXECUTABLE=
  quietly cmake --build build
  expect "0 3" build/barrier
  for executor in cpu simulator; do
    expect "7 10007 5" env FOLDWISE_EXECUTOR=$executor build/app
    for kind; do expect 6 env FOLDWISE_EXECUTOR=$executor build/$kind; done
  done
}

quietly cmake --install "$BUILD" --prefix "$WORK/here"
for tree in "$SOURCE" "$BUILD" "$WORK"; do
  ! grep -rFl "$tree" here/lib*/cmake || fail "the package names the folder $tree"
done
# The documentation, whose pages find each other.
pages=here/share/doc/foldwise
diff <(cd "$SOURCE/docs" && ls -- *.md) <(cd $pages && ls -- *.md) || fail "other pages are installed"

# Links lead to installed pages, and to headings that they have.
python3 - "$pages" <<'TEXT' || fail "installed pages have links that lead nowhere"
import pathlib, re, sys

folder = pathlib.Path(sys.argv[1])

def anchors(page):
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.S)
    headings = re.findall(r"^#+ (.*)$", text, re.M)
    plain = [re.sub(r"<[^>]*>|[`*]|\[|\]\([^)]*\)", "", heading).strip().lower() for heading in headings]
    slugs = {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in plain}
    return slugs | set(re.findall(r'<a id="([^"]+)"', text))

wrong = []
for page in sorted(folder.glob("*.md")):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        file = folder / name if name else page
        if not file.is_file():
            wrong.append(f"{page.name}: {target}: there is no such file")
        elif anchor and anchor not in anchors(file):
            wrong.append(f"{page.name}: {target}: there is no such heading")
print("\n".join(wrong))
sys.exit(bool(wrong))
TEXT
explains() {  # explains PREFIX: the tool finds the headers of its prefix
  quietly "$1/bin/foldwise" --explain='*' "$SOURCE/tests/golden/basic/basic.kernels.cpp"
}
# Messages lead there, wherever the copy is.
leads_to_pages() {  # leads_to_pages PREFIX
  "$1/bin/foldwise" --list-warnings | grep -qF " $1/share/doc/foldwise/diagnostics.md" || fail "--list-warnings: no page"
  "$1/bin/foldwise" --help | grep -qF " $1/share/doc/foldwise/diagnostics.md" || fail "--help: no page"
  printf '#include <foldwise/spec.hpp>\nauto f = foldwise::vectorize([](auto x) { return x; });\n' > generic.kernels.cpp
  ! "$1/bin/foldwise" --out-dir=. generic.kernels.cpp > log.txt 2>&1 || fail "a lambda without types is accepted"
  grep -qxF "FW002: see $1/share/doc/foldwise/diagnostics.md" log.txt || { cat log.txt >&2; fail "an error leads to no page"; }
  mkdir -p refused
  printf 'cmake_minimum_required(VERSION 3.25)\nproject(refused LANGUAGES CXX)\nfind_package(Foldwise CONFIG REQUIRED)\n%s\n' \
    'foldwise_add_kernels(SOURCES none.kernels.cpp)' > refused/CMakeLists.txt
  ! cmake -S refused -B refused/build -G Ninja -DCMAKE_PREFIX_PATH="$1" > log.txt 2>&1 || fail "no TARGET is accepted"
  tr -s ' \n' ' ' < log.txt | grep -qF "documentation: $1/share/doc/foldwise/cmake.md" ||
    { cat log.txt >&2; fail "CMake's error leads to no page"; }
  rm -rf refused
}
leads_to_pages "$WORK/here"
explains "$WORK/here"
use "$WORK/here" static shared object interface

mv here there
leads_to_pages "$WORK/there"
explains "$WORK/there"
use "$WORK/there"

# The first project of README.md, with the files and the commands that stand there.
mkdir -p home/app
ln -s "$WORK/there" home/foldwise
python3 - "$SOURCE/README.md" home/app <<'TEXT'
import pathlib, re, sys

text, folder = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])
_, heading, section = text.partition("\n## A first project\n")
section = section.partition("\n## ")[0]
blocks = re.findall(r"^```(?:cpp|cmake)\n((?://|#) ([\w.]+)[:\n].*?)^```$", text.partition("\n## ")[0] + section, re.M | re.S)
for code, name in blocks:
    (folder / name).write_text(code)
commands = re.search(r"^```sh\n\./dev install ~/foldwise\b[^\n]*\n(.*?)^```$", section, re.M | re.S)
(folder.parent / "commands").write_text(commands[1])
sys.exit({name for _, name in blocks} != {"stats.kernels.cpp", "CMakeLists.txt", "main.cpp"})
TEXT
HOME=$WORK/home bash -e home/commands > log.txt 2>&1 || { cat log.txt >&2; fail "the first project of README.md"; }
[[ $(tail -n 3 log.txt | tr '\n' ' ') == "-0.666667 0 0.4 " ]] || { cat log.txt >&2; fail "what the first project prints"; }

# Without Boost there is no simulator, which is told, and all else.
without_boost() {  # without_boost BACKENDS
  cmake -S "$SOURCE/tests/package/consumer" -B without-boost -G Ninja -DCMAKE_PREFIX_PATH="$WORK/there" \
    -DBACKENDS="$1" -DLIBRARIES=OFF -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON
}
! without_boost simulator > log.txt 2>&1 || fail "the simulator without Boost"
grep -q "the simulator backend needs Boost.Context" log.txt || fail "nothing is said of Boost"
rm -rf without-boost
quietly without_boost cpu
quietly cmake --build without-boost
expect "7 10007 5" without-boost/app

# Without CUDA's toolkit the rest of the package is found all the same.
quietly cmake -S "$SOURCE/tests/package/consumer" -B without-cuda -G Ninja -DCMAKE_PREFIX_PATH="$WORK/there" \
  -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON
