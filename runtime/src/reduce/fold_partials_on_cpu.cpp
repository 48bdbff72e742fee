// runtime/src/reduce/fold_partials_on_cpu.cpp: results of accumulators that earlier calls have left on the host.
#include "reduce/reduce_cuts.hpp"
#include "reduce/run_reduce.hpp"

namespace foldwise::detail {

void fold_partials_on_cpu(const reduce_kernel& kernel, const reduce_call& call) {
    constexpr std::int64_t most_together = 256;  // results whose accumulators are joined by one call
    const reduce_cuts cuts(kernel, call);
    const std::int64_t size = kernel.accumulator_size, together = std::min(cuts.results, most_together);
    const operand_address& parts = call.elements.operands[0];
    in_parallel((cuts.results + together - 1) / together, [&](std::int64_t begin, std::int64_t end) {
        if (begin >= end) return;
        scratch memory(static_cast<std::size_t>(2 * together * size));
        std::byte *const all = memory.data(), *const next = all + together * size;
        for (std::int64_t tile = begin; tile < end; ++tile) {
            const std::int64_t first = tile * together, count = std::min(together, cuts.results - first);
            const cursor results(cuts.kept, first);
            cursor part(cuts.folded, 0);
            for (std::int64_t i = 0; i < cuts.length; ++i, part.advance(1)) {
                const std::byte* from = static_cast<const std::byte*>(parts.data);
                if (!parts.is_scalar) from += part.offset(cuts.strides(0) + cuts.kept.rank) * size;
                gather(i == 0 ? all : next, from, cuts.strides(0), results, count, kernel.accumulator_size);
                if (i > 0) kernel.cpu->join(all, next, count);
            }
            write_results(kernel, call, cuts.kept, all, {first, count});
        }
    });
}

}  // namespace foldwise::detail
