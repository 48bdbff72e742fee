// What call_cost.cpp calls: the same sum that Python calls as functions.add.
#include <foldwise/spec.hpp>

#include <functional>

namespace functions {

auto add = foldwise::vectorize<float(float, float)>(std::plus<>{});

}  // namespace functions
