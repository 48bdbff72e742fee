// tests/distributed/fake/fake_nccl.hpp: NCCL's functions over memory that processes, or threads, share. What they do is
// queued on streams of the fake_gpu and waits for the other ranks there, as NCCL's kernels do; it ends only if they
// come or the communicator is aborted.
#pragma once

#include "fake_gpu.hpp"

#include <nccl.h>

#include <string>
#include <vector>

namespace fake_nccl {

/// Makes ncclGetVersion() tell this; 0: the header's.
void set_version(int version);
/// Makes the next call of a function in this process fail.
void fail_next(const std::string& function, ncclResult_t result);
/// Makes ncclCommGetAsyncError() report an error for the communicators of this process.
void report(ncclResult_t error);
/// Makes the process, of which other processes may see nothing more, end without a word within a transfer.
void die_in_next_transfer();

/// Returns the names of the functions that have been called in this process since the last call of this.
std::vector<std::string> calls();

}  // namespace fake_nccl
