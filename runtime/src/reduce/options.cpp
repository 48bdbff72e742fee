// runtime/src/reduce/options.cpp: merges the options of one call of a reduction.
#include <foldwise/reduce_options.hpp>

#include "second_option.hpp"

namespace foldwise::detail {

const foldwise::executor& reduce_options::where_to_run() const {
    static const foldwise::executor unspecified;
    return executor ? *executor : unspecified;
}

reduce_options together(std::initializer_list<reduce_option_ref> all) {
    reduce_options options;
    for (const reduce_option_ref& one : all) {
        switch (one.kind) {
        case reduce_option_kind::nothing:
            break;
        case reduce_option_kind::executor:
            check_is_first(options.executor, "executor");
            options.executor = static_cast<const executor*>(one.value);
            break;
        case reduce_option_kind::initial:
            check_is_first(options.initial, "initial value");
            options.initial = one.value;
            break;
        case reduce_option_kind::keepdims:
            options.keepdims = true;
            break;
        }
    }
    return options;
}

reduce_options together(const shape& whole, std::initializer_list<reduce_option_ref> all) {
    reduce_options options = together(all);
    options.whole = &whole;
    return options;
}

}  // namespace foldwise::detail
