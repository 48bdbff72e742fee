// tests/distributed/groups.hpp: the groups that tests run in: PROGRAM [mpi | threads N | gpus N] [option...]; in
// programs that are built with FOLDWISE_TEST_NCCL also nccl and nccl-alone, with FOLDWISE_TEST_FAKE_NCCL over fakes of
// NCCL and of GPUs.
#pragma once

#include "check.hpp"

#include <foldwise/communicator.hpp>
#include <foldwise/mpi.hpp>
#include <mpi.h>
#ifdef FOLDWISE_TEST_FAKE_NCCL
#define FOLDWISE_TEST_NCCL
#include "fake/fake_nccl.hpp"
#include "fake_gpu.hpp"
#elif defined(FOLDWISE_TEST_NCCL)
#include <cuda_runtime_api.h>
#include <nccl.h>
#endif
#ifdef FOLDWISE_TEST_NCCL
#include <foldwise/nccl.hpp>
#endif

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

/// Makes a group of the kind that the arguments name.
class group_maker {
  public:
    group_maker(int& argc, char**& argv) {
#ifdef FOLDWISE_TEST_FAKE_NCCL
        fake_.devices = 8;
        fake_.run_streams_in_threads();
#endif
        const std::string_view name = argc > 1 ? argv[1] : "";
        if (name == "threads" || name == "gpus") {
            kind_ = name == "gpus" ? kind::gpus : kind::threads;
            ranks_ = argc > 2 ? std::atoi(argv[2]) : 1;
            options_ = std::span(argv, static_cast<std::size_t>(argc)).subspan(3);
            return;
        }
        MPI_Init(&argc, &argv);
        if (name == "nccl") kind_ = kind::nccl;
        if (name == "nccl-alone") kind_ = kind::nccl_alone;
        options_ = std::span(argv, static_cast<std::size_t>(argc)).subspan(argc > 1 ? 2 : 1);
    }
    group_maker(const group_maker&) = delete;
    ~group_maker() {
        if (is_mpi()) MPI_Finalize();
    }

    bool is_mpi() const { return kind_ != kind::threads && kind_ != kind::gpus; }
    std::span<char*> options() const { return options_; }

    /// A group of processes, which all call this, or of threads; the GPUs of the machine serve `gpus N` in turn.
    foldwise::communicator make() const {
        if (kind_ == kind::mpi) return foldwise::mpi(MPI_COMM_WORLD);
        if (kind_ == kind::threads) return foldwise::threads(ranks_);
#ifdef FOLDWISE_TEST_NCCL
        if (kind_ == kind::nccl) return foldwise::nccl(MPI_COMM_WORLD);
        if (kind_ == kind::nccl_alone) return make_alone();
#endif
        std::vector<int> devices;
        for (int rank = 0; rank < ranks_; ++rank) devices.push_back(rank % std::max(1, foldwise::gpu_count()));
        return foldwise::gpus(devices);
    }

  private:
    enum class kind { mpi, threads, gpus, nccl, nccl_alone } kind_ = kind::mpi;
#ifdef FOLDWISE_TEST_NCCL
    /// A group that has NCCL alone. The communicator of NCCL's is not destroyed: the group may use it until the end.
    foldwise::communicator make_alone() const {
        const foldwise::communicator outside = foldwise::mpi(MPI_COMM_WORLD);
        const int rank = outside.rank();
        ncclUniqueId id{};
        if (rank == 0) CHECK(ncclGetUniqueId(&id) == ncclSuccess);
        set_device(rank);
        ncclComm_t made = nullptr;
        CHECK(ncclCommInitRank(&made, outside.size(), outside.broadcast(id), rank) == ncclSuccess);
        return foldwise::nccl(made, rank, nullptr);
    }
#endif
#ifdef FOLDWISE_TEST_FAKE_NCCL
    void set_device(int number) const { fake_.set_device(number); }

    fake_gpu fake_;
#elif defined(FOLDWISE_TEST_NCCL)
    static void set_device(int number) { CHECK(cudaSetDevice(number) == cudaSuccess); }
#endif
    int ranks_ = 0;
    std::span<char*> options_;
};
