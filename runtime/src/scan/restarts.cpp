// runtime/src/scan/restarts.cpp: keys are compared as bytes; offsets are searched.
#include "scan/restarts.hpp"

#include "checks.hpp"

#include <foldwise/error.hpp>

#include <algorithm>
#include <cstring>
#include <string>

namespace foldwise::detail {

namespace {

template <class Key>
void compare_keys(const scan_call& call, std::int64_t first, std::int64_t count, unsigned char* begins) {
    const auto* const keys = static_cast<const Key*>(call.restarts);
    // Element i of a reverse scan is the i-th from the end.
    const auto key = [&](std::int64_t i) { return keys[call.is_reverse ? call.length - 1 - i : i]; };
    for (std::int64_t i = 0; i < count; ++i) begins[i] = first + i == 0 || key(first + i) != key(first + i - 1);
}

}  // namespace

void check_restarts(const char* kernel, const restarts& given, const operand_ref& place, std::int64_t length) {
    const std::string name = std::string(kernel) + ": ";
    const char* const what = name_of(given);
    const layout& own = place.layout;
    if (own.shape.rank() != 1 || !is_contiguous(own.shape, own.strides))
        throw shape_error(name + what + " " + to_string(own.shape) + " are not one axis without gaps");
    const std::int64_t count = own.shape.size();
    if (!given.are_offsets) {
        if (count != length)
            throw shape_error(name + "there are " + std::to_string(count) + " keys for rows of " +
                              std::to_string(length) + " elements");
        return;
    }
    if (place.place.kind != memory::host) return;
    with_offsets(place.data, given.size, given.is_signed, [&](const auto* offsets) {
        std::int64_t before = 0;
        for (std::int64_t i = 0; i < count; ++i) {
            const auto offset = static_cast<std::int64_t>(offsets[i]);
            if (offset < before) throw shape_error(name + wrong_offset(i, offset, before));
            if (offset > length) throw shape_error(name + wrong_offset(i, offset, length));
            before = offset;
        }
    });
}

void check_place(const char* kernel, const restarts& given, const operand_ref& place, arguments& all) {
    if (place.place.kind == memory::host) return;
    if (all.gpu == no_gpu) all.gpu = place.place.device;
    if (all.gpu != place.place.device)
        throw device_error(std::string(kernel) + ": operands are in the memory of GPU " + std::to_string(all.gpu) +
                           ", and " + name_of(given) + " in that of GPU " + std::to_string(place.place.device));
}

void check_overlap(const char* kernel, const char* output, const restarts& given, const operand_ref& place,
                   const footprint& results) {
    const std::int64_t read[] = {place.layout.shape.size()}, step[] = {1};
    const footprint places{reinterpret_cast<std::uintptr_t>(place.data), given.size, read, step};
    if (read[0] > 0 && overlap(places, results))
        throw overlap_error(std::string(kernel) + ": output " + output + " overlaps the " + name_of(given));
}

void find_restarts(const scan_call& call, std::int64_t first, std::int64_t count, unsigned char* begins) {
    if (!call.are_offsets) {
        switch (call.restart_size) {
        case 1:
            return compare_keys<std::uint8_t>(call, first, count, begins);
        case 2:
            return compare_keys<std::uint16_t>(call, first, count, begins);
        case 4:
            return compare_keys<std::uint32_t>(call, first, count, begins);
        default:
            return compare_keys<std::uint64_t>(call, first, count, begins);
        }
    }
    std::memset(begins, 0, static_cast<std::size_t>(count));
    if (first == 0) begins[0] = 1;
    with_offsets(call.restarts, call.restart_size, false, [&](const auto* offsets) {
        // Segments of a reverse scan begin where they otherwise end.
        const std::int64_t low = call.is_reverse ? call.length - first - count + 1 : first;
        const auto* const end = offsets + call.restart_count;
        for (const auto *at = std::lower_bound(offsets, end, low,
                                               [](auto a, std::int64_t b) { return static_cast<std::int64_t>(a) < b; });
             at < end && static_cast<std::int64_t>(*at) < low + count; ++at) {
            const auto offset = static_cast<std::int64_t>(*at);
            const std::int64_t place = call.is_reverse ? call.length - offset - first : offset - first;
            if (place >= 0 && place < count) begins[place] = 1;
        }
    });
}

}  // namespace foldwise::detail
