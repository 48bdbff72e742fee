// foldwise/detail/nccl_over_mpi.hpp: for programs that include both foldwise/mpi.hpp and foldwise/nccl.hpp.
#pragma once

#include <foldwise/mpi.hpp>
#include <foldwise/nccl.hpp>

namespace foldwise {

/// Makes a group of the processes of one of MPI's communicators, which all call this: NCCL carries what is in the
/// memory of GPUs, and MPI what is in the host's, as nccl(mpi(processes)) does.
inline communicator nccl(MPI_Comm processes) { return nccl(mpi(processes)); }

}  // namespace foldwise
