// runtime/src/communication/communicator.cpp: groups of processes, and how all of them learn of an error in one.
#include <foldwise/communicator.hpp>

#include <foldwise/detail/buffer.hpp>
#include <foldwise/detail/copy.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <numeric>
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

namespace {

/// Returns the name of the function that a lambda is in, from the name that the C++ ABI of GCC and Clang gives its
/// type: "ZN5stats5totalI..." is stats::total. (Their library function cannot read those of generic lambdas.)
std::string function_of_lambda(std::string_view type) {
    std::string name;
    type.remove_prefix(type.starts_with("ZN") ? 2 : type.starts_with("Z") ? 1 : 0);
    while (!type.empty() && type[0] >= '0' && type[0] <= '9') {
        std::size_t length = 0;
        for (; !type.empty() && type[0] >= '0' && type[0] <= '9'; type.remove_prefix(1))
            length = length * 10 + static_cast<std::size_t>(type[0] - '0');
        name += (name.empty() ? "" : "::") + std::string(type.substr(0, length));
        type.remove_prefix(std::min(length, type.size()));
    }
    return name.empty() ? std::string(type) : name;
}

std::string describe(const call_identity& call) {
    return (call.kernel ? function_of_lambda(call.kernel) : std::string("an array's function")) +
           " with rows of shape " + to_string(call.extents);
}

/// What a process tells all others of a call that they make together: how it has ended so far, and what the call is.
/// The message is as long in all calls, so that calls that differ are told, whichever they are.
struct notice {
    std::uint64_t call;
    std::uint32_t error_bytes;  ///< The size of the encoded error; 0: there is none.
    std::uint32_t is_on_host;   ///< Whether what it sends next is in the host's memory.
    std::byte value[most_agreed_bytes];
};

/// Throws, in all processes, the error of the first one that has one, and communication_error if their calls are
/// different.
void check(const communicator& world, std::span<const notice> all, const std::string& error,
           const call_identity& call) {
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        if (all[rank].error_bytes == 0) continue;
        std::string sent(all[rank].error_bytes, '\0');
        if (world.rank() == static_cast<int>(rank)) sent = error;
        world.transport().broadcast(sent.data(), sent.size(), static_cast<int>(rank));
        throw_encoded(sent);
    }
    const auto other = std::find_if(all.begin(), all.end(), [&](const notice& one) { return one.call != all[0].call; });
    if (other == all.end()) return;
    // All processes have found the same, and have time to say what each of them is doing.
    const std::string mine = describe(call);
    const std::vector<std::size_t> lengths = world.all_gather(mine.size());
    const std::vector<char> texts = world.all_gather(mine);
    const auto rank = static_cast<std::size_t>(other - all.begin());
    const auto begin = static_cast<std::ptrdiff_t>(
        std::accumulate(lengths.begin(), lengths.begin() + (other - all.begin()), std::size_t{0}));
    throw communication_error(
        "processes make different calls: process 0 calls " +
        std::string(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(lengths[0])) + ", and process " +
        std::to_string(rank) + " " +
        std::string(texts.begin() + begin, texts.begin() + begin + static_cast<std::ptrdiff_t>(lengths[rank])));
}

/// Tells all processes of the notice, whose error is written into it, and returns those of all.
std::vector<notice> tell_all(const communicator& world, notice& mine, const call_identity& call,
                             const std::exception_ptr& error) {
    const std::string encoded = error ? encode_error(error) : std::string();
    mine.error_bytes = static_cast<std::uint32_t>(encoded.size());
    std::vector<notice> all = world.all_gather(mine);
    check(world, all, encoded, call);
    return all;
}

}  // namespace

void abandon(const communicator& world, const std::exception_ptr& error) noexcept try {
    constexpr std::string_view of_arguments = "svoeif";
    const std::string encoded = encode_error(error);
    if (of_arguments.find(encoded[0]) == std::string_view::npos) world.transport().abandon(encoded);
} catch (...) {
    // There is no memory for the message.
}

bool agree(const communicator& world, const call_identity& call, const std::exception_ptr& error, bool is_on_host) {
    notice mine{call, 0, is_on_host, {}};
    const std::vector<notice> all = tell_all(world, mine, call, error);
    return std::ranges::none_of(all, [](const notice& one) { return one.is_on_host != 0; });
}

void agree_and_gather(const communicator& world, const call_identity& call, const std::exception_ptr& error,
                      const void* mine, void* all, std::size_t bytes) {
    notice told{call, 0, 0, {}};
    std::memcpy(told.value, mine, bytes);
    const std::vector<notice> of_all = tell_all(world, told, call, error);
    auto* to = static_cast<std::byte*>(all);
    for (const notice& one : of_all) {
        std::memcpy(to, one.value, bytes);
        to += bytes;
    }
}

void gather(const communicator& world, const void* mine, void* all, std::span<const std::size_t> bytes, place where,
            CUstream_st* stream, bool are_all_on_gpus) {
    transport& carrier = world.transport();
    if (are_all_on_gpus && carrier.between_gpus()) return carrier.between_gpus()->all_gather(mine, all, bytes, stream);
    if (where.kind == memory::host) return carrier.all_gather(mine, all, bytes);
    const std::size_t own = bytes[static_cast<std::size_t>(world.rank())];
    std::size_t sum = 0;
    for (const std::size_t one : bytes) sum += one;
    const buffer sent(own, {}), gathered(sum, {});
    copy_bytes(sent.data(), {}, mine, where, own, stream);
    carrier.all_gather(sent.data(), gathered.data(), bytes);
    copy_bytes(all, where, gathered.data(), {}, sum, stream);
}

}  // namespace detail
}  // namespace foldwise
