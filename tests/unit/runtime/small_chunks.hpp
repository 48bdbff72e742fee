// tests/unit/runtime/small_chunks.hpp: small calls are run in chunks, as large ones are.
#pragma once

#include "chunks.hpp"

#include <cstddef>

/// As long as it lives. Chunks have `bytes` of all arrays together.
class small_chunks {
  public:
    explicit small_chunks(std::size_t bytes, int slots = 4, std::size_t least_call = 0)
        : before_(foldwise::detail::limits_of_chunks) {
        foldwise::detail::limits_of_chunks = {least_call, least_call, bytes, bytes, slots, before_.threads};
    }
    small_chunks(const small_chunks&) = delete;
    ~small_chunks() { foldwise::detail::limits_of_chunks = before_; }

  private:
    foldwise::detail::chunk_limits before_;
};
