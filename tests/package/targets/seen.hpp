#pragma once

#include <by_rule.hpp>
#include <by_target.hpp>
#include <folder.hpp>

#ifdef __STRICT_ANSI__
#define STRICT 1
#else
#define STRICT 0
#endif

#ifdef AGAIN
#define SEEN_AGAIN 1
#else
#define SEEN_AGAIN 0
#endif

inline int seen() { return 10000 * MADE_BY_RULE + 1000 * MADE_BY_TARGET + 100 * FOLDER + 10 * STRICT + SEEN_AGAIN; }
