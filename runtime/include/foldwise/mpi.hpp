// foldwise/mpi.hpp: groups of processes that MPI has started. Part of the package's component mpi.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/communicator.hpp>

#include <mpi.h>

namespace foldwise {

/// Makes a group of the processes of `processes`, which all call this. The communicator is duplicated, so that messages
/// of the program's own do not meet Foldwise's; it is not owned. MPI is initialised before, and finalised after the
/// last copy of the group is gone. Throws communication_error.
communicator mpi(MPI_Comm processes);

}  // namespace foldwise

#define FOLDWISE_MPI_INCLUDED
#ifdef FOLDWISE_NCCL_INCLUDED
#include <foldwise/detail/nccl_over_mpi.hpp>
#endif

#endif  // C++20
