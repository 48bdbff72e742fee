# foldwise_static_clang: Clang and LLVM from their archives, so that the generator runs where there is no LLVM. The targets
# of Clang's package are of no use for that: where LLVM's own tools link libLLVM.so, they link it as well.
set(clang_archives
  Tooling ToolingCore ToolingInclusions DependencyScanning Format Frontend Driver Parse Serialization Sema Analysis
  AnalysisLifetimeSafety Edit AST ASTMatchers Lex Basic Rewrite Options Support APINotes Index)
set(llvm_components
  option frontendopenmp frontendhlsl frontendoffloading windowsdriver targetparser bitstreamreader bitreader profiledata
  plugins support core object mc irreader)

find_program(FOLDWISE_LLVM_CONFIG NAMES llvm-config HINTS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH REQUIRED)
execute_process(COMMAND ${FOLDWISE_LLVM_CONFIG} --link-static --libfiles ${llvm_components}
  OUTPUT_VARIABLE llvm_archives OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(llvm_archives UNIX_COMMAND "${llvm_archives}")

list(TRANSFORM clang_archives REPLACE "(.+)" "${LLVM_LIBRARY_DIR}/libclang\\1.a")
foreach(archive IN LISTS clang_archives llvm_archives)
  if(NOT EXISTS ${archive})
    message(FATAL_ERROR "FOLDWISE_STATIC_GENERATOR: there is no ${archive}; install LLVM's and Clang's archives (Debian: llvm-22-dev, libclang-22-dev)")
  endif()
endforeach()
foreach(library z zstd)
  find_library(FOLDWISE_ARCHIVE_${library} lib${library}.a)
  if(NOT FOLDWISE_ARCHIVE_${library})
    message(FATAL_ERROR "FOLDWISE_STATIC_GENERATOR: there is no lib${library}.a (Debian: zlib1g-dev, libzstd-dev)")
  endif()
endforeach()

add_library(foldwise_static_clang INTERFACE)
target_link_libraries(foldwise_static_clang INTERFACE
  -Wl,--start-group ${clang_archives} ${llvm_archives} -Wl,--end-group
  ${FOLDWISE_ARCHIVE_z} ${FOLDWISE_ARCHIVE_zstd} ${CMAKE_DL_LIBS} rt m)

# What is linked in is others' work, whose notices go with it.
foreach(package libclang-${LLVM_VERSION_MAJOR}-dev llvm-${LLVM_VERSION_MAJOR}-dev zlib1g-dev libzstd-dev)
  install(FILES /usr/share/doc/${package}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/foldwise/notices
    RENAME ${package} OPTIONAL)
endforeach()
