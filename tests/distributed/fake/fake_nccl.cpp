// tests/distributed/fake/fake_nccl.cpp: rings of bytes between all pairs of ranks, in shared memory.
#include "fake_nccl.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

namespace {

constexpr int most_ranks = 8;

/// Bytes on their way from one rank to another.
struct ring {
    static constexpr std::size_t capacity = 1 << 16;
    std::atomic<std::size_t> written, read;
    std::byte bytes[capacity];

    std::size_t put(const std::byte* from, std::size_t count) {
        const std::size_t at = written, part = std::min({count, capacity - (at - read), capacity - at % capacity});
        std::memcpy(bytes + at % capacity, from, part);
        written = at + part;
        return part;
    }
    std::size_t take(std::byte* to, std::size_t count) {
        const std::size_t at = read, part = std::min({count, written - at, capacity - at % capacity});
        std::memcpy(to, bytes + at % capacity, part);
        read = at + part;
        return part;
    }
};

/// What the ranks of a communicator share. Fresh shared memory is zero.
struct segment {
    std::atomic<int> attached;
    std::atomic<int> processes[most_ranks];
    ring rings[most_ranks][most_ranks];
};

/// Shared memory that not all ranks have come to is removed at the end.
struct names {
    std::vector<std::string> all;
    ~names() {
        for (const std::string& name : all) shm_unlink(name.c_str());
    }
};

std::mutex mutex;
names made;
int version = 0;
std::map<std::string, ncclResult_t> failures;
std::vector<std::string> called;
std::atomic<int> reported = ncclSuccess;
std::atomic<bool> dies = false;

struct transfer {
    int peer;
    std::byte* data;
    std::size_t bytes;
    bool is_sent;
};

/// Notes a call, and returns how it fails.
ncclResult_t enter(const char* function) {
    const std::lock_guard lock(mutex);
    called.emplace_back(function);
    const auto found = failures.find(function);
    if (found == failures.end()) return ncclSuccess;
    const ncclResult_t result = found->second;
    failures.erase(found);
    return result;
}

}  // namespace

struct ncclComm {
    int rank, size, device;
    segment* shared;
    bool is_blocking;
    std::atomic<bool> is_aborted = false, has_lost = false;
    std::atomic<int> busy = 0;
};

namespace {

struct group {
    ncclComm* communicator = nullptr;
    CUstream_st* stream = nullptr;
    std::vector<transfer> transfers;
    int depth = 0;
};
thread_local group open_group;

bool is_alive(int process) { return kill(process, 0) == 0 || errno != ESRCH; }

/// Moves what can be moved. Transfers between two ranks are in order.
bool advance(ncclComm& own, std::vector<transfer>& transfers) {
    bool sent_to[most_ranks] = {}, received_from[most_ranks] = {}, is_over = true;
    for (transfer& one : transfers) {
        bool& is_taken = (one.is_sent ? sent_to : received_from)[one.peer];
        if (one.bytes == 0 || is_taken) {
            is_over = is_over && one.bytes == 0;
            continue;
        }
        ring& way = one.is_sent ? own.shared->rings[own.rank][one.peer] : own.shared->rings[one.peer][own.rank];
        const std::size_t part = one.is_sent ? way.put(one.data, one.bytes) : way.take(one.data, one.bytes);
        one.data += part;
        one.bytes -= part;
        is_taken = true;
        is_over = is_over && one.bytes == 0;
    }
    return is_over;
}

void run(ncclComm& own, std::vector<transfer> transfers) {
    if (dies) _exit(9);
    for (int turn = 1; !own.is_aborted && !advance(own, transfers); ++turn) {
        if (turn % 1000 == 0)
            for (int rank = 0; rank < own.size; ++rank)
                if (!is_alive(own.shared->processes[rank])) own.has_lost = true;
        std::this_thread::yield();
    }
}

ncclResult_t end_group() {
    group ended = std::move(open_group);
    open_group = {};
    if (!ended.communicator) return ncclSuccess;
    ncclComm& own = *ended.communicator;
    ++own.busy;
    fake_gpu::current().launch(
        [&own, transfers = std::move(ended.transfers)] {
            run(own, transfers);
            --own.busy;
        },
        ended.stream);
    return own.is_blocking ? ncclSuccess : ncclInProgress;
}

/// Adds transfers to the group, or runs them as one of their own.
ncclResult_t add(const char* function, ncclComm* communicator, CUstream_st* stream, std::vector<transfer> transfers) {
    if (const ncclResult_t failure = enter(function)) return failure;
    int current = -1;
    fake_gpu::current().current_device(current);
    if (current != communicator->device) return ncclInvalidUsage;
    for (const transfer& one : transfers) {
        int device = -1;
        fake_gpu::current().device_of_memory(one.data, false, device);
        if (one.bytes > 0 && device != communicator->device) return ncclInvalidArgument;
    }
    if (open_group.communicator && (open_group.communicator != communicator || open_group.stream != stream))
        return ncclInvalidUsage;
    open_group.communicator = communicator;
    open_group.stream = stream;
    open_group.transfers.insert(open_group.transfers.end(), transfers.begin(), transfers.end());
    return open_group.depth > 0 ? ncclSuccess : end_group();
}

std::byte* bytes_of(const void* memory) { return static_cast<std::byte*>(const_cast<void*>(memory)); }

/// To all other ranks, and to this one, which is a ring like the others.
void send_to_all(const ncclComm& own, const void* data, std::size_t bytes, std::vector<transfer>& transfers) {
    for (int rank = 0; rank < own.size; ++rank) transfers.push_back({rank, bytes_of(data), bytes, true});
}

ncclResult_t join(ncclComm_t* communicator, int size, const ncclUniqueId& id, int rank, bool is_blocking) {
    if (size > most_ranks || rank < 0 || rank >= size) return ncclInvalidArgument;
    const int file = shm_open(id.internal, O_RDWR, 0600);
    if (file < 0) return ncclSystemError;
    void* const memory = mmap(nullptr, sizeof(segment), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED) return ncclSystemError;
    int device = 0;
    fake_gpu::current().current_device(device);
    *communicator = new ncclComm{rank, size, device, static_cast<segment*>(memory), is_blocking, {}, {}, {}};
    segment& shared = *(*communicator)->shared;
    shared.processes[rank] = getpid();
    if (++shared.attached == size) shm_unlink(id.internal);
    if (!is_blocking) return ncclInProgress;
    while (shared.attached < size) std::this_thread::yield();
    return ncclSuccess;
}

/// Transfers that are queued refer to the communicator.
void dispose(ncclComm* communicator) {
    while (communicator->busy > 0) std::this_thread::yield();
    munmap(communicator->shared, sizeof(segment));
    delete communicator;
}

}  // namespace

namespace fake_nccl {

void set_version(int told) { version = told; }
void fail_next(const std::string& function, ncclResult_t result) {
    const std::lock_guard lock(mutex);
    failures[function] = result;
}
void report(ncclResult_t error) { reported = error; }
void die_in_next_transfer() { dies = true; }
std::vector<std::string> calls() {
    const std::lock_guard lock(mutex);
    return std::exchange(called, {});
}

}  // namespace fake_nccl

ncclResult_t ncclGetVersion(int* told) {
    *told = version > 0 ? version : NCCL_VERSION_CODE;
    return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result) {
    switch (result) {
    case ncclSuccess:
        return "no error";
    case ncclInvalidArgument:
        return "invalid argument";
    case ncclInvalidUsage:
        return "invalid usage";
    case ncclRemoteError:
        return "remote process exited or there was a network error";
    case ncclSystemError:
        return "unhandled system error";
    default:
        return "another error";
    }
}

const char* ncclGetLastError(ncclComm_t) { return "fake"; }

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
    if (const ncclResult_t failure = enter("ncclGetUniqueId")) return failure;
    static std::atomic<int> count = 0;
    std::snprintf(id->internal, sizeof id->internal, "/foldwise_fake_nccl_%d_%d", getpid(), ++count);
    const int file = shm_open(id->internal, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file < 0 || ftruncate(file, sizeof(segment)) != 0) return ncclSystemError;
    close(file);
    const std::lock_guard lock(mutex);
    made.all.emplace_back(id->internal);
    return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* communicator, int size, ncclUniqueId id, int rank) {
    if (const ncclResult_t failure = enter("ncclCommInitRank")) return failure;
    return join(communicator, size, id, rank, true);
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* communicator, int size, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
    if (const ncclResult_t failure = enter("ncclCommInitRankConfig")) return failure;
    return join(communicator, size, id, rank, config->blocking != 0);
}

ncclResult_t ncclCommFinalize(ncclComm_t) { return enter("ncclCommFinalize"); }
ncclResult_t ncclCommDestroy(ncclComm_t communicator) {
    const ncclResult_t failure = enter("ncclCommDestroy");
    dispose(communicator);
    return failure;
}
ncclResult_t ncclCommAbort(ncclComm_t communicator) {
    const ncclResult_t failure = enter("ncclCommAbort");
    communicator->is_aborted = true;
    dispose(communicator);
    return failure;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t communicator, ncclResult_t* error) {
    *error = communicator->has_lost ? ncclRemoteError : static_cast<ncclResult_t>(reported.load());
    if (*error == ncclSuccess && communicator->shared->attached < communicator->size) *error = ncclInProgress;
    return ncclSuccess;
}
ncclResult_t ncclCommCount(ncclComm_t communicator, int* count) {
    *count = communicator->size;
    return ncclSuccess;
}
ncclResult_t ncclCommCuDevice(ncclComm_t communicator, int* device) {
    *device = communicator->device;
    return ncclSuccess;
}
ncclResult_t ncclCommUserRank(ncclComm_t communicator, int* rank) {
    *rank = communicator->rank;
    return ncclSuccess;
}

ncclResult_t ncclGroupStart() {
    if (const ncclResult_t failure = enter("ncclGroupStart")) return failure;
    ++open_group.depth;
    return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
    if (const ncclResult_t failure = enter("ncclGroupEnd")) return failure;
    if (open_group.depth == 0) return ncclInvalidUsage;
    return --open_group.depth > 0 ? ncclSuccess : end_group();
}

ncclResult_t ncclSend(const void* data, size_t bytes, ncclDataType_t, int peer, ncclComm_t communicator,
                      cudaStream_t stream) {
    return add("ncclSend", communicator, stream, {{peer, bytes_of(data), bytes, true}});
}
ncclResult_t ncclRecv(void* data, size_t bytes, ncclDataType_t, int peer, ncclComm_t communicator,
                      cudaStream_t stream) {
    return add("ncclRecv", communicator, stream, {{peer, bytes_of(data), bytes, false}});
}

ncclResult_t ncclAllGather(const void* mine, void* all, size_t bytes, ncclDataType_t, ncclComm_t communicator,
                           cudaStream_t stream) {
    std::vector<transfer> transfers;
    send_to_all(*communicator, mine, bytes, transfers);
    for (int rank = 0; rank < communicator->size; ++rank)
        transfers.push_back({rank, bytes_of(all) + static_cast<std::size_t>(rank) * bytes, bytes, false});
    return add("ncclAllGather", communicator, stream, transfers);
}
ncclResult_t ncclBroadcast(const void* from, void* to, size_t bytes, ncclDataType_t, int root, ncclComm_t communicator,
                           cudaStream_t stream) {
    std::vector<transfer> transfers;
    if (communicator->rank == root) send_to_all(*communicator, from, bytes, transfers);
    transfers.push_back({root, bytes_of(to), bytes, false});
    return add("ncclBroadcast", communicator, stream, transfers);
}
