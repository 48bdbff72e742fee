#!/usr/bin/env bash
# Clang's headers stay in one folder; what is generated depends on the spec alone, not on where it lies; and the scripts
# that ./dev runs can be run.
source "$(dirname "$0")/common.sh"

! grep -rnE '^\s*#\s*include\s*[<"]clang/' "$SOURCE/generator" --exclude-dir=frontend ||
  fail "Clang's headers belong in generator/frontend/"

while read -r script; do
  [[ -x $SOURCE/$script ]] || fail "./dev runs $script, which is not executable"
done < <(grep -oE '^ *[a-z_/]+/[a-z_]+\.(py|sh|update)\b' "$SOURCE/dev")

# Every spec of the examples and of these tests, generated in two places.
for place in one some/where/else; do
  mkdir -p "$place/specs"
  cp -r "$SOURCE/examples" "$SOURCE/tests/package/consumer" "$place/specs"
  mapfile -t specs < <(cd "$place/specs" && find . -name '*.kernels.cpp' | sort)
  ((${#specs[@]} >= 4)) || fail "only ${#specs[@]} specs"
  (cd "$place" && quietly "$GENERATOR" --backend=cuda,cpu,simulator --out-dir="$PWD/out" --root="$PWD/specs" \
    "${specs[@]/#./specs}" -- -std=c++20 -I"$SOURCE/runtime/include" -I"$PWD/specs/consumer/include" \
    -DOFFSET=1 '-DQUOTED="a b"')
done
diff -r one/out some/where/else/out || fail "generated in another folder, other files came out"
[[ $(find one/out -type f | wc -l) == $((${#specs[@]} * 6)) ]] || fail "not six files for each spec"
for folder in "$WORK" "$SOURCE" "$BUILD" /usr/; do
  ! grep -rnF "$folder" one/out || fail "an absolute path in a generated file"
done
