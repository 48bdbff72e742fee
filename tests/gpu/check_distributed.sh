#!/usr/bin/env bash
# check_distributed.sh [CASES [SEED]]: random calls with arrays over all numbers of this machine's GPUs, and over more
# ranks than there are; in one process, with a process for each GPU and MPI beside NCCL, and with NCCL alone. Needs
# mpirun and NCCL's library. Exits with 1 if a call gives another result than on the CPU.
set -uo pipefail
cd "$(dirname "$0")" || exit
cases=${1:-100} seed=${2:-1}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
gpus=$(nvidia-smi -L | wc -l)
failed=0

check() { # check NAME COMMAND...
  local name=$1
  shift
  printf '%s: ' "$name"
  timeout 300 "$@" 2>&1 | tail -n 4
  ((PIPESTATUS[0] == 0)) || failed=1
}

check gpu_distributed ./gpu_distributed
for ((ranks = 1; ranks <= gpus + 1; ++ranks)); do
  check "$ranks ranks in one process" ./gpu_distributed_cases gpus $ranks "$cases" "$seed"
done
for ((ranks = 1; ranks <= gpus; ++ranks)); do
  check "$ranks processes, MPI and NCCL" mpirun -np $ranks ./gpu_distributed_cases nccl "$cases" "$seed"
  check "$ranks processes, NCCL" mpirun -np $ranks ./gpu_distributed_cases nccl-alone "$cases" "$seed"
done
exit $failed
