// generator/model/Instances.cpp
#include "Instances.hpp"

#include <llvm/Support/ErrorHandling.h>

namespace foldwise {

std::vector<Instance> instancesOf(Pattern pattern, const Signature& signature) {
    const bool has_inputs = !signature.inputs.empty(), takes_index = signature.indexRank > 0;
    switch (pattern) {
    case Pattern::Vectorize:
        return {
#define FOLDWISE_VECTORIZE_INSTANCE(name, description, condition) {#name, description, condition},
#include <foldwise/detail/vectorize_instances.def>
#undef FOLDWISE_VECTORIZE_INSTANCE
        };
    case Pattern::Reduce:
        return {
#define FOLDWISE_REDUCE_INSTANCE(name, folder, reading, description) {#name, description},
#include <foldwise/detail/reduce_instances.def>
#undef FOLDWISE_REDUCE_INSTANCE
        };
    case Pattern::Forall:
        return {
#define FOLDWISE_FORALL_INSTANCE(name, description) {#name, description},
#include <foldwise/detail/forall_instances.def>
#undef FOLDWISE_FORALL_INSTANCE
        };
    }
    llvm_unreachable("a pattern");
}

}  // namespace foldwise
