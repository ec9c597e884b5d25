/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "terminal.h"

#include <errno.h>
#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

struct Terminal {
  EditLine *editor; /* NULL: a pipe */
  History *history;
  char *line; /* of a pipe, from getline */
  size_t room;
};

static volatile sig_atomic_t interrupted, redraw;

/* A terminal that becomes larger or smaller, and Ctrl-Z with `fg` after it, ask for the line to be drawn anew. */
static void on_signal(int number) {
  if (number == SIGINT)
    interrupted = 1;
  else
    redraw = 1;
}

static char *prompt(EditLine *editor) {
  (void)editor;
  return "> ";
}

static void handle(int number, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}; // what is being printed is printed whole
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

/* Waits for a key: 1; -1 after Ctrl-C. poll, and not read, is what a signal ends in spite of SA_RESTART. */
static int wait_for_key(EditLine *editor) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  while (poll(&input, 1, -1) < 0) {
    if (errno != EINTR || interrupted)
      return -1;
    if (redraw) {
      redraw = 0;
      el_set(editor, EL_PREP_TERM, 0);
      el_set(editor, EL_PREP_TERM, 1);
      el_resize(editor);
      el_set(editor, EL_REFRESH);
    }
  }
  return 1;
}

/* One character of UTF-8, byte by byte; libedit's own function knows nothing of our signals. What is no UTF-8 is passed
   over. */
static int read_character(EditLine *editor, wchar_t *character) {
  mbstate_t state = {0};
  for (;;) {
    char byte;
    if (wait_for_key(editor) < 0)
      return -1;
    ssize_t count = read(STDIN_FILENO, &byte, 1);
    if (count != 1)
      return (int)count;
    size_t used = mbrtowc(character, &byte, 1, &state);
    if (used != (size_t)-1 && used != (size_t)-2)
      return 1;
    if (used == (size_t)-1)
      state = (mbstate_t){0};
  }
}

/* A terminal in "bracketed paste" mode sends ESC[200~ TEXT ESC[201~: newlines of the text do not end the line. */
static unsigned char paste(EditLine *editor, int key) {
  (void)key;
  static const wchar_t end[] = L"\033[201~";
  const size_t end_length = sizeof end / sizeof *end - 1;
  size_t length = 0, room = 256;
  wchar_t *text = malloc(room * sizeof *text);
  while (text && el_wgetc(editor, text + length) == 1) {
    if (text[length] == L'\r')
      text[length] = L'\n';
    ++length;
    if (length >= end_length && wmemcmp(text + length - end_length, end, end_length) == 0) {
      text[length - end_length] = L'\0';
      if (length > end_length)
        el_winsertstr(editor, text);
      break;
    }
    if (length == room) {
      wchar_t *larger = realloc(text, (room *= 2) * sizeof *text);
      if (!larger)
        break;
      text = larger;
    }
  }
  free(text);
  return CC_REFRESH;
}

static int open_editor(Terminal *terminal) {
  // libedit takes bytes above 127 for letters only where the locale says UTF-8, which an empty environment does not.
  setlocale(LC_CTYPE, "");
  if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
    setlocale(LC_CTYPE, "C.UTF-8");
  terminal->editor = el_init("nax", stdin, stdout, stderr);
  terminal->history = history_init();
  if (!terminal->editor || !terminal->history)
    return -1;
  HistEvent event;
  history(terminal->history, &event, H_SETSIZE, 1000);
  history(terminal->history, &event, H_SETUNIQUE, 1);
  el_set(terminal->editor, EL_HIST, history, terminal->history);
  el_set(terminal->editor, EL_EDITOR, "emacs");
  el_set(terminal->editor, EL_PROMPT, prompt);
  el_set(terminal->editor, EL_GETCFN, read_character);
  el_set(terminal->editor, EL_BIND, "^W", "ed-delete-prev-word", NULL);
  el_set(terminal->editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
  el_set(terminal->editor, EL_ADDFN, "paste", "text from the clipboard", paste);
  el_set(terminal->editor, EL_BIND, "\033[200~", "paste", NULL);
  return 0;
}

Terminal *terminal_open(void) {
  Terminal *terminal = calloc(1, sizeof *terminal);
  if (!terminal)
    return NULL;
  if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && open_editor(terminal) != 0) {
    terminal_close(terminal);
    return NULL;
  }
  if (terminal->editor) {
    handle(SIGINT, on_signal);
    handle(SIGWINCH, on_signal);
    handle(SIGCONT, on_signal);
  }
  return terminal;
}

void terminal_close(Terminal *terminal) {
  if (!terminal)
    return;
  if (terminal->editor)
    el_end(terminal->editor);
  if (terminal->history)
    history_end(terminal->history);
  free(terminal->line);
  free(terminal);
}

/* Ctrl-C begins the line anew. */
static const char *edit_line(Terminal *terminal) {
  // Raw mode first: what is typed as soon as the prompt is seen is already the editor's.
  el_set(terminal->editor, EL_PREP_TERM, 1);
  fputs("\033[?2004h", stdout); // bracketed paste, on
  const char *line;
  int length;
  do {
    interrupted = 0;
    line = el_gets(terminal->editor, &length);
    if (!line)
      fputs(interrupted ? "^C\n" : "\n", stdout);
    fflush(stdout);
  } while (!line && interrupted);
  fputs("\033[?2004l", stdout);
  fflush(stdout);
  HistEvent event;
  if (line && line[strspn(line, " \n")])
    history(terminal->history, &event, H_ENTER, line);
  return line;
}

char *terminal_read_line(Terminal *terminal) {
  if (terminal->editor) {
    const char *line = edit_line(terminal);
    free(terminal->line);
    terminal->line = line ? strdup(line) : NULL;
  } else {
    handle(SIGINT, SIG_DFL);
    if (getline(&terminal->line, &terminal->room, stdin) < 0)
      return NULL;
  }
  if (!terminal->line)
    return NULL;
  size_t length = strlen(terminal->line);
  if (length > 0 && terminal->line[length - 1] == '\n')
    terminal->line[length - 1] = '\0';
  return terminal->line;
}

void terminal_begin_answer(Terminal *terminal) {
  interrupted = 0;
  handle(SIGINT, on_signal);
  struct termios modes;
  if (!terminal->editor || tcgetattr(STDIN_FILENO, &modes) != 0)
    return;
  modes.c_lflag &= ~(tcflag_t)(ECHO | ICANON); // until the next line is read
  tcsetattr(STDIN_FILENO, TCSADRAIN, &modes);
}

bool terminal_interrupted(void) { return interrupted; }
