# SPDX-License-Identifier: Apache-2.0
# Functions that declare the libraries, tools and generated headers of lowering/.

set(NAX_LOWERING_DIR ${CMAKE_CURRENT_LIST_DIR}/..)

# What everything in lowering/ is compiled with. Debian's LLVM has RTTI on,
# exceptions off.
add_library(nax_lowering_options INTERFACE)
target_compile_options(nax_lowering_options INTERFACE -fno-exceptions)
target_include_directories(nax_lowering_options INTERFACE
  ${NAX_LOWERING_DIR}/include
  ${PROJECT_BINARY_DIR}/lowering/include
  # The description of a model that objects carry.
  ${PROJECT_SOURCE_DIR}/runtime/include)
target_include_directories(nax_lowering_options SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
separate_arguments(nax_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(nax_lowering_options INTERFACE ${nax_llvm_definitions})
target_link_libraries(nax_lowering_options INTERFACE nax_options)

# MLIR's headers cost 5 to 10 seconds a file; parsed once they cost one.
add_library(nax_pch STATIC ${CMAKE_CURRENT_LIST_DIR}/Pch.cpp)
target_link_libraries(nax_pch PUBLIC nax_lowering_options)
target_precompile_headers(nax_pch PRIVATE ${CMAKE_CURRENT_LIST_DIR}/Pch.h)

# All generated headers; every library waits for them.
add_custom_target(nax-tablegen)

# nax_tablegen(NAME TD OUTPUT FLAGS [OUTPUT FLAGS]...)
#   Runs mlir-tblgen on TD for each OUTPUT with the ;-list or quoted FLAGS:
#     nax_tablegen(NaxOpsIncGen Nax.td NaxOps.h.inc "-gen-op-decls" NaxOps.cpp.inc "-gen-op-defs")
function(nax_tablegen name td)
  set(rest ${ARGN})
  set(outputs "")
  while(rest)
    list(POP_FRONT rest output flags)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${output})
    add_custom_command(OUTPUT ${file}
      COMMAND $<TARGET_FILE:mlir-tblgen> ${flags}
              -I ${NAX_LOWERING_DIR}/include -I ${CMAKE_CURRENT_SOURCE_DIR}
              "-I$<JOIN:${MLIR_INCLUDE_DIRS},;-I>"
              ${CMAKE_CURRENT_SOURCE_DIR}/${td} --write-if-changed -o ${file} -d ${file}.d
      DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${td}
      DEPFILE ${file}.d
      COMMAND_EXPAND_LISTS
      COMMENT "mlir-tblgen ${output}"
      VERBATIM)
    list(APPEND outputs ${file})
  endwhile()
  add_custom_target(${name} DEPENDS ${outputs})
  add_dependencies(nax-tablegen ${name})
endfunction()

# nax_add_library(NAME SOURCES a.cpp ... [LINK NaxDialect ...])
#   A static library of lowering/. MLIR and LLVM come from their shared
#   libraries only, since static archives beside them register options twice.
function(nax_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_PCH" "" "SOURCES;LINK")
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC nax_lowering_options ${arg_LINK} MLIR LLVM)
  add_dependencies(${name} nax-tablegen)
  if(NOT arg_NO_PCH)
    target_precompile_headers(${name} REUSE_FROM nax_pch)
  endif()
endfunction()

# nax_add_tool(NAME SOURCES main.cpp [LINK NaxDialect ...])
function(nax_add_tool name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_PCH" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  if(NAX_SANITIZE)
    target_sources(${name} PRIVATE ${NAX_LOWERING_DIR}/cmake/AsanOptions.cpp)
  endif()
  # The precompiled header is built with -fPIC and fits no -fPIE compilation.
  # An installed tool finds libMLIR where the built one did.
  set_target_properties(${name} PROPERTIES
    POSITION_INDEPENDENT_CODE OFF
    INSTALL_RPATH_USE_LINK_PATH ON)
  target_compile_options(${name} PRIVATE -fPIC)
  target_link_libraries(${name} PRIVATE nax_lowering_options ${arg_LINK} MLIR LLVM)
  add_dependencies(${name} nax-tablegen)
  if(NOT arg_NO_PCH)
    target_precompile_headers(${name} REUSE_FROM nax_pch)
  endif()
  install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endfunction()
