// What is left of macros that are defined several times.
#pragma once

inline constexpr int seen = SORTED * 10000 + SORTED_IN_LIBRARY * 100 + OF_THE_FILE_TOO;
