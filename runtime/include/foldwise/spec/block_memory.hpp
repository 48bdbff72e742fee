// foldwise/spec/block_memory.hpp: where a block of items has its memory on a CPU.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foldwise::detail {

/// What a block has in the host's memory: shared arrays and items' own variables. Memory is taken and given back in the
/// manner of a stack, and stays where it is; it is kept for the next block.
class block_memory {
    struct alignas(64) line {
        unsigned char bytes[64];
    };
    struct chunk {
        line* lines;
        std::int64_t size;
        chunk* next;
    };

  public:
    struct mark {
        chunk* of = nullptr;
        std::int64_t used = 0;
    };

    block_memory() = default;
    block_memory(const block_memory&) = delete;
    block_memory& operator=(const block_memory&) = delete;
    ~block_memory() {
        while (first_) {
            chunk* const next = first_->next;
            delete[] first_->lines;
            delete first_;
            first_ = next;
        }
    }

    template <class T> T* take(std::int64_t count) {
        static_assert(alignof(T) <= alignof(line), "shared memory is aligned to 64 bytes");
        const std::int64_t in_line = static_cast<std::int64_t>(sizeof(line) / sizeof(T));
        const std::int64_t lines = in_line > 0 ? (count + in_line - 1) / in_line
                                               : count * static_cast<std::int64_t>(sizeof(T) / sizeof(line) + 1);
        void* const taken = take_lines(lines);
        keep_order(taken);
        return static_cast<T*>(__builtin_assume_aligned(taken, alignof(line)));
    }
    mark now() const { return now_; }
    void give_back(mark before) {
        keep_order(nullptr);
        now_ = before;
    }

  private:
    static constexpr std::int64_t least = 1024;  // lines of a chunk

    /// Memory that is given back and taken again looks like another object. This keeps compilers from moving accesses
    /// to the one past those to the other: what has been passed here may be read and written at each later call. (A
    /// function, because GCC takes assembly itself to write everything, even variables that nothing points to.)
    __attribute__((noinline)) static void keep_order(const void* taken) { asm volatile("" : : "r"(taken) : "memory"); }

    /// From the attributes, compilers know that nothing else points to the memory that this returns: so a loop over the
    /// items keeps in registers what it reads and writes there.
    __attribute__((malloc, noinline)) void* take_lines(std::int64_t lines) {
        while (!now_.of || now_.used + lines > now_.of->size) {
            chunk*& next = now_.of ? now_.of->next : first_;
            if (!next) next = new_chunk(lines < least ? least : lines);
            now_ = {next, 0};
        }
        line* const taken = now_.of->lines + now_.used;
        now_.used += lines;
        return taken;
    }
    static chunk* new_chunk(std::int64_t size) {
        line* const lines = new line[static_cast<std::size_t>(size)];
        return new chunk{lines, size, nullptr};
    }

    chunk* first_ = nullptr;
    mark now_;
};

}  // namespace foldwise::detail
