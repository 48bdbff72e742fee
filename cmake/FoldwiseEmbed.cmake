# foldwise_embed_files: text files become constants of a C++ target. Also the script that its build rule runs.
#
#   foldwise_embed_files(TARGET <target> NAME <function> FILES <file>...)
#
# adds to the target a source file and a header "<function>.hpp" which declares, in namespace foldwise,
#
#   struct EmbeddedFile { std::string_view name, text; };   // the name is the file's own, without its folder
#   std::span<const EmbeddedFile> <function>();              // in the order of FILES
function(foldwise_embed_files)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;NAME" "FILES")
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_FILE})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/embedded)
  list(TRANSFORM arg_FILES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ REGEX "^[^/]")
  add_custom_command(
    OUTPUT ${folder}/${arg_NAME}.hpp ${folder}/${arg_NAME}.cpp
    COMMAND ${CMAKE_COMMAND} -DNAME=${arg_NAME} -DFOLDER=${folder} "-DFILES=${arg_FILES}" -P ${script}
    DEPENDS ${arg_FILES} ${script}
    COMMENT "Embedding ${arg_NAME}"
    VERBATIM)
  target_sources(${arg_TARGET} PRIVATE ${folder}/${arg_NAME}.hpp ${folder}/${arg_NAME}.cpp)
  target_include_directories(${arg_TARGET} PRIVATE ${folder})
endfunction()

if(NOT CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  return()
endif()

file(WRITE ${FOLDER}/${NAME}.hpp "// ${NAME}.hpp: generated; text files of the source tree as constants.
#pragma once

#include <span>
#include <string_view>

namespace foldwise {
struct EmbeddedFile {
    std::string_view name, text;
};
std::span<const EmbeddedFile> ${NAME}();
}  // namespace foldwise
")
set(rows "")
foreach(file IN LISTS FILES)
  # Read as hexadecimal digits: CMake's own strings would stumble over semicolons, brackets and final newlines.
  file(READ ${file} bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(................................................................)" "\\1\"\n    \"" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${bytes}")
  get_filename_component(name ${file} NAME)
  string(APPEND rows "    {\"${name}\", std::string_view(\n    \"${bytes}\", ${size})},\n")
endforeach()
file(WRITE ${FOLDER}/${NAME}.cpp "// ${NAME}.cpp: generated; text files of the source tree as constants.
#include \"${NAME}.hpp\"

namespace foldwise {
static constexpr EmbeddedFile files[] = {
${rows}};
std::span<const EmbeddedFile> ${NAME}() { return files; }
}  // namespace foldwise
")
