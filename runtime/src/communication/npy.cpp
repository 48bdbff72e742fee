// runtime/src/communication/npy.cpp: NumPy's format for one array: a header in Python's notation, then the elements.
#include <foldwise/detail/npy.hpp>

#include <foldwise/detail/copy.hpp>
#include <foldwise/error.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace foldwise::detail {

namespace {

static_assert(std::endian::native == std::endian::little,
              "NumPy's names of types here are those of little-endian bytes");

constexpr std::string_view magic = "\x93NUMPY";

/// Returns what stands behind a key in the header's dictionary; empty if it is not there.
std::string_view value_of(std::string_view header, std::string_view key) {
    for (const char quote : {'\'', '"'}) {
        const std::string quoted = quote + std::string(key) + quote;
        const std::size_t at = header.find(quoted);
        if (at == std::string_view::npos) continue;
        std::string_view rest = header.substr(at + quoted.size());
        const std::size_t first = rest.find_first_not_of(" :");
        return first == std::string_view::npos ? std::string_view() : rest.substr(first);
    }
    return {};
}

/// Returns the extents in "(3, 4), ...", or nothing if that is no shape.
std::optional<std::vector<std::int64_t>> extents_in(std::string_view text) {
    if (text.empty() || text[0] != '(') return std::nullopt;
    std::vector<std::int64_t> extents;
    for (text.remove_prefix(1);;) {
        text.remove_prefix(std::min(text.size(), text.find_first_not_of(" ,")));
        if (text.empty()) return std::nullopt;
        if (text[0] == ')') return extents;
        std::int64_t extent = 0;
        std::size_t digits = 0;
        for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits)
            if (__builtin_mul_overflow(extent, 10, &extent) ||
                __builtin_add_overflow(extent, text[digits] - '0', &extent))
                return std::nullopt;
        if (digits == 0) return std::nullopt;
        extents.push_back(extent);
        text.remove_prefix(digits);
    }
}

/// Returns the header's dictionary, and sets `offset` to where the elements begin. A file begins with the magic bytes,
/// the format's version in two, and the dictionary's length, in two bytes or, from version 2.0 on, in four.
std::string dictionary_of(std::ifstream& file, const std::string& path, std::int64_t& offset) {
    unsigned char begin[12] = {};
    file.read(reinterpret_cast<char*>(begin), 10);
    if (!file || std::memcmp(begin, magic.data(), magic.size()) != 0)
        throw file_error(path + " is no file in NumPy's format, which begins with \\x93NUMPY");
    std::uint32_t length = begin[8] | static_cast<std::uint32_t>(begin[9]) << 8;
    offset = 10;
    if (begin[6] >= 2) {
        file.read(reinterpret_cast<char*>(begin + 10), 2);
        length |= static_cast<std::uint32_t>(begin[10]) << 16 | static_cast<std::uint32_t>(begin[11]) << 24;
        offset = 12;
    }
    constexpr std::uint32_t most = 1 << 20;  // far more than any array needs: a damaged length takes no memory
    std::string text(std::min(length, most), '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file || length > most) throw file_error(path + " ends within its header");
    offset += length;
    return text;
}

/// Reads the header of a file in one process, and checks that there is an array with axes, in row-major order, of
/// elements of `type`, of `element` bytes each, and that the file has them all. Throws file_error.
npy_header parse(const std::string& path, const std::string& type, std::size_t element) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw file_error(path + " cannot be opened: " + std::generic_category().message(errno));
    std::int64_t offset = 0;
    const std::string text = dictionary_of(file, path, offset);
    const std::string_view type_text = value_of(text, "descr"), order = value_of(text, "fortran_order");
    const auto extents = extents_in(value_of(text, "shape"));
    if (type_text.empty() || order.empty() || !extents) throw file_error(path + " has a header that is not NumPy's");
    const std::size_t ends = type_text[0] == '[' ? type_text.find(']') : type_text.find(type_text[0], 1);
    const std::string_view own = type_text.substr(0, std::min(ends, type_text.size() - 1) + 1);
    if (type_text[0] == '[' || own.size() < 2 || own.substr(1, own.size() - 2) != type)
        throw file_error(path + " has elements of type " + std::string(own) + ", and '" + type + "' is to be read");
    if (order.substr(0, 4) == "True")
        throw file_error(path + " has its columns first (fortran_order): save numpy.ascontiguousarray(a)");
    if (extents->empty()) throw file_error(path + " has an array of shape (), which has no rows");
    if (extents->size() > static_cast<std::size_t>(max_rank))
        throw file_error(path + " has an array of " + std::to_string(extents->size()) + " axes, and " +
                         std::to_string(max_rank) + " are the most");
    const shape whole{std::span<const std::int64_t>(*extents)};
    std::int64_t bytes = 0;
    const bool is_too_large = __builtin_mul_overflow(whole.size(), static_cast<std::int64_t>(element), &bytes);
    file.seekg(0, std::ios::end);
    const std::int64_t there = static_cast<std::int64_t>(file.tellg()) - offset;
    if (is_too_large || there < bytes)
        throw file_error(path + " ends too early: an array of shape " + to_string(whole) + " has " +
                         (is_too_large ? std::string("too many") : std::to_string(bytes)) + " bytes, and there are " +
                         std::to_string(there));
    return {whole, offset};
}

/// Returns the header of version 1.0 for an array in row-major order. Blanks fill it up so that elements begin at a
/// multiple of 64 bytes, as the format demands. The two bytes of its length suffice for any shape of max_rank axes.
std::string header_of(const std::string& type, const shape& extents) {
    std::string text = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (";
    for (const std::int64_t extent : extents) text += std::to_string(extent) + (extents.rank() == 1 ? "," : ", ");
    if (extents.rank() > 1) text.resize(text.size() - 2);
    text += "), }";
    constexpr std::size_t alignment = 64, fixed = 10;  // magic, version and length are fixed, and a line break ends all
    text.append((2 * alignment - (fixed + text.size() + 1) % alignment) % alignment, ' ');
    text += '\n';
    std::string all(magic);
    all += {'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
    return all + text;
}

/// The bytes of a process's rows, where they begin among the elements of a file, and in how many turns all processes
/// transfer theirs. As shared_file demands, each makes the same number of calls, also one that has fewer rows.
struct file_part {
    std::int64_t offset, bytes, turns;
};
/// The most bytes that a process transfers in a turn, and with it the host memory through which rows of a GPU pass.
constexpr std::int64_t bytes_of_turn = 1 << 26;
static_assert(bytes_of_turn <= shared_file::most_bytes);

/// Returns the part that a rank has in a split of an array.
file_part part_of(const row_split& split, int rank, const shape& extents, std::size_t element) {
    std::int64_t row = static_cast<std::int64_t>(element), longest = 0;
    for (int axis = 1; axis < extents.rank(); ++axis) row *= extents[axis];
    for (int other = 0; other < split.processes(); ++other) longest = std::max(longest, split.of(other).count());
    const row_range own = split.of(rank);
    return {own.begin * row, own.count() * row, (longest * row + bytes_of_turn - 1) / bytes_of_turn};
}

/// Runs what may fail in one process alone, and keeps the first error: the process goes on to make the calls that all
/// processes make, and all agree on the error at the end.
class first_error {
  public:
    template <class Run> void keep(const Run& run) noexcept try { run(); } catch (...) {
        if (!error_) error_ = std::current_exception();
    }
    explicit operator bool() const { return static_cast<bool>(error_); }
    const std::exception_ptr& error() const { return error_; }

  private:
    std::exception_ptr error_;
};

/// Opens a file in all processes, or in none.
std::unique_ptr<shared_file> open_together(const communicator& world, const std::string& path, file_use use,
                                           std::int64_t bytes, const call_identity& call) {
    std::unique_ptr<shared_file> file;
    first_error failed;
    failed.keep([&] { file = world.transport().open_file(path, use, bytes); });
    agree(world, call, failed.error());
    return file;
}

/// Calls transfer(offset among the elements, host memory, bytes) for each turn, and copies from or to a GPU around it.
/// After an error the remaining turns transfer no bytes, but take place, because other processes wait for them.
template <class Transfer>
void in_turns(first_error& failed, const file_part& part, const row_memory& own, file_use use,
              const Transfer& transfer) {
    const bool is_on_gpu = own.where.kind != memory::host;
    std::vector<std::byte> copied;
    for (std::int64_t turn = 0; turn < part.turns; ++turn) {
        const std::int64_t done = std::min(part.bytes, turn * bytes_of_turn);
        const auto bytes = static_cast<std::size_t>(std::min(part.bytes - done, bytes_of_turn));
        auto* const at = static_cast<std::byte*>(own.data) + done;
        std::byte* in_host_memory = bytes > 0 ? at : nullptr;
        if (is_on_gpu)
            failed.keep([&] {
                copied.resize(bytes);
                in_host_memory = copied.data();
                if (use == file_use::write && bytes > 0)
                    copy_bytes(copied.data(), {}, at, own.where, bytes, own.stream);
            });
        const bool is_ready = !failed;
        failed.keep([&] { transfer(part.offset + done, in_host_memory, is_ready ? bytes : 0); });
        if (is_on_gpu && use == file_use::read && !failed && bytes > 0)
            failed.keep([&] { copy_bytes(at, own.where, copied.data(), {}, bytes, own.stream); });
    }
}

}  // namespace

npy_header read_npy_header(const communicator& world, const std::string& path, const std::string& type,
                           std::size_t element) {
    npy_header header{};
    first_error failed;
    if (world.rank() == 0) failed.keep([&] { header = parse(path, type, element); });
    agree(world, call_of_shape({}), failed.error());
    return world.broadcast(header, 0);
}

void read_npy(const communicator& world, const std::string& path, const npy_header& header, const row_split& split,
              std::size_t element, const row_memory& to) {
    const call_identity call = call_of_shape(header.extents);
    const std::unique_ptr<shared_file> file = open_together(world, path, file_use::read, 0, call);
    first_error failed;
    in_turns(
        failed, part_of(split, world.rank(), header.extents, element), to, file_use::read,
        [&](std::int64_t offset, void* data, std::size_t bytes) { file->read(header.offset + offset, data, bytes); });
    failed.keep([&] { file->close(); });
    agree(world, call, failed.error());
}

void write_npy(const communicator& world, const std::string& path, const std::string& type, const shape& extents,
               const row_split& split, std::size_t element, const row_memory& from) {
    const call_identity call = call_of_shape(extents);
    const std::string header = header_of(type, extents);
    const auto offset = static_cast<std::int64_t>(header.size());
    const std::unique_ptr<shared_file> file =
        open_together(world, path, file_use::write, offset + extents.size() * static_cast<std::int64_t>(element), call);
    first_error failed;
    wait_for(from.where, from.stream);
    failed.keep([&] { file->write(0, header.data(), world.rank() == 0 ? header.size() : 0); });
    in_turns(failed, part_of(split, world.rank(), extents, element), from, file_use::write,
             [&](std::int64_t own, void* data, std::size_t bytes) { file->write(offset + own, data, bytes); });
    failed.keep([&] { file->close(); });
    agree(world, call, failed.error());
}

}  // namespace foldwise::detail
