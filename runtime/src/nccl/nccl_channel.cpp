// runtime/src/nccl/nccl_channel.cpp: waits for NCCL's work, for its errors, and no longer than it should.
#include "nccl_channel.hpp"

#include <foldwise/communicator.hpp>
#include <foldwise/error.hpp>

#include <exception>
#include <thread>

namespace foldwise::detail {

namespace {

constexpr int oldest = NCCL_VERSION(2, 18, 0);
constexpr const char* context = "a group of processes with GPUs";

std::string version_text(int code) {
    const int major = code / 10000, minor = code / 100 % 100, patch = code % 100;
    return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
}

}  // namespace

void require_nccl() {
    int loaded = 0;
    const ncclResult_t result = ncclGetVersion(&loaded);
    if (result != ncclSuccess)
        throw communication_error(std::string("NCCL does not tell its version: ") + ncclGetErrorString(result));
    if (loaded / 10000 != NCCL_MAJOR || loaded < oldest)
        throw communication_error("the program has loaded NCCL " + version_text(loaded) + ", and Foldwise needs " +
                                  version_text(oldest) + " or later of version " + std::to_string(NCCL_MAJOR) +
                                  " (it was built with " + version_text(NCCL_VERSION_CODE) + ")");
}

/// How long a wait has taken, and what is looked at during it. Other threads of the machine have a turn now and then.
class nccl_channel::patience {
  public:
    explicit patience(nccl_channel& channel) : channel_(channel) {}

    /// Called while nothing has happened yet. Gives up if it has taken too long or there is bad news.
    void wait_on(const char* what) {
        constexpr int spins = 100;
        if (++turns_ % spins != 0) return;
        try {
            if (channel_.look_) channel_.look_();
        } catch (...) {
            channel_.abort(encode_error(std::current_exception()));
            throw;
        }
        ncclResult_t state = ncclSuccess;
        const ncclResult_t asked = ncclCommGetAsyncError(channel_.communicator_, &state);
        if (asked != ncclSuccess) state = asked;
        if (state != ncclSuccess && state != ncclInProgress)
            channel_.fail(std::string("NCCL: ") + what + ": " + channel_.describe(state));
        const auto took = std::chrono::steady_clock::now() - begin_;
        if (channel_.limit_ && took > *channel_.limit_)
            channel_.fail(std::string("NCCL: ") + what + ": other processes have not taken part for " +
                          std::to_string(channel_.limit_->count()) + " ms");
        if (took > std::chrono::milliseconds(2))
            std::this_thread::sleep_for(std::chrono::microseconds(20));
        else
            std::this_thread::yield();
    }

  private:
    nccl_channel& channel_;
    int turns_ = 0;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

nccl_channel::nccl_channel(int device) : gpu_(require_gpu(context)), device_(device) {}

// What the first constructor has made is destroyed if one of these throws.
nccl_channel::nccl_channel(ncclComm_t processes, int device, CUstream_st* stream, milliseconds limit)
    : nccl_channel(device) {
    device_of(gpu_, cuda(device, stream), context);
    communicator_ = processes;
    stream_ = stream;
    limit_ = limit;
    int of_communicator = 0;
    check(ncclCommUserRank(processes, &rank_), "ncclCommUserRank");
    check(ncclCommCount(processes, &size_), "ncclCommCount");
    check(ncclCommCuDevice(processes, &of_communicator), "ncclCommCuDevice");
    if (of_communicator != device)
        throw device_error("foldwise::nccl: the communicator is one of GPU " + std::to_string(of_communicator) +
                           ", not of GPU " + std::to_string(device));
    const current_gpu current(gpu_, device_, context);
    check_cuda(gpu_.make_event(done_), context);
    check_cuda(gpu_.make_event(before_), context);
}

nccl_channel::nccl_channel(const ncclUniqueId& id, int size, int rank, int device, std::function<void()> look)
    : nccl_channel(device) {
    rank_ = rank;
    size_ = size;
    owns_communicator_ = owns_stream_ = true;
    look_ = std::move(look);
    const current_gpu current(gpu_, device_, context);
    check_cuda(gpu_.make_stream(stream_), context);
    check_cuda(gpu_.make_event(done_), context);
    check_cuda(gpu_.make_event(before_), context);
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;  // so that no call waits for a process that does not come
    const char* const what = "ncclCommInitRankConfig";
    check(ncclCommInitRankConfig(&communicator_, size, id, rank, &config), what);
    settle(what);
}

nccl_channel::~nccl_channel() {
    const current_gpu current(gpu_, device_);
    if (communicator_ && owns_communicator_) {
        if (ncclCommFinalize(communicator_) == ncclInProgress) {
            try {
                settle("ncclCommFinalize");
            } catch (...) {
                // It has been aborted.
            }
        }
        if (communicator_) ncclCommDestroy(communicator_);
    }
    if (before_) gpu_.destroy(before_);
    if (done_) gpu_.destroy(done_);
    if (stream_ && owns_stream_) gpu_.destroy(stream_);
}

void nccl_channel::begin(const char* what, CUstream_st* after) {
    check_open();
    if (after == stream_) return;
    check_cuda(gpu_.record(before_, after), what);
    check_cuda(gpu_.follow(stream_, before_), what);
}

void nccl_channel::wait(const char* what) {
    check_open();
    const current_gpu current(gpu_, device_, what);
    check_cuda(gpu_.record(done_, stream_), what);
    for (patience waiting(*this); !gpu_.has_happened(done_);) waiting.wait_on(what);
    // Errors of kernels count as having happened, too.
    check_cuda(gpu_.synchronize(stream_), what);
}

bool nccl_channel::is_complete() {
    if (!communicator_) return true;
    const current_gpu current(gpu_, device_, context);
    return gpu_.record(done_, stream_) == 0 && gpu_.has_happened(done_);
}

void nccl_channel::settle(const char* what) {
    patience waiting(*this);
    for (ncclResult_t state = ncclInProgress;;) {
        if (const ncclResult_t asked = ncclCommGetAsyncError(communicator_, &state); asked != ncclSuccess)
            state = asked;
        if (state == ncclSuccess) return;
        if (state != ncclInProgress) check(state, what);
        waiting.wait_on(what);
    }
}

void nccl_channel::abort(const std::string& failure) noexcept {
    if (!failure_) failure_ = failure;
    if (!communicator_) return;
    const current_gpu current(gpu_, device_);
    ncclCommAbort(std::exchange(communicator_, nullptr));
}

void nccl_channel::check_open() const {
    if (failure_) throw_encoded(*failure_);
}

void nccl_channel::fail(const std::string& text) {
    abort('c' + text);
    throw_encoded(*failure_);
}

void nccl_channel::check(ncclResult_t result, const char* what) {
    if (result == ncclSuccess || result == ncclInProgress) return;
    fail(std::string("NCCL: ") + what + ": " + describe(result));
}

void nccl_channel::check_cuda(int status, const char* what) const {
    if (status != 0) throw_status(gpu_, status, what);
}

std::string nccl_channel::describe(ncclResult_t result) const {
    std::string text = ncclGetErrorString(result);
    const char* const more = communicator_ ? ncclGetLastError(communicator_) : nullptr;
    if (more && *more) text += std::string(" (") + more + ')';
    return text;
}

}  // namespace foldwise::detail
