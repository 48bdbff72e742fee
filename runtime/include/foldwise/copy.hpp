// foldwise/copy.hpp: copies elements into memory that exists already.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/array.hpp>
#include <foldwise/detail/copy.hpp>
#include <foldwise/detail/same_bits.hpp>
#include <foldwise/operand.hpp>

#include <iterator>
#include <type_traits>

namespace foldwise {

namespace detail {

/// What has elements that a copy of those of `From` would not be.
template <class To, class From>
concept other_elements = contiguous<const From> && contiguous<std::remove_reference_t<To>> &&
    !same_bits<range_value<const From>, range_value<std::remove_reference_t<To>>>;

/// What could have a copy of the elements of `From`, and is no output: it is const or a temporary.
template <class To, class From>
concept same_elements_unwritten =
    contiguous<const From> && contiguous<std::remove_reference_t<To>> && !other_elements<To, From> &&
    !elements_of<To, range_value<std::remove_reference_t<To>>>;

/// Returns the stream that orders an array's memory; null for everything else that holds elements.
template <class R> CUstream_st* stream_of(const R& holder) {
    if constexpr (is_array<R>)
        return holder.stream();
    else
        return nullptr;
}

}  // namespace detail

/// Copies elements from anything that can be an input to anything that can be an output, such as
/// `copy(vector, array)` or `copy(array.slice(0, 0, 3), view)`; complete on return. Both have the same element type,
/// and the same shape or, if one of them has a single axis, the same number of elements in row-major order. Either may
/// be strided, on the host or on any GPU, and they may overlap. The copy follows what is queued on the streams of
/// arrays and on `stream`, which belongs to the destination's GPU or, if the destination is on the host, to the
/// source's. Throws shape_error, out_of_memory or device_error.
template <class From, class To, class T = detail::range_value<std::remove_reference_t<To>>>
requires detail::elements_of<To, T> && detail::elements_of<const From&, const T>
void copy(const From& from, To&& to, CUstream_st* stream = nullptr) {
    const detail::operand_ref source = operand<const T>(from).ref(), target = elements<T>(to).ref();
    detail::wait_for(source.place, detail::stream_of(from));
    CUstream_st* const own = detail::stream_of(to);
    if (stream && own != stream) detail::wait_for(target.place, own);
    detail::copy_between(target.data, target.place, target.layout, source.data, source.place, source.layout, sizeof(T),
                         stream ? stream : own);
}
template <std::input_or_output_iterator I, class To>
void copy(I first, I last, const To& to) = delete;  // write copy(from, to) with ranges, such as copy(vector, array)
template <class From, class P, class = detail::pointed<P>>
void copy(const From&, P&&) = delete;  // copy(from, host(pointer, count))
template <class From, detail::other_elements<From> To> void copy(const From&, To&&, CUstream_st* = nullptr) {
    static_assert(detail::impossible<From, To>,
                  "write copy(from, to) with elements of one type: a kernel converts them");
}
template <class From, detail::same_elements_unwritten<From> To> void copy(const From&, To&&, CUstream_st* = nullptr) {
    static_assert(detail::impossible<From, To>, "write copy(from, to) with a variable as `to` that is not const");
}

}  // namespace foldwise

#endif  // C++20
