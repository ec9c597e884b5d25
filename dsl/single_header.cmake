# SPDX-License-Identifier: Apache-2.0
# cmake -DFROM=dsl/include -DTO=build/include/nax/nax.h -P single_header.cmake
#
# Writes nax/nax.h with all of nax's headers in it, each include of a system header once and in its place. Models include
# this one: compilers' messages then have no chain of "included from" lines. TO.d is its depfile.
cmake_minimum_required(VERSION 3.25)
set(kept "")    # lines of #include <...> written so far, and headers of ours
set(sources "") # files read
file(WRITE ${TO}.new "// SPDX-License-Identifier: Apache-2.0
// The language nax in one header, which a build makes of dsl/include. Change it there.
#pragma once
#pragma GCC system_header
")

# Appends the header `name` with what it includes.
function(flatten name)
  file(READ ${FROM}/${name} text)
  list(APPEND sources ${FROM}/${name})
  if(text MATCHES "\n#pragma once\n")
    list(APPEND kept "#include \"${name}\"")
  endif()
  string(REPLACE "\n#pragma once\n" "\n" text "${text}")
  string(REPLACE "\n#pragma GCC system_header\n" "\n" text "${text}")
  string(REGEX REPLACE "^// SPDX-[^\n]*" "" text "${text}")
  # What is said of a header comes after what it includes at its top.
  string(REGEX MATCH "^(\n//[^\n]*)*" comment "${text}")
  string(LENGTH "${comment}" at)
  string(SUBSTRING "${text}" ${at} -1 text)
  while(TRUE)
    string(FIND "${text}" "\n#include " at)
    if(at EQUAL -1)
      break()
    endif()
    if(at GREATER 0)
      string(SUBSTRING "${text}" 0 ${at} before)
      file(APPEND ${TO}.new "${comment}${before}\n")
      set(comment "")
    endif()
    math(EXPR at "${at} + 1")
    string(SUBSTRING "${text}" ${at} -1 text)
    string(FIND "${text}" "\n" end)
    string(SUBSTRING "${text}" 0 ${end} line)
    string(SUBSTRING "${text}" ${end} -1 text)
    if(line IN_LIST kept)
      # There already.
    elseif(line MATCHES "^#include \"(nax/.*)\"")
      flatten(${CMAKE_MATCH_1})
    else()
      list(APPEND kept "${line}")
      file(APPEND ${TO}.new "${line}\n")
    endif()
  endwhile()
  file(APPEND ${TO}.new "${comment}${text}")
  set(kept "${kept}" PARENT_SCOPE)
  set(sources "${sources}" PARENT_SCOPE)
endfunction()

flatten(nax/nax.h)
file(READ ${TO}.new text)
string(REGEX REPLACE "\n\n\n+" "\n\n" text "${text}")
# A compiler that reads it meanwhile has the old one or the new one.
file(WRITE ${TO}.new "${text}")
file(RENAME ${TO}.new ${TO})
list(JOIN sources " " sources)
file(WRITE ${TO}.d "${TO}: ${sources}\n")
