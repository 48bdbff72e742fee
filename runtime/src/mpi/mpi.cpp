// runtime/src/mpi/mpi.cpp: messages that MPI carries.
#include <foldwise/mpi.hpp>

#include <algorithm>
#include <climits>
#include <cstring>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace foldwise {

namespace {

void check(int status, const char* what) {
    if (status == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    MPI_Error_string(status, text, &length);
    throw communication_error(std::string("MPI: ") + what + ": " + std::string(text, static_cast<std::size_t>(length)));
}

/// The group that foldwise::mpi() makes. Every call waits by polling, so that it notices when another process has
/// abandoned the group. Afterwards nothing more is sent: messages of calls that were given up may still be under way.
class mpi_transport final : public detail::transport {
  public:
    explicit mpi_transport(MPI_Comm processes) {
        check(MPI_Comm_dup(processes, &messages_), "MPI_Comm_dup");
        MPI_Comm_set_errhandler(messages_, MPI_ERRORS_RETURN);
        check(MPI_Comm_dup(messages_, &failures_), "MPI_Comm_dup");
        check(MPI_Comm_dup(messages_, &exchanges_), "MPI_Comm_dup");
        MPI_Comm_rank(messages_, &rank_);
        MPI_Comm_size(messages_, &size_);
    }
    ~mpi_transport() override {
        int is_over = 0;
        MPI_Finalized(&is_over);
        if (is_over || failure_) return;  // MPI may still write to memory of calls that were given up
        MPI_Comm_free(&exchanges_);
        MPI_Comm_free(&failures_);
        MPI_Comm_free(&messages_);
    }

    int rank() const override { return rank_; }
    int size() const override { return size_; }

    void all_gather(const void* mine, void* all, std::span<const std::size_t> bytes) override {
        begin();
        std::vector<std::size_t> places(bytes.size());
        for (std::size_t i = 1; i < bytes.size(); ++i) places[i] = places[i - 1] + bytes[i - 1];
        const std::size_t sum = places.back() + bytes.back(), own = bytes[static_cast<std::size_t>(rank_)];
        MPI_Request request;
        if (sum <= INT_MAX) {
            // What is not complete when the call is given up must not refer to the caller's memory.
            memory& kept = keep(own + sum);
            if (own > 0) std::memcpy(kept.bytes.data(), mine, own);
            kept.counts.assign(bytes.begin(), bytes.end());
            kept.places.assign(places.begin(), places.end());
            check(MPI_Iallgatherv(kept.bytes.data(), static_cast<int>(own), MPI_BYTE, kept.bytes.data() + own,
                                  kept.counts.data(), kept.places.data(), MPI_BYTE, messages_, &request),
                  "MPI_Iallgatherv");
            wait(request);
            if (sum > 0) std::memcpy(all, kept.bytes.data() + own, sum);
            return done();
        }
        for (std::size_t rank = 0; rank < bytes.size(); ++rank) {
            auto* const to = static_cast<std::byte*>(all) + places[rank];
            if (rank == static_cast<std::size_t>(rank_)) std::memcpy(to, mine, own);
            broadcast(to, bytes[rank], static_cast<int>(rank));
        }
    }

    void broadcast(void* data, std::size_t bytes, int root) override {
        begin();
        each_part(data, bytes, [&](std::byte* part, int count) {
            memory& kept = keep(static_cast<std::size_t>(count));
            if (rank_ == root) std::memcpy(kept.bytes.data(), part, static_cast<std::size_t>(count));
            MPI_Request request;
            check(MPI_Ibcast(kept.bytes.data(), count, MPI_BYTE, root, messages_, &request), "MPI_Ibcast");
            wait(request);
            if (rank_ != root) std::memcpy(part, kept.bytes.data(), static_cast<std::size_t>(count));
            done();
        });
    }

    void barrier() override {
        begin();
        MPI_Request request;
        check(MPI_Ibarrier(messages_, &request), "MPI_Ibarrier");
        wait(request);
    }

    void send(const void* data, std::size_t bytes, int to, int tag) override {
        begin();
        each_part(const_cast<void*>(data), bytes, [&](std::byte* part, int count) {
            memory& kept = keep(static_cast<std::size_t>(count));
            std::memcpy(kept.bytes.data(), part, static_cast<std::size_t>(count));
            MPI_Request request;
            check(MPI_Isend(kept.bytes.data(), count, MPI_BYTE, to, tag, messages_, &request), "MPI_Isend");
            wait(request);
            done();
        });
    }

    void receive(void* data, std::size_t bytes, int from, int tag) override {
        begin();
        each_part(data, bytes, [&](std::byte* part, int count) {
            memory& kept = keep(static_cast<std::size_t>(count));
            MPI_Request request;
            check(MPI_Irecv(kept.bytes.data(), count, MPI_BYTE, from, tag, messages_, &request), "MPI_Irecv");
            wait(request);
            std::memcpy(part, kept.bytes.data(), static_cast<std::size_t>(count));
            done();
        });
    }

    std::unique_ptr<detail::exchange> begin_exchange(std::span<const detail::sent_message> sent,
                                                     std::span<const detail::received_message> received) override {
        begin();
        auto begun = std::make_unique<mpi_exchange>(*this);
        begun->begin(sent, received);
        return begun;
    }

    std::unique_ptr<detail::shared_file> open_file(const std::string& path, detail::file_use use,
                                                   std::int64_t bytes) override;

    void abandon(const std::string& failure) noexcept override try {
        if (failure_) return;
        failure_ = failure;
        for (int other = 0; other < size_; ++other) {
            if (other == rank_) continue;
            MPI_Request request;
            MPI_Isend(failure_->data(), static_cast<int>(failure_->size()), MPI_BYTE, other, 0, failures_, &request);
            MPI_Request_free(&request);  // the text lives as long as the group
        }
        leak();
    } catch (...) {
        // Without memory for the message there is none; MPI ends the other processes when this one ends.
    }

    void look_for_failure() override {
        begin();
        int is_there = 0;
        MPI_Status status;
        check(MPI_Iprobe(MPI_ANY_SOURCE, 0, failures_, &is_there, &status), "MPI_Iprobe");
        if (!is_there) return;
        int bytes = 0;
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        std::string failure(static_cast<std::size_t>(bytes), '\0');
        check(MPI_Recv(failure.data(), bytes, MPI_BYTE, status.MPI_SOURCE, 0, failures_, MPI_STATUS_IGNORE),
              "MPI_Recv");
        failure_ = failure;
        leak();
        detail::throw_encoded(*failure_);
    }

  private:
    /// Memory of one call to MPI, and where each process's bytes lie in it.
    struct memory {
        std::vector<std::byte> bytes;
        std::vector<int> counts, places;
    };

    /// An exchange's messages, in memory of their own: what is not complete when the exchange is given up must not
    /// refer to the caller's.
    class mpi_exchange final : public detail::exchange {
      public:
        explicit mpi_exchange(mpi_transport& group) : group_(group) {}
        ~mpi_exchange() override {
            if (!requests_.empty()) static_cast<void>(kept_.release());  // MPI may still write to it
        }

        void begin(std::span<const detail::sent_message> sent, std::span<const detail::received_message> received) {
            received_.assign(received.begin(), received.end());
            for (const detail::received_message& message : received_) {
                if (message.from == group_.rank_) continue;
                std::vector<std::byte>& own = keep(message.bytes);
                each_part(own.data(), message.bytes, [&](std::byte* part, int count) {
                    check(MPI_Irecv(part, count, MPI_BYTE, message.from, 0, group_.exchanges_, &next()), "MPI_Irecv");
                });
            }
            auto own = received_.begin();
            for (const detail::sent_message& message : sent) {
                if (message.to == group_.rank_) {
                    own = std::find_if(own, received_.end(), [&](const auto& one) { return one.from == group_.rank_; });
                    if (message.bytes > 0) std::memcpy(own->data, message.data, message.bytes);
                    ++own;
                    continue;
                }
                std::vector<std::byte>& copy = keep(message.bytes);
                if (message.bytes > 0) std::memcpy(copy.data(), message.data, message.bytes);
                each_part(copy.data(), message.bytes, [&](std::byte* part, int count) {
                    check(MPI_Isend(part, count, MPI_BYTE, message.to, 0, group_.exchanges_, &next()), "MPI_Isend");
                });
            }
        }

        void wait() override {
            group_.begin();
            for (MPI_Request& request : requests_) group_.wait(request);
            requests_.clear();
            auto from = kept_->begin();
            for (const detail::received_message& message : received_) {
                if (message.from == group_.rank_) continue;
                if (message.bytes > 0) std::memcpy(message.data, from->data(), message.bytes);
                ++from;
            }
            kept_->clear();
            received_.clear();
        }

      private:
        std::vector<std::byte>& keep(std::size_t bytes) {
            kept_->emplace_back(bytes);
            return kept_->back();
        }
        MPI_Request& next() { return requests_.emplace_back(MPI_REQUEST_NULL); }

        mpi_transport& group_;
        std::vector<detail::received_message> received_;
        std::list<MPI_Request> requests_;
        std::unique_ptr<std::list<std::vector<std::byte>>> kept_ =
            std::make_unique<std::list<std::vector<std::byte>>>();  ///< What is received, then what is sent.
    };

    void begin() {
        if (failure_) detail::throw_encoded(*failure_);
    }
    memory& keep(std::size_t bytes) {
        pending_->emplace_back();
        pending_->back().bytes.resize(bytes);
        return pending_->back();
    }
    void done() { pending_->clear(); }

    /// Keeps the memory of calls that were given up until the process ends.
    void leak() { static_cast<void>(new std::shared_ptr<std::list<memory>>(pending_)); }

    template <class Each> static void each_part(void* data, std::size_t bytes, const Each& each) {
        constexpr std::size_t most = 1 << 26;
        auto* const all = static_cast<std::byte*>(data);
        for (std::size_t at = 0; at < bytes; at += most) each(all + at, static_cast<int>(std::min(most, bytes - at)));
    }

    void wait(MPI_Request& request) {
        constexpr int spins = 200;  // before other threads of the machine have a turn
        for (int turn = 1;; ++turn) {
            int is_done = 0;
            check(MPI_Test(&request, &is_done, MPI_STATUS_IGNORE), "MPI_Test");
            if (is_done) return;
            if (turn % spins != 0) continue;
            look_for_failure();
            std::this_thread::yield();
        }
    }

    MPI_Comm messages_, failures_, exchanges_;
    int rank_ = 0, size_ = 1;
    std::optional<std::string> failure_;  ///< Why the group has been abandoned.
    std::shared_ptr<std::list<memory>> pending_ = std::make_shared<std::list<memory>>();
};

/// A file that MPI reads and writes, all processes' ranges together.
class mpi_file final : public detail::shared_file {
  public:
    mpi_file(MPI_Comm processes, const std::string& path, detail::file_use use, std::int64_t bytes) : path_(path) {
        const int mode = use == detail::file_use::read ? MPI_MODE_RDONLY : MPI_MODE_RDWR | MPI_MODE_CREATE;
        check_file(MPI_File_open(processes, path.c_str(), mode, MPI_INFO_NULL, &file_), "cannot be opened");
        if (use == detail::file_use::write) check_file(MPI_File_set_size(file_, bytes), "cannot be written");
    }
    // Closing is a call of all processes, so a process that fails leaves the file to MPI.
    ~mpi_file() override = default;

    void read(std::int64_t offset, void* data, std::size_t bytes) override {
        MPI_Status status;
        check_file(MPI_File_read_at_all(file_, offset, data, static_cast<int>(bytes), MPI_BYTE, &status),
                   "cannot be read");
        check_count(status, bytes);
    }
    void write(std::int64_t offset, const void* data, std::size_t bytes) override {
        MPI_Status status;
        check_file(MPI_File_write_at_all(file_, offset, data, static_cast<int>(bytes), MPI_BYTE, &status),
                   "cannot be written");
        check_count(status, bytes);
    }
    void close() override { check_file(MPI_File_close(&file_), "cannot be written"); }

  private:
    void check_file(int status, const char* what) const {
        if (status == MPI_SUCCESS) return;
        char text[MPI_MAX_ERROR_STRING];
        int length = 0;
        MPI_Error_string(status, text, &length);
        throw file_error(path_ + " " + what + ": " + std::string(text, static_cast<std::size_t>(length)));
    }
    void check_count(const MPI_Status& status, std::size_t bytes) const {
        int count = 0;
        MPI_Get_count(&status, MPI_BYTE, &count);
        if (static_cast<std::size_t>(count) != bytes) throw file_error(path_ + " ends too early, or has no room");
    }

    std::string path_;
    MPI_File file_ = MPI_FILE_NULL;
};

std::unique_ptr<detail::shared_file> mpi_transport::open_file(const std::string& path, detail::file_use use,
                                                              std::int64_t bytes) {
    begin();
    return std::make_unique<mpi_file>(messages_, path, use, bytes);
}

}  // namespace

communicator mpi(MPI_Comm processes) { return communicator(std::make_shared<mpi_transport>(processes)); }

}  // namespace foldwise
