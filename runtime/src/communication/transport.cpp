// runtime/src/communication/transport.cpp: what transports do that have nothing better: messages in turn, and files
// that each process opens by itself.
#include <foldwise/detail/transport.hpp>

#include <foldwise/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace foldwise::detail {

namespace {

class complete_exchange final : public exchange {
  public:
    void wait() override {}
};

/// The tag of an exchange's messages.
constexpr int exchange_tag = 32767;

/// Copies messages of a process to itself.
void copy_own(int rank, std::span<const sent_message> sent, std::span<const received_message> received) {
    std::size_t next = 0;
    for (const sent_message& message : sent) {
        if (message.to != rank) continue;
        while (received[next].from != rank) ++next;
        if (message.bytes > 0) std::memcpy(received[next].data, message.data, message.bytes);
        ++next;
    }
}

class plain_file final : public shared_file {
  public:
    plain_file(const std::string& path, file_use use) : path_(path) {
        file_ = open(path.c_str(), use == file_use::read ? O_RDONLY | O_CLOEXEC : O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (file_ < 0) refuse("cannot be opened", errno);
    }
    ~plain_file() override {
        if (file_ >= 0) ::close(file_);
    }

    void read(std::int64_t offset, void* data, std::size_t bytes) override {
        each_part(data, bytes, [&](void* part, std::size_t count, std::size_t done) {
            return pread(file_, part, count, offset + static_cast<std::int64_t>(done));
        });
    }
    void write(std::int64_t offset, const void* data, std::size_t bytes) override {
        each_part(const_cast<void*>(data), bytes, [&](void* part, std::size_t count, std::size_t done) {
            return pwrite(file_, part, count, offset + static_cast<std::int64_t>(done));
        });
    }
    void close() override {
        const int file = file_;
        file_ = -1;
        if (::close(file) != 0) refuse("cannot be written", errno);
    }
    /// Sets the file's length, for which there has to be room.
    void resize(std::int64_t bytes) {
        if (ftruncate(file_, bytes) != 0) refuse("cannot be written", errno);
    }

  private:
    [[noreturn]] void refuse(const char* what, int number) const {
        throw file_error(path_ + " " + what + ": " + std::generic_category().message(number));
    }

    /// Calls transfer(part, bytes of it, bytes before it) until all bytes are transferred.
    template <class Transfer> void each_part(void* data, std::size_t bytes, const Transfer& transfer) {
        for (std::size_t done = 0; done < bytes;) {
            const ssize_t count = transfer(static_cast<std::byte*>(data) + done, bytes - done, done);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) refuse("cannot be read or written", errno);
            if (count == 0) throw file_error(path_ + " ends too early");
            done += static_cast<std::size_t>(count);
        }
    }

    std::string path_;
    int file_ = -1;
};

}  // namespace

std::unique_ptr<exchange> transport::begin_exchange(std::span<const sent_message> sent,
                                                    std::span<const received_message> received) {
    const auto send_to = [&](int other) {
        for (const sent_message& message : sent)
            if (message.to == other) send(message.data, message.bytes, other, exchange_tag);
    };
    const auto receive_from = [&](int other) {
        for (const received_message& message : received)
            if (message.from == other) receive(message.data, message.bytes, other, exchange_tag);
    };
    copy_own(rank(), sent, received);
    // Pairs are in one order for all processes, so that none waits for another that waits for it.
    for (int other = 0; other < size(); ++other) {
        if (other < rank()) {
            receive_from(other);
            send_to(other);
        } else if (other > rank()) {
            send_to(other);
            receive_from(other);
        }
    }
    return std::make_unique<complete_exchange>();
}

std::unique_ptr<shared_file> transport::open_file(const std::string& path, file_use use, std::int64_t bytes) {
    auto file = std::make_unique<plain_file>(path, use);
    if (use == file_use::write) file->resize(bytes);  // the same in all processes, whichever comes first
    return file;
}

}  // namespace foldwise::detail
