// tests/unit/generator/samples.hpp: values of the model that tests start from.
#pragma once

#include "model/KernelSpec.hpp"

namespace foldwise {

ElementType floatType();
ElementType doubleType();
ElementType int8Type();
ElementType pointType();  ///< A packed struct: stats::Point.
ElementType boolType();

/// A signature of inputs named x0, x1, ... and the output `out`.
VectorizeSignature vectorizeSignature(const std::vector<ElementType>& inputs, const ElementType& output);
KernelSpec vectorizeKernel(std::vector<VectorizeSignature> signatures);

/// A signature of the input x0 and the output `out`.
ReduceSignature reduceSignature(const ElementType& element, const ElementType& accumulator, const ElementType& result);
KernelSpec reduceKernel(std::vector<ReduceSignature> signatures);

/// A view of the same rank as the tasks' index, whose element each task writes.
ForallParameter writtenView(const std::string& name, const ElementType& element, std::uint32_t rank);
/// A kernel of one signature.
KernelSpec forallKernel(std::uint32_t indexRank, std::vector<ForallParameter> parameters);

/// A unit in which every field of the model has a value, and every section of the view is there.
UnitSpec fullUnit();

}  // namespace foldwise
