// foldwise/detail/lifetimebound.hpp: says of a parameter that what a function returns refers to it.
#pragma once

// Clang warns where what is returned outlives the argument.
#if defined(__clang__) && !defined(__CUDACC__)
#define FOLDWISE_LIFETIMEBOUND [[clang::lifetimebound]]
#else
#define FOLDWISE_LIFETIMEBOUND
#endif
