// runtime/src/blocks/blocks.cpp: runs one call of a `blocks` kernel, from its arguments to its backend.
#include "call.hpp"
#include "forall/forall_arguments.hpp"
#include "parallel.hpp"

#include <foldwise/detail/blocks.hpp>
#include <foldwise/error.hpp>

#include <stdexcept>
#include <string>

namespace foldwise::detail {

namespace {

/// One call of a `blocks` kernel, as run_call() takes it.
struct blocks_request {
    const blocks_kernel& kernel;
    const task_extents& items;
    std::initializer_list<operand_ref> given;
    forall_arguments& all;

    void check() {
        check_forall(kernel.call, items, given, all);
        check_items();
    }
    int gpu() const { return all.gpu; }
    std::string operand_on_gpu() const {
        int index = 0;
        while (all.sources[index]->is_scalar || all.sources[index]->place.kind == memory::host) ++index;
        return kernel.call.parameters[index].name;
    }
    bool has_work() const { return all.count > 0; }
    void run_on_cuda(const executor& where) {
        plan();
        run_forall_on_cuda(kernel.call, all, where);
    }
    void run_on_simulator() {
        plan();
        check_simulated(kernel.call.name, kernel.call.simulator(all.call(kernel.call), nullptr));
    }
    void run_on_cpu() {
        const blocks_call call = all.call(kernel.call);
        in_parallel_by_turns(block_count(),
                             [&](std::int64_t begin, std::int64_t end) { kernel.call.cpu(call, begin, end); });
    }

  private:
    std::int64_t block_count() const {
        std::int64_t count = 1;
        for (int axis = 0; axis < kernel.call.index_rank; ++axis)
            count *= (all.tasks[axis] + kernel.extents[axis] - 1) / kernel.extents[axis];
        return count;
    }
    /// Throws shape_error if a view has no element for some of the items that each access one: blocks are whole, and
    /// the last ones may have items beyond those that were asked for.
    void check_items() const {
        int index = 0;
        for (const operand_ref& view : given) {
            const forall_parameter& parameter = kernel.call.parameters[index++];
            if (!parameter.is_of_all_items || all.count == 0) continue;
            for (int axis = 0; axis < parameter.rank; ++axis) {
                const std::int64_t extent = kernel.extents[axis], elements = view.layout.shape[axis],
                                   blocks = (all.tasks[axis] + extent - 1) / extent;
                if (elements >= blocks * extent) continue;
                const std::string name = parameter.name;
                throw shape_error(std::string(kernel.call.name) + ": whole blocks have " +
                                  std::to_string(blocks * extent) + " items along axis " + std::to_string(axis) +
                                  ", each of which accesses an element of " + name + ", and " + name + ", of shape " +
                                  to_string(view.layout.shape) + ", has " + std::to_string(elements) +
                                  " there: in the kernel, if (" + name +
                                  ".has(b.at(t))) leaves out the items that have none");
            }
        }
    }
    /// Checks that a GPU has room for the blocks, and for what their items share.
    void plan() {
        const std::string name = kernel.call.name;
        const std::int64_t bytes = kernel.bytes_shared(all.call(kernel.call)), blocks = block_count();
        if (bytes > max_shared_bytes)
            throw std::invalid_argument(name + ": the items of a block share " + std::to_string(bytes) +
                                        " bytes, and a GPU's blocks have at most " + std::to_string(max_shared_bytes));
        if (blocks > max_grid_blocks)
            throw std::invalid_argument(name + ": " + std::to_string(blocks) + " blocks are more than " +
                                        std::to_string(max_grid_blocks) + ", the most that one launch can have");
        all.shared_bytes = static_cast<std::uint32_t>(bytes);
    }
};

}  // namespace

void blocks(const blocks_kernel& kernel, const task_extents& items, std::initializer_list<operand_ref> given,
            const executor& requested) {
    forall_arguments all(requested);
    run_call(kernel.call, blocks_request{kernel, items, given, all}, requested);
}

}  // namespace foldwise::detail
