// foldwise/runtime.hpp: includes everything that a generated header needs to declare its functions.
#pragma once

#include <foldwise/detail/cxx20.hpp>
#if __cplusplus >= 202002L

#include <foldwise/array.hpp>
#include <foldwise/bfloat16.hpp>
#include <foldwise/call.hpp>
#include <foldwise/copy.hpp>
#include <foldwise/detail/spec_mistakes.hpp>
#include <foldwise/error.hpp>
#include <foldwise/executor.hpp>
#include <foldwise/half.hpp>
#include <foldwise/operand.hpp>
#include <foldwise/reduce_options.hpp>
#include <foldwise/restarts.hpp>
#include <foldwise/scan_options.hpp>
#include <foldwise/shape.hpp>
#include <foldwise/steps.hpp>
#include <foldwise/tasks.hpp>
#include <foldwise/view.hpp>

#endif  // C++20
