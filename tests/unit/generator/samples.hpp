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
Signature signatureOf(const std::vector<ElementType>& inputs, const ElementType& output);
KernelSpec kernelOf(std::vector<Signature> signatures);

/// The same of a reduction of one input.
Signature foldOf(const ElementType& element, const ElementType& accumulator, const ElementType& result);
KernelSpec reductionOf(std::vector<Signature> signatures);

/// A view of the same rank as the tasks' index, whose element each task writes.
TaskParameter writtenView(const std::string& name, const ElementType& element, std::uint32_t rank);
/// A forall kernel of one signature.
KernelSpec tasksOf(std::uint32_t indexRank, std::vector<TaskParameter> parameters);

/// A unit in which every field of the model has a value, and every section of the view is there.
UnitSpec fullUnit();

}  // namespace foldwise
