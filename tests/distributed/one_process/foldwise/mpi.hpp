// tests/distributed/one_process/foldwise/mpi.hpp: the communicator of the calling thread, for
// tests/acceptance/distributed/main.cpp, which asks for that of MPI.
#pragma once

#include <foldwise/communicator.hpp>

namespace foldwise {

inline thread_local const communicator* rank_of_this_thread = nullptr;

inline const communicator& mpi(int) { return *rank_of_this_thread; }

}  // namespace foldwise
