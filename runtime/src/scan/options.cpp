// runtime/src/scan/options.cpp: merges the options of one call of a scan.
#include <foldwise/scan_options.hpp>

#include "second_option.hpp"

namespace foldwise::detail {

const foldwise::executor& scan_options::where_to_run() const {
    static const foldwise::executor unspecified;
    return executor ? *executor : unspecified;
}

scan_options together(std::initializer_list<scan_option_ref> all) {
    scan_options options;
    for (const scan_option_ref& one : all) {
        switch (one.kind) {
        case scan_option_kind::nothing:
            break;
        case scan_option_kind::exclusive:
            check_is_first(options.is_exclusive, "exclusive");
            options.is_exclusive = true;
            break;
        case scan_option_kind::reverse:
            check_is_first(options.is_reverse, "reverse");
            options.is_reverse = true;
            break;
        case scan_option_kind::axes:
            check_is_first(options.axes, "axis");
            options.axes = static_cast<const axes*>(one.value);
            break;
        case scan_option_kind::executor:
            check_is_first(options.executor, "executor");
            options.executor = static_cast<const executor*>(one.value);
            break;
        case scan_option_kind::restarts:
            check_is_first(options.where, "by_key or segments");
            options.where = static_cast<const restarts*>(one.value);
            break;
        case scan_option_kind::initial:
            check_is_first(options.initial, "initial value");
            options.initial = one.value;
            break;
        case scan_option_kind::part:
            check_is_first(options.part, "part");
            options.part = static_cast<const scan_part*>(one.value);
            break;
        }
    }
    return options;
}

scan_options together(const shape& whole, std::initializer_list<scan_option_ref> all) {
    scan_options options = together(all);
    options.whole = &whole;
    return options;
}

}  // namespace foldwise::detail
