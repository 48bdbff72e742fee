// generator/frontend/DeviceLibrary.cpp: the functions of <cmath> and <cstdlib> that CUDA overloads for device code
// ("Mathematical Functions", CUDA C++ Programming Guide).
#include "DeviceLibrary.hpp"

#include <llvm/ADT/StringSet.h>

namespace foldwise {

bool isDeviceFunction(llvm::StringRef name, unsigned parameters) {
    static const llvm::StringSet<> functions = {
        "abs",       "acos",      "acosh",  "asin",       "asinh",     "atan",       "atan2",     "atanh",  "cbrt",
        "ceil",      "copysign",  "cos",    "cosh",       "div",       "erf",        "erfc",      "exp",    "exp2",
        "expm1",     "fabs",      "fdim",   "floor",      "fma",       "fmax",       "fmin",      "fmod",   "fpclassify",
        "frexp",     "hypot",     "ilogb",  "isfinite",   "isgreater", "isgreaterequal", "isinf", "isless", "islessequal",
        "islessgreater", "isnan", "isnormal", "isunordered", "labs",   "ldexp",      "lgamma",    "llabs",  "llrint",
        "llround",   "log",       "log10",  "log1p",      "log2",      "logb",       "lrint",     "lround", "modf",
        "nan",       "nanf",      "nearbyint", "nextafter", "pow",     "remainder",  "remquo",    "rint",   "round",
        "scalbln",   "scalbn",    "signbit", "sin",       "sinh",      "sqrt",       "tan",       "tanh",   "tgamma",
        "trunc",     "rsqrt",     "printf",    "__assert_fail", "memcpy", "memset"};
    name.consume_front("std::");
    if (name == "hypot" && parameters == 3) return false;
    if (functions.contains(name)) return true;
    return name.ends_with("f") && functions.contains(name.drop_back());
}

}  // namespace foldwise
