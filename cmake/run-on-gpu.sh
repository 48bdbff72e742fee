#!/usr/bin/env bash
# Runs, on a machine with a GPU, what `./dev gpu` has gathered beside this script: run.sh [tests|memcheck|initcheck|bench]...
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export LD_LIBRARY_PATH=$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export FOLDWISE_EXECUTOR=cuda
PATH=$PATH:/usr/local/cuda/bin
failed=()

# each WHAT FOLDER COMMAND...: runs every program of the folder behind the command
each() {
  local what=$1 folder=$2 program
  shift 2
  for program in "$here/$folder"/*; do
    [[ -x $program ]] || continue
    printf '\n== %s: %s\n' "$what" "${program##*/}"
    "$@" "$program" || failed+=("$what: ${program##*/}")
  done
}

sanitize() {
  if command -v compute-sanitizer > /dev/null; then
    # The tool's own allocations and calls are none of a program's that counts its own, and it takes a minute for what
    # takes a program a second. Under it a launch waits for the kernel, which then waits for a launch.
    local more=() filter='-*SteadyState*:Soak.*:*DoesNotHoldItUp'
    case $1 in
      # Calls that fail on purpose, such as an allocation beyond all memory, are the tests' own business.
      memcheck) more=(--report-api-errors no) ;;
      # The bytes between a struct's members have no value, and the tool's own memory is no part of what stays flat.
      initcheck) filter+=':Types.StructOf24BytesWithPadding:Types.NestedStructs:Memory.StaysFlatOverManyCalls' ;;
    esac
    GTEST_FILTER=$filter \
    each "$1" tests compute-sanitizer --tool "$1" --error-exitcode 99 --print-limit 5 "${more[@]}"
  else
    failed+=("$1: there is no compute-sanitizer on this machine")
  fi
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader || failed+=("there is no GPU here")
(($#)) || set -- tests memcheck initcheck bench
for what in "$@"; do
  case $what in
    tests) each tests tests ;;
    memcheck | initcheck | racecheck | synccheck) sanitize "$what" ;;
    bench) python3 "$here/bench/run_gpu.py" || failed+=("bench") ;;
    *) failed+=("unknown: $what; there are tests, memcheck, initcheck, racecheck, synccheck and bench") ;;
  esac
done

printf '\n'
if ((${#failed[@]})); then
  printf 'FAILED  %s\n' "${failed[@]}"
  exit 1
fi
printf 'all passed: %s\n' "$*"
