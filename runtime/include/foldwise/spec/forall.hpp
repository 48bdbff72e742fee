// foldwise/spec/forall.hpp: indexed kernels, one task per index.
#pragma once

#include <foldwise/spec/signature.hpp>

namespace foldwise {

/// What forall() makes: the generator finds variables of this type, and on the host it is a callable of one task.
template <class Lambda, class... Signatures>
class [[maybe_unused]] indexed : public detail::typed_calls<Lambda, Signatures...> {
  public:
    constexpr explicit indexed(Lambda lambda) : detail::typed_calls<Lambda, Signatures...>(lambda) {}
};

/// Declares a kernel that runs `lambda` once for each index. Its first parameter is index<N>; the others are view<T, N>
/// (`const T` is read only) or scalars. Signatures `void(view<...>, ...)` type a generic lambda and leave the index
/// out.
template <class... Signatures, class Lambda> constexpr indexed<Lambda, Signatures...> forall(Lambda lambda) {
    return indexed<Lambda, Signatures...>(lambda);
}

}  // namespace foldwise
