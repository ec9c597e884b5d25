# SPDX-License-Identifier: Apache-2.0
# nax_add_model, for this tree (targets naxc and naxrt) and for users of an
# installed nax (find_package(nax) makes the same targets).

# nax_add_model(NAME SOURCES model.cpp...
#               [CPU level...]            v2 v3 v4 v4+ amx, native, or neon; what naxc does by itself unless said
#               [DECODE entry...]         entries whose step is derived, as NAX_DECODE in the model does
#               [OPTIONS option...]       more options for naxc, such as -I or -D
#               [DEPENDS file...])        what the sources include
#   A static library NAME: the compiled model, its headers' folder and libnaxrt.
#   NAX_MODEL's name in the source must be NAME, since it names the C functions.
#     nax_add_model(gpt SOURCES gpt.cpp)
#     target_link_libraries(app PRIVATE gpt)       # app.c: #include "gpt.h"
function(nax_add_model name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;CPU;DECODE;OPTIONS;DEPENDS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "nax_add_model(${name}): there is no argument ${arg_UNPARSED_ARGUMENTS}")
  elseif(NOT arg_SOURCES)
    message(FATAL_ERROR "nax_add_model(${name}): SOURCES is missing")
  endif()
  set(cpu "")
  if(arg_CPU)
    list(JOIN arg_CPU "," cpu)
    set(cpu --cpu=${cpu})
  endif()
  set(decode "")
  if(arg_DECODE)
    list(JOIN arg_DECODE "," decode)
    set(decode --decode=${decode})
  endif()

  set(sources "")
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    list(APPEND sources ${source})
  endforeach()

  # The language is a header that naxc passes to the host compiler.
  get_target_property(language nax::dsl INTERFACE_INCLUDE_DIRECTORIES)
  string(REGEX REPLACE "[$]<BUILD_INTERFACE:([^>]*)>" "\\1" language "${language}")
  list(GET language 0 language)

  # A folder of its own, so that the include path shows no other generated file.
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.nax)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${folder}/${name}.o ${folder}/${name}.h ${folder}/${name}.hpp
    COMMAND $<TARGET_FILE:nax::naxc> ${sources} -o ${folder}/${name}.o ${cpu} ${decode} ${arg_OPTIONS}
    DEPENDS ${sources} ${arg_DEPENDS} ${language}/nax/nax.h nax::naxc $<TARGET_NAME_IF_EXISTS:naxemit>
    COMMENT "naxc ${name}"
    VERBATIM)

  add_library(${name} STATIC ${folder}/${name}.o ${folder}/${name}.h ${folder}/${name}.hpp)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(${name} INTERFACE ${folder})
  target_link_libraries(${name} INTERFACE nax::naxrt m)
endfunction()
