// What an axis is called stands in C and in names tables, so it is a word.
// RUN: %nax-cxx -fsyntax-only %s
// RUN: not %nax-cxx -fsyntax-only -DNAME='"a.b"' %s 2>&1 | FileCheck %s
// RUN: not %nax-cxx -fsyntax-only -DNAME='""' %s 2>&1 | FileCheck %s
// RUN: not %nax-cxx -fsyntax-only -DNAME='"2D"' %s 2>&1 | FileCheck %s
// RUN: %if gxx12 %{ not %gxx -fsyntax-only -DNAME='"H*D"' %s 2>&1 | FileCheck %s %}
// REQUIRES: clang22
#include <nax/nax.h>

#ifndef NAME
#define NAME "double"
#endif
// CHECK-DAG: error: static assertion failed{{.*}}: the name of an axis is a word of letters, digits and _, and begins with no digit
// CHECK-DAG: axis-names.cpp:[[#@LINE+1]]:
struct Odd : nax::Axis<NAME, 3> {};
