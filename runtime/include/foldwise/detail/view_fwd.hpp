// foldwise/detail/view_fwd.hpp: declares view, whose two kinds have separate headers: fixed rank in kernels, dynamic
// rank on the host.
#pragma once

namespace foldwise {

inline constexpr int dynamic_rank = -1;

template <class T, int N = dynamic_rank> class view;  // a program writes view<T>; kernels, in specs, have view<T, N>

}  // namespace foldwise
