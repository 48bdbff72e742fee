// generator/emit/KernelView.hpp: what templates see of a kernel, for one set of types.
#pragma once

#include "View.hpp"

namespace foldwise {

/// Of a vectorize kernel: an element of `signatures`.
llvm::json::Object vectorizeView(const KernelSpec& kernel, const Signature& signature, const SignaturePlan& plan,
                                 const Backends& backends);

/// Of a reduction: an element of `folds`.
llvm::json::Object reduceView(const KernelSpec& kernel, const Signature& signature, const SignaturePlan& plan,
                              const FoldNames& names, const Backends& backends, llvm::StringRef attributes);

/// Of a forall kernel: an element of `tasks`.
llvm::json::Object forallView(const KernelSpec& kernel, const Signature& signature, const SignaturePlan& plan,
                              const Backends& backends);

/// Whether a fold's identity is written with std::numeric_limits.
bool usesLimits(const KernelSpec& kernel);

}  // namespace foldwise
