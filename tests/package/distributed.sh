#!/usr/bin/env bash
# The program of tests/acceptance/distributed, a user's project with MPI, on 1, 2, 3 and 7 processes.
# usage: distributed.sh MPIEXEC [FLAG...]
source "$(dirname "$0")/common.sh"

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
quietly cmake -S "$SOURCE/tests/acceptance/distributed" -B build -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DFoldwise_DIR="$BUILD" -DCMAKE_CXX_COMPILER="$CXX" -DBACKENDS="$backends"
quietly cmake --build build
for processes in 1 2 3 7; do
  expected=$(for ((rank = 0; rank < processes; ++rank)); do echo "distributed $rank of $processes: 0 failed"; done)
  for executor in cpu simulator; do
    output=$(FOLDWISE_EXECUTOR=$executor "$@" -n "$processes" build/distributed | sort) || fail "$executor: $output"
    [[ $output == "$expected" ]] || fail "$executor on $processes processes printed '$output'"
  done
done

# Without the component, MPI is not looked for.
cat > CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.25)
project(without LANGUAGES CXX)
find_package(Foldwise CONFIG REQUIRED)
if(TARGET Foldwise::mpi OR TARGET MPI::MPI_CXX)
  message(FATAL_ERROR "nobody has asked for MPI")
endif()
END
quietly cmake -S . -B without -G Ninja -DFoldwise_DIR="$BUILD" -DCMAKE_CXX_COMPILER="$CXX"
