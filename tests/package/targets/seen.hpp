#pragma once

#include <by_rule.hpp>
#include <by_target.hpp>
#include <folder.hpp>
#include <nearest.hpp>

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

#ifdef UNDEFINED
#define SEEN_UNDEFINED 1
#else
#define SEEN_UNDEFINED 0
#endif

inline int seen() {
    return 1000000 * MADE_BY_RULE + 100000 * MADE_BY_TARGET + 10000 * FOLDER + 1000 * STRICT + 100 * SEEN_AGAIN +
           10 * NEAREST + SEEN_UNDEFINED;
}
