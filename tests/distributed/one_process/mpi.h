// tests/distributed/one_process/mpi.h: what tests/acceptance/distributed/main.cpp calls of MPI, where its ranks are
// threads of one process.
#pragma once

inline constexpr int MPI_COMM_WORLD = 0;

inline int MPI_Init(int*, char***) { return 0; }
inline int MPI_Finalize() { return 0; }
