#!/usr/bin/env bash
# Injects failures of one rank in runs of 2 and 3: exceptions and memory that is at its end among MPI's processes and among
# threads, and processes that are killed. No call may hang for 30 s, and no result may be wrong.
# usage: inject_failures.sh PROGRAM COUNT KILLS MPIEXEC [FLAG...]   COUNT and KILLS for each number of ranks
set -uo pipefail
program=$1 count=$2 kills=$3
shift 3
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1 FOLDWISE_EXECUTOR=cpu
failed=0 killed=0 begin=$SECONDS
for ranks in 2 3; do
  printf 'MPI: ' && "$@" -n $ranks "$program" mpi "$count" 1 || failed=$((failed + 1))
  printf 'threads: ' && "$program" threads $ranks "$count" 1 || failed=$((failed + 1))
  for ((i = 1; i <= kills; ++i)); do
    started=$SECONDS
    output=$(timeout -k 5 30 "$@" -n $ranks "$program" mpi kill "$i" 2>&1)
    status=$?
    killed=$((killed + 1))
    # The launcher ends the other processes, and its status says so, as it does of a signal.
    if ((status == 0 || status == 124 || SECONDS - started >= 30)) || [[ $output == *"wrong result"* || $output == *"hangs"* ]]; then
      printf 'killed process, %d ranks, seed %d: status %d\n%s\n' $ranks "$i" $status "$output"
      failed=$((failed + 1))
    fi
  done
done
printf '%d killed processes; %d runs failed; %d s\n' $killed $failed $((SECONDS - begin))
((failed == 0))
