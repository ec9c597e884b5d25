/* SPDX-License-Identifier: Apache-2.0 */
/* Where the questions come from: lines that a person types, with libedit's cursor keys and history, or the lines of a
   pipe. And Ctrl-C, which stops an answer and not the program. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>

typedef struct Terminal Terminal;

/* NULL: there is no memory. From now on Ctrl-C ends nothing by itself, but a program that waits for a pipe. */
Terminal *terminal_open(void);
void terminal_close(Terminal *terminal); /* NULL is allowed */

/* The next line, without the newline at its end (one that was pasted may have others within); NULL: there are no more.
   It is the caller's to change, and holds until the next call. */
char *terminal_read_line(Terminal *terminal);

/* From here to the next line Ctrl-C is remembered, and what is typed waits unseen. */
void terminal_begin_answer(Terminal *terminal);

/* Whether Ctrl-C was pressed since the answer began. */
bool terminal_interrupted(void);

#endif
