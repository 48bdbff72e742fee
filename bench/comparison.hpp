// bench/comparison.hpp: one workload in all implementations, each of which is checked before it is timed.
#pragma once

#include "operand_sets.hpp"
#include "results.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// One way of doing a workload; asynchronous on the stream.
struct implementation {
    std::string name;
    std::function<void(int set, void* out)> launch;
};

/// What the cases of a suite share.
struct setting {
    bench::results& results;
    const bench::gpu& gpu;
    bench::arena& arena;

    foldwise::executor executor() const { return foldwise::cuda(gpu.stream); }
};

/// How a workload's results are told right from wrong.
struct checking {
    std::function<void(void* out)> prepare;                         ///< What is in the output before a call.
    std::function<bool(const void* got, const void* wanted)> same;  ///< Both are results of the first set of operands.
};

/// Measures Foldwise, which comes first, and its peers. The output is the last operand of each set; the spare has room
/// for two of `bytes` bytes. The first peer's result is what all others have to agree with.
inline void compare(const setting& at, const workload& work, const operand_sets& sets, std::size_t output,
                    std::int64_t bytes, const checking& check, const std::vector<implementation>& all) {
    void* const wanted = sets.spare<std::byte>();
    void* const got = sets.spare<std::byte>(bytes);
    const auto run = [&](const implementation& one, void* out) {
        check.prepare(out);
        one.launch(0, out);
        BENCH_CHECK(cudaStreamSynchronize(at.gpu.stream));
    };
    run(all[1], wanted);
    for (const implementation& one : all) {
        try {
            run(one, got);
        } catch (const foldwise::error& error) {
            at.results.add_missing(work, one.name, error.what());
            continue;
        }
        if (!check.same(got, wanted)) {
            at.results.add_wrong(work, one.name);
            continue;
        }
        at.results.measure(work, one.name, sets.count(),
                           [&](int set) { one.launch(set, sets.at<std::byte>(set, output)); });
    }
}

/// The operands of a workload, whose output is the last of them. Null where the GPU has no room for them.
inline operand_sets operands_of(const setting& at, const std::vector<std::int64_t>& bytes) {
    return {at.gpu, at.arena, bytes, 2 * bytes.back()};
}

template <class T> foldwise::view<T> seen(const void* data, const foldwise::shape& extents) {
    return foldwise::device(static_cast<T*>(const_cast<void*>(data)), extents);
}

}  // namespace bench
