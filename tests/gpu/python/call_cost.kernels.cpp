// What call_cost.cpp calls: the same sums that Python calls as functions.add and functions.sum.
#include <foldwise/spec.hpp>

#include <functional>

namespace functions {

auto add = foldwise::vectorize<float(float, float)>(std::plus<>{});
auto sum = foldwise::reduce<float>(std::plus<>{}, foldwise::identity(0));

}  // namespace functions
