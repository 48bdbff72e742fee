// foldwise/nccl.hpp: groups of processes with a GPU each, between which NCCL carries messages. Part of the package's
// component nccl.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/communicator.hpp>

#include <chrono>

struct CUstream_st;  // cudaStream_t is CUstream_st*
struct ncclComm;     // ncclComm_t is ncclComm*

namespace foldwise {

/// Makes a group of the processes of an NCCL communicator, which all call this. `device` is CUDA's number of the
/// communicator's GPU, and `stream`, one of its streams, orders what NCCL does. Neither is owned; both are of use until
/// the last copy of the group is gone, and nothing else calls the communicator until then. Values of the host are
/// copied through the GPU's memory.
///
/// A process that waits longer than `limit` for another one, or learns from NCCL that another one is lost, aborts the
/// communicator and throws communication_error, as do all later calls. It is then destroyed already. Throws
/// communication_error, too, if the NCCL that the program has loaded is too old, and device_error.
communicator nccl(ncclComm* processes, int device, CUstream_st* stream,
                  std::chrono::milliseconds limit = std::chrono::minutes(10));

/// Makes a group of the same processes, which all call this, in which NCCL carries what is sent from one GPU's memory
/// to another's; what is in the host's memory goes the way it does in `processes`. Each process uses one GPU: the first
/// process of a machine the first one, and so on; it becomes the calling thread's current one, so that arrays and calls
/// that name no GPU are on it, too. Throws the same in all processes: device_error if there is no GPU, or none for each
/// process of a machine, and communication_error.
communicator nccl(const communicator& processes);

}  // namespace foldwise

#define FOLDWISE_NCCL_INCLUDED
#ifdef FOLDWISE_MPI_INCLUDED
#include <foldwise/detail/nccl_over_mpi.hpp>
#endif

#endif  // C++20
