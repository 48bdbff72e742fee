// tests/unit/generator/samples.hpp: values of the model that tests start from.
#pragma once

#include "model/KernelSpec.hpp"

namespace foldwise {

ElementType floatType();
ElementType doubleType();
ElementType int8Type();
ElementType boolType();

/// A signature of inputs named x0, x1, ... and the output `out`.
Signature signatureOf(const std::vector<ElementType>& inputs, const ElementType& output);
KernelSpec kernelOf(std::vector<Signature> signatures);

/// The same of a reduction of one input.
Signature foldOf(const ElementType& element, const ElementType& accumulator, const ElementType& result);
KernelSpec reductionOf(std::vector<Signature> signatures);

/// A unit in which every field of the model has a value, and every section of the view is there.
UnitSpec fullUnit();

}  // namespace foldwise
