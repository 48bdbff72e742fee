// foldwise/detail/npy.hpp: files in NumPy's format that processes read and write together.
#pragma once

#include <foldwise/communicator.hpp>
#include <foldwise/detail/distributed_rows.hpp>
#include <foldwise/detail/row_transfer.hpp>
#include <foldwise/half.hpp>
#include <foldwise/shape.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace foldwise::detail {

/// Returns NumPy's name of a type's elements: "<f8" for double. Classes are bytes without a meaning, "|V12".
template <class T> std::string npy_type() {
    const auto named = [](char order, char kind) { return std::string{order, kind} + std::to_string(sizeof(T)); };
    constexpr char order = sizeof(T) == 1 ? '|' : '<';
    if constexpr (std::is_same_v<T, bool>)
        return named('|', 'b');
    else if constexpr (std::is_enum_v<T>)
        return npy_type<std::underlying_type_t<T>>();
    else if constexpr (std::is_integral_v<T>)
        return named(order, std::is_signed_v<T> ? 'i' : 'u');
    else if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, half>)
        return named(order, 'f');
    else if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>)
        return named(order, 'c');
    else
        return named('|', 'V');
}

/// What a file says of its array, and where its elements begin.
struct npy_header {
    shape extents;
    std::int64_t offset;
};

/// Reads what a file says of its array. Called by all processes. Throws, in all of them, file_error if the file cannot
/// be read, is no such file, has other elements than those of `type`, columns first, no axes, or too few bytes.
npy_header read_npy_header(const communicator& world, const std::string& path, const std::string& type,
                           std::size_t element);

/// Reads the rows that each process has in a split of the array. Called by all processes; throws file_error in all.
void read_npy(const communicator& world, const std::string& path, const npy_header& header, const row_split& split,
              std::size_t element, const row_memory& to);

/// Writes a file, of whose rows each process has those of a split. Called by all processes; throws file_error in all.
void write_npy(const communicator& world, const std::string& path, const std::string& type, const shape& extents,
               const row_split& split, std::size_t element, const row_memory& from);

}  // namespace foldwise::detail
