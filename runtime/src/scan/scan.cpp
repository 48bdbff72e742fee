// runtime/src/scan/scan.cpp: runs one call of a scan, from its operands to its backend.
#include <foldwise/detail/scan.hpp>

#include "call.hpp"
#include "scan/restarts.hpp"
#include "scan/run_scan.hpp"

#include <foldwise/error.hpp>

#include <string>

namespace foldwise::detail {

namespace {

/// One call of a scan, as run_call() takes it.
struct scan_request {
    const scan_kernel& kernel;
    std::initializer_list<operand_ref> inputs;
    const operand_ref& out;
    const scan_options& options;
    scan_arguments& all;

    void check() {
        normalise(kernel, inputs, out, options, all);
        const bool begins = options.initial || (options.part && (options.part->starts || options.part->ends));
        if (options.is_exclusive && !begins && !kernel.has_identity)
            throw empty_error(std::string(kernel.name) +
                              ": an exclusive scan without an identity needs foldwise::initial(value)");
    }
    int gpu() const { return all.gpu; }
    std::string operand_on_gpu() const {
        for (int i = 0; i <= kernel.inputs; ++i)
            if (!all.sources[i]->is_value() && all.sources[i]->place.kind != memory::host)
                return std::string("operand ") + kernel.operands[i].name;
        return std::string("the array of ") + name_of(*options.where);
    }
    bool has_work() const { return all.count > 0; }
    void run_on_cuda(const executor& where) { run_scan_on_cuda(kernel, all, options, options.initial, where); }
    void run_on_simulator() { run_scan_on_simulator(kernel, all.call(kernel, options, options.initial)); }
    void run_on_cpu() { run_scan_on_cpu(kernel, all.call(kernel, options, options.initial)); }
};

}  // namespace

void scan(const scan_kernel& kernel, std::initializer_list<operand_ref> inputs, const operand_ref& out,
          const scan_options& options) {
    scan_arguments all(options.where_to_run());
    run_call(kernel, scan_request{kernel, inputs, out, options, all}, options.where_to_run());
}

result_place place_scan(const scan_kernel& kernel, std::initializer_list<operand_ref> inputs,
                        const scan_options& options) {
    return place_result(backends_of(kernel), shape_of(kernel, inputs, options), inputs, options.where_to_run());
}

}  // namespace foldwise::detail
