// What a translation unit sees of the options that it is compiled with: a number for each of them, 0 where there is
// none.
#pragma once

#include "quote_folder.hpp"

#include <after.hpp>
#include <by_flag.hpp>
#include <by_option.hpp>
#include <from_library.hpp>
#include <from_property.hpp>
#include <generated.hpp>
#include <guarded_folder.hpp>

#ifndef IN_FLAGS
#define IN_FLAGS 0
#endif
#ifndef APART_IN_FLAGS
#define APART_IN_FLAGS 0
#endif
#ifndef IN_FLAGS_OF_CONFIGURATION
#define IN_FLAGS_OF_CONFIGURATION 0
#endif
#ifndef UNDEFINED_IN_RELEASE
#define UNDEFINED_IN_RELEASE 0
#endif
#ifndef IN_DIRECTORY_OPTION
#define IN_DIRECTORY_OPTION 0
#endif
#ifndef IN_DIRECTORY_DEFINITION
#define IN_DIRECTORY_DEFINITION 0
#endif
#ifndef ONLY_IN_C
#define ONLY_IN_C 0
#endif
#ifndef IN_LIBRARY_OPTION
#define IN_LIBRARY_OPTION 0
#endif
#ifndef GUARDED_IN_LIBRARY
#define GUARDED_IN_LIBRARY 0
#endif
#ifndef GUARDED_DEFINITION
#define GUARDED_DEFINITION 0
#endif
#ifndef REDEFINED
#define REDEFINED 0
#endif
#ifndef UNDEFINED
#define UNDEFINED 0
#endif
#ifndef IN_DEBUG
#define IN_DEBUG 0
#endif
#ifndef JOINED
#define JOINED 0
#endif
#ifndef APART
#define APART 0
#endif
#ifndef QUOTED
#define QUOTED 0
#endif
#ifndef BOTH_WAYS
#define BOTH_WAYS 0
#endif
#ifndef GUARDED_OPTION
#define GUARDED_OPTION 0
#endif
#ifndef IN_RELEASE
#define IN_RELEASE 0
#endif
#ifndef IN_COMPILE_FLAGS
#define IN_COMPILE_FLAGS 0
#endif
#ifndef APART_IN_COMPILE_FLAGS
#define APART_IN_COMPILE_FLAGS 0
#endif
#ifndef OF_THE_FILE
#define OF_THE_FILE 0
#endif
#ifndef OPTION_OF_THE_FILE
#define OPTION_OF_THE_FILE 0
#endif
#ifndef FLAG_OF_THE_FILE
#define FLAG_OF_THE_FILE 0
#endif
#ifndef IN_FLAGS_AFTERWARDS
#define IN_FLAGS_AFTERWARDS 0
#endif
#ifndef BY_OPTION
#define BY_OPTION 0
#endif
#ifndef BY_FLAG
#define BY_FLAG 0
#endif
#ifndef AFTER
#define AFTER 0
#endif
#ifndef QUOTE_FOLDER
#define QUOTE_FOLDER 0
#endif
#ifndef FROM_LIBRARY
#define FROM_LIBRARY 0
#endif
#ifndef FROM_PROPERTY
#define FROM_PROPERTY 0
#endif
#ifndef GUARDED_FOLDER
#define GUARDED_FOLDER 0
#endif
#ifndef GENERATED
#define GENERATED 0
#endif
#ifndef FORCED
#define FORCED 0
#endif
#ifndef MACROS_ALONE
#define MACROS_ALONE 0
#endif
#ifdef OFF
#define IS_OFF 1
#else
#define IS_OFF 0
#endif

#ifdef __FAST_MATH__
#define FAST_MATH 1
#else
#define FAST_MATH 0
#endif

#ifdef __GXX_RTTI
#define RTTI 1
#else
#define RTTI 0
#endif

#ifdef __POPCNT__
#define POPCNT 1
#else
#define POPCNT 0
#endif

#ifdef NDEBUG
#define NO_DEBUG 1
#else
#define NO_DEBUG 0
#endif

enum tiny { first, second };

// X(name, number), a line for each.
#define WHAT_IS_SEEN(X)                                                                                                \
    X("IN_FLAGS", (IN_FLAGS))                                                                                          \
    X("APART_IN_FLAGS", (APART_IN_FLAGS))                                                                              \
    X("IN_FLAGS_OF_CONFIGURATION", (IN_FLAGS_OF_CONFIGURATION))                                                        \
    X("UNDEFINED_IN_RELEASE", (UNDEFINED_IN_RELEASE))                                                                  \
    X("IN_DIRECTORY_OPTION", (IN_DIRECTORY_OPTION))                                                                    \
    X("IN_DIRECTORY_DEFINITION", (IN_DIRECTORY_DEFINITION))                                                            \
    X("ONLY_IN_C", (ONLY_IN_C))                                                                                        \
    X("IN_LIBRARY_OPTION", (IN_LIBRARY_OPTION))                                                                        \
    X("GUARDED_IN_LIBRARY", (GUARDED_IN_LIBRARY))                                                                      \
    X("GUARDED_DEFINITION", (GUARDED_DEFINITION))                                                                      \
    X("REDEFINED", (REDEFINED))                                                                                        \
    X("UNDEFINED", (UNDEFINED))                                                                                        \
    X("IN_DEBUG", (IN_DEBUG))                                                                                          \
    X("JOINED", (JOINED))                                                                                              \
    X("APART", (APART))                                                                                                \
    X("QUOTED", (QUOTED))                                                                                              \
    X("BOTH_WAYS", (BOTH_WAYS))                                                                                        \
    X("GUARDED_OPTION", (GUARDED_OPTION))                                                                              \
    X("IN_RELEASE", (IN_RELEASE))                                                                                      \
    X("IN_COMPILE_FLAGS", (IN_COMPILE_FLAGS))                                                                          \
    X("APART_IN_COMPILE_FLAGS", (APART_IN_COMPILE_FLAGS))                                                              \
    X("OF_THE_FILE", (OF_THE_FILE))                                                                                    \
    X("OPTION_OF_THE_FILE", (OPTION_OF_THE_FILE))                                                                      \
    X("FLAG_OF_THE_FILE", (FLAG_OF_THE_FILE))                                                                          \
    X("IN_FLAGS_AFTERWARDS", (IN_FLAGS_AFTERWARDS))                                                                    \
    X("BY_OPTION", (BY_OPTION))                                                                                        \
    X("BY_FLAG", (BY_FLAG))                                                                                            \
    X("AFTER", (AFTER))                                                                                                \
    X("QUOTE_FOLDER", (QUOTE_FOLDER))                                                                                  \
    X("FROM_LIBRARY", (FROM_LIBRARY))                                                                                  \
    X("FROM_PROPERTY", (FROM_PROPERTY))                                                                                \
    X("GUARDED_FOLDER", (GUARDED_FOLDER))                                                                              \
    X("GENERATED", (GENERATED))                                                                                        \
    X("FORCED", (FORCED))                                                                                              \
    X("MACROS_ALONE", (MACROS_ALONE))                                                                                  \
    X("TEXT", static_cast<int>(sizeof TEXT))                                                                           \
    X("OFF", IS_OFF)                                                                                                   \
    X("__cplusplus", static_cast<int>(__cplusplus > 202002L))                                                          \
    X("NDEBUG", NO_DEBUG)                                                                                              \
    X("__FAST_MATH__", FAST_MATH)                                                                                      \
    X("RTTI", RTTI)                                                                                                    \
    X("__POPCNT__", POPCNT)                                                                                            \
    X("sizeof(enum)", static_cast<int>(sizeof(tiny)))                                                                  \
    X("char(-1)", static_cast<int>(static_cast<char>(-1)))

constexpr int seen_count = 0
#define COUNT(name, number) +1
    WHAT_IS_SEEN(COUNT);
#undef COUNT

inline int seen(int what) {
    int at = 0;
#define RETURN(name, number)                                                                                           \
    if (what == at++) return number;
    WHAT_IS_SEEN(RETURN)
#undef RETURN
    return -1;
}
