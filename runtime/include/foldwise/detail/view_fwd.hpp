// foldwise/detail/view_fwd.hpp: declares view, whose two kinds live apart: of fixed rank in kernels, of any rank on the
// host.
#pragma once

namespace foldwise {

inline constexpr int dynamic_rank = -1;

template <class T, int N = dynamic_rank> class view;

}  // namespace foldwise
