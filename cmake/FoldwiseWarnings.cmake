# foldwise_warnings: the warnings that Foldwise's own C++ is compiled with.
add_library(foldwise_warnings INTERFACE)
add_library(Foldwise::warnings ALIAS foldwise_warnings)
set_target_properties(foldwise_warnings PROPERTIES EXPORT_NAME warnings)

# Only in this build: the target is exported because static libraries name what they were built with, yet no user's
# target inherits a warning from it.
target_compile_options(foldwise_warnings INTERFACE
  "$<BUILD_INTERFACE:$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:-Wall;-Wextra;-Wpedantic;-Wconversion>>")

# GCC 12 sees overlaps and uninitialised bytes in its own inlined std::string (its bugs 105651 and 105562).
target_compile_options(foldwise_warnings INTERFACE
  "$<BUILD_INTERFACE:$<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict;-Wno-maybe-uninitialized>>")
