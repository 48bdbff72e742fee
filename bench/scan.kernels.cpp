// bench/scan.kernels.cpp: running sums.
#include <foldwise/spec.hpp>

#include <functional>

namespace bench {

auto running = foldwise::scan<float>(std::plus<>{}, foldwise::identity(0));

}  // namespace bench
