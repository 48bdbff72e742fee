// tests/distributed/groups.hpp: the groups that tests run in: PROGRAM [mpi | threads N | gpus N] [option...].
#pragma once

#include "check.hpp"

#include <foldwise/communicator.hpp>
#include <foldwise/mpi.hpp>
#include <mpi.h>

#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

/// Makes a group of the kind that the arguments name.
class group_maker {
  public:
    group_maker(int& argc, char**& argv) {
        const std::string_view name = argc > 1 ? argv[1] : "";
        if (name == "threads" || name == "gpus") {
            kind_ = name == "gpus" ? kind::gpus : kind::threads;
            ranks_ = argc > 2 ? std::atoi(argv[2]) : 1;
            options_ = std::span(argv, static_cast<std::size_t>(argc)).subspan(3);
            return;
        }
        MPI_Init(&argc, &argv);
        options_ = std::span(argv, static_cast<std::size_t>(argc)).subspan(argc > 1 ? 2 : 1);
    }
    group_maker(const group_maker&) = delete;
    ~group_maker() {
        if (kind_ == kind::mpi) MPI_Finalize();
    }

    bool is_mpi() const { return kind_ == kind::mpi; }
    std::span<char*> options() const { return options_; }

    /// A group of processes, which all call this, or of threads; the GPUs of the machine serve `gpus N` in turn.
    foldwise::communicator make() const {
        if (kind_ == kind::mpi) return foldwise::mpi(MPI_COMM_WORLD);
        if (kind_ == kind::threads) return foldwise::threads(ranks_);
        std::vector<int> devices;
        for (int rank = 0; rank < ranks_; ++rank) devices.push_back(rank % std::max(1, foldwise::gpu_count()));
        return foldwise::gpus(devices);
    }

  private:
    enum class kind { mpi, threads, gpus } kind_ = kind::mpi;
    int ranks_ = 0;
    std::span<char*> options_;
};
