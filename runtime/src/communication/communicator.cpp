// runtime/src/communication/communicator.cpp: groups of processes, and how all of them learn of an error in one.
#include <foldwise/communicator.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

namespace foldwise {

namespace {

/// A group of one process, which sends messages to nobody.
class alone final : public detail::transport {
  public:
    int rank() const override { return 0; }
    int size() const override { return 1; }
    void all_gather(const void* mine, void* all, std::span<const std::size_t> bytes) override {
        if (bytes[0] > 0) std::memcpy(all, mine, bytes[0]);
    }
    void broadcast(void*, std::size_t, int) override {}
    void barrier() override {}
    void send(const void*, std::size_t, int, int) override { refuse(); }
    void receive(void*, std::size_t, int, int) override { refuse(); }
    void abandon(const std::string&) noexcept override {}

  private:
    [[noreturn]] static void refuse() {
        throw communication_error("a process sends no messages to itself, and there is no other in its group");
    }
};

}  // namespace

communicator::communicator() : transport_(std::make_shared<alone>()) {}

void communicator::check_rank(int rank) const {
    if (rank < 0 || rank >= size())
        throw communication_error("there is no process " + std::to_string(rank) + " in a group of " +
                                  std::to_string(size()));
}

namespace detail {

namespace {

// The classes of errors that keep their class on the way to another process, by the letter that stands for them.
#define FOLDWISE_SENT_ERRORS(each)                                                                                     \
    each('s', shape_error) each('v', value_error) each('o', overlap_error) each('e', empty_error)                      \
        each('m', out_of_memory) each('d', device_error) each('c', communication_error)                                \
            each('i', std::invalid_argument) each('f', file_error)

}  // namespace

std::string encode_error(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    }
#define FOLDWISE_ENCODE(letter, type)                                                                                  \
    catch (const type& thrown) {                                                                                       \
        return std::string(1, letter) + thrown.what();                                                                 \
    }
    FOLDWISE_SENT_ERRORS(FOLDWISE_ENCODE)
#undef FOLDWISE_ENCODE
    catch (const std::bad_alloc&) {
        return "mthe host has no memory left";
    }
    catch (const std::exception& thrown) {
        return std::string("?") + thrown.what();
    }
    catch (...) {
        return "?an exception that is none of the standard library";
    }
}

void throw_encoded(std::string_view encoded) {
    const std::string text(encoded.substr(std::min<std::size_t>(1, encoded.size())));
    switch (encoded.empty() ? '?' : encoded[0]) {
#define FOLDWISE_THROW(letter, type)                                                                                   \
    case letter:                                                                                                       \
        throw type(text);
        FOLDWISE_SENT_ERRORS(FOLDWISE_THROW)
#undef FOLDWISE_THROW
    default:
        throw error(text);
    }
}

void check_outcomes(const communicator& world, std::span<const outcome> all, const std::string& error) {
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        if (all[rank].error_bytes == 0) continue;
        std::string sent(all[rank].error_bytes, '\0');
        if (world.rank() == static_cast<int>(rank)) sent = error;
        world.transport().broadcast(sent.data(), sent.size(), static_cast<int>(rank));
        throw_encoded(sent);
    }
    const auto other =
        std::find_if(all.begin(), all.end(), [&](const outcome& one) { return one.call != all[0].call; });
    if (other != all.end())
        throw communication_error("processes 0 and " + std::to_string(other - all.begin()) +
                                  " make different calls, or calls with different shapes");
}

void abandon(const communicator& world, const std::exception_ptr& error) noexcept try {
    constexpr std::string_view of_arguments = "svoeif";
    const std::string encoded = encode_error(error);
    if (of_arguments.find(encoded[0]) == std::string_view::npos) world.transport().abandon(encoded);
} catch (...) {
    // There is no memory for the message.
}

void agree(const communicator& world, std::uint64_t call, const std::exception_ptr& error) {
    const std::string encoded = error ? encode_error(error) : std::string();
    const std::vector<outcome> all = world.all_gather(outcome{call, static_cast<std::uint32_t>(encoded.size())});
    check_outcomes(world, all, encoded);
}

}  // namespace detail
}  // namespace foldwise
