// Of this header only the macros are seen: -imacros.
#define MACROS_ALONE 33
this is not C++
