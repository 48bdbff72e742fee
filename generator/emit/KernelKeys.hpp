// generator/emit/KernelKeys.hpp: the keys that the templates of all patterns' kernels have in common.
#pragma once

#include "../model/Instances.hpp"
#include "EmitPattern.hpp"

namespace foldwise {

/// What templates see of every signature: names, the instances of its kernel, the backends.
llvm::json::Object commonKeys(const KernelSpec& kernel, const Signature& signature, const SignaturePlan& plan,
                              const std::vector<Instance>& instances, const Emission& emission);

/// What templates see of an operand whose elements are read or written one by one. `index` counts among the inputs or
/// among the outputs, `number` among all operands.
llvm::json::Object operandKeys(const Operand& operand, std::size_t index, std::size_t number,
                               const SignaturePlan& plan);

/// The inputs, which are the first operands.
llvm::json::Array inputKeys(const std::vector<Operand>& inputs, const SignaturePlan& plan);

/// The name, element type and size of each operand, and the rank of a whole array, for the report beside the build.
llvm::json::Array operandReport(const std::vector<Operand>& operands);

/// "float, std::int32_t"
std::string typesOf(const std::vector<Operand>& operands);

/// The keys of both.
llvm::json::Object with(llvm::json::Object keys, llvm::json::Object more);

/// A number as templates see it.
std::string text(std::size_t number);

/// A value that becomes one of another type, if it `converts`.
std::string converted(bool converts, const std::string& type, const std::string& value);

/// The name of a function beside the kernel, as it can be called from anywhere.
std::string globalName(const KernelSpec& kernel, const std::string& function);

/// What is called for a body that bears the name `function`, unless it has one of the user's.
std::string called(const KernelSpec& kernel, const Body& body, const std::string& function);

}  // namespace foldwise
