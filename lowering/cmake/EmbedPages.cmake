# SPDX-License-Identifier: Apache-2.0
# cmake -DPAGES=N0001.md;N0002.md... -DOUT=Pages.inc -P EmbedPages.cmake
# Writes one `{NUMBER, R"page(TEXT)page"},` for each page.
set(table "")
foreach(page IN LISTS PAGES)
  cmake_path(GET page STEM name)
  string(REGEX REPLACE "^N0*" "" number ${name})
  file(READ ${page} text)
  string(APPEND table "{${number}, R\"page(${text})page\"},\n")
endforeach()
file(WRITE ${OUT} "${table}")
