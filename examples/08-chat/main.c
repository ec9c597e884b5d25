/* SPDX-License-Identifier: Apache-2.0 */
/* ./nax demo --chat: talks with SmolLM2 in a terminal, or through a pipe a question a line. */
#include "conversation.h"
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Chat {
  ConversationOptions options;
  Conversation *conversation;
  Terminal *terminal;
  const char *load; /* the conversation to begin with, or NULL */
  Pace total;
  int64_t answers;
  bool failed; /* some question got no answer, or a command was none */
} Chat;

//===-- options ----------------------------------------------------------------------------------------------------//

static void usage(void) {
  fputs("usage: 08-chat --model FILE.gguf [OPTION...]\n"
        "  --system TEXT           what the model is told before the first question\n"
        "  --temperature X         0: always the likeliest token (0.2)\n"
        "  --top-k N               draw from the N likeliest tokens only; 0: from all (0)\n"
        "  --top-p X               draw from the likeliest tokens that have X of the weight (0.9)\n"
        "  --min-p X               draw from tokens that have X of the likeliest one's weight (0)\n"
        "  --repetition-penalty X  above 1: less of what the last 64 tokens were; 1: off (1.1)\n"
        "  --seed N                of the draws: the same one gives the same conversation (0)\n"
        "  --tokens N              stop an answer after N tokens (512)\n"
        "  --context N             room for N tokens of questions and answers, at most 8192 (2048)\n"
        "  --load FILE             go on with a conversation that /save has written\n",
        stderr);
}

/* An option, and where its value goes: one of the three places. */
typedef struct Option {
  const char *name;
  const char **text;
  double *number;
  int64_t *count, least, most;
} Option;

/* Whether the whole text is a value of the option. */
static bool read_value(const Option *option, const char *text) {
  char *end = NULL;
  if (option->text) {
    *option->text = text;
    return true;
  }
  if (option->number) {
    *option->number = strtod(text, &end);
    return end != text && !*end;
  }
  long long count = strtoll(text, &end, 10);
  *option->count = count;
  return end != text && !*end && count >= option->least && count <= option->most;
}

/* What the option takes, where that is no text. */
static void tell_values(const Option *option, const char *text) {
  fprintf(stderr, "%s can not be %s: it is a ", option->name, text);
  if (option->number)
    fputs("number\n", stderr);
  else if (option->most == INT64_MAX)
    fprintf(stderr, "whole number from %lld\n", (long long)option->least);
  else
    fprintf(stderr, "whole number from %lld to %lld\n", (long long)option->least, (long long)option->most);
}

/* Whether they are good; else what is wrong has been said. */
static bool read_options(int argc, char **argv, Chat *chat) {
  ConversationOptions *o = &chat->options;
  nax_sampler_options *sampling = &o->sampling;
  *o = (ConversationOptions){
      .context = 2048, .tokens = 512, .sampling = nax_sampler_defaults(), .interrupted = terminal_interrupted};
  sampling->temperature = 0.2;
  sampling->top_p = 0.9;
  sampling->repetition_penalty = 1.1; // so small a model repeats itself otherwise
  sampling->repetition_window = 64;
  int64_t seed = 0;
  const Option options[] = {{"--model", .text = &o->model},
                            {"--system", .text = &o->system},
                            {"--load", .text = &chat->load},
                            {"--temperature", .number = &sampling->temperature},
                            {"--top-p", .number = &sampling->top_p},
                            {"--min-p", .number = &sampling->min_p},
                            {"--repetition-penalty", .number = &sampling->repetition_penalty},
                            {"--top-k", .count = &sampling->top_k, .least = 0, .most = INT64_MAX},
                            {"--seed", .count = &seed, .least = 0, .most = INT64_MAX},
                            {"--tokens", .count = &o->tokens, .least = 1, .most = INT64_MAX},
                            {"--context", .count = &o->context, .least = 1, .most = CONVERSATION_POSITIONS}};
  for (int i = 1; i < argc; i += 2) {
    const Option *option = options, *end = options + sizeof options / sizeof *options;
    while (option < end && strcmp(argv[i], option->name) != 0)
      ++option;
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (option < end && value && read_value(option, value))
      continue;
    if (option == end)
      usage(), fprintf(stderr, "there is no option %s\n", argv[i]);
    else if (!value)
      fprintf(stderr, "%s needs a value\n", argv[i]);
    else
      tell_values(option, value);
    return false;
  }
  sampling->seed = (uint64_t)seed;
  if (!o->model)
    usage();
  return o->model != NULL;
}

//===-- what is told beside the answers ----------------------------------------------------------------------------//

static double rate(int64_t tokens, double seconds) { return seconds > 0 ? (double)tokens / seconds : 0; }

static void tell_pace(const Pace *pace) {
  fprintf(stderr, "%lld tokens read at %.1f/s, %lld written at %.1f/s", (long long)pace->read,
          rate(pace->read, pace->read_seconds), (long long)pace->written, rate(pace->written, pace->write_seconds));
}

static void tell_ending(const Chat *chat, Ending ending) {
  static const char *go_on = "/undo takes back the last question, /reset forgets all, --context N has more room";
  long long room = (long long)chat->options.context;
  switch (ending) {
  case ENDING_DONE:
    break;
  case ENDING_LIMIT:
    fprintf(stderr, "[the answer was cut after %lld tokens; --tokens N allows more]\n",
            (long long)chat->options.tokens);
    break;
  case ENDING_INTERRUPTED:
    fputs("[stopped]\n", stderr);
    break;
  case ENDING_WITHDRAWN:
    fputs("[stopped before the question was read: it is forgotten]\n", stderr);
    break;
  case ENDING_FULL:
    fprintf(stderr, "[the context is full: %lld of %lld positions are used; %s]\n", room, room, go_on);
    break;
  case ENDING_NO_ROOM:
    fprintf(stderr, "[the question does not fit: %lld of %lld positions are used; %s]\n",
            (long long)conversation_length(chat->conversation), room, go_on);
    break;
  case ENDING_ERROR:
    fprintf(stderr, "[%s]\n", conversation_error(chat->conversation));
    break;
  }
}

//===-- lines ------------------------------------------------------------------------------------------------------//

static void ask(Chat *chat, const char *question) {
  Pace pace;
  terminal_begin_answer(chat->terminal);
  Ending ending = conversation_ask(chat->conversation, question, &pace);
  fflush(stdout);
  tell_ending(chat, ending);
  if (pace.read > 0) {
    fputs("[", stderr);
    tell_pace(&pace);
    fprintf(stderr, ", %lld of %lld positions used]\n\n", (long long)conversation_length(chat->conversation),
            (long long)chat->options.context);
    ++chat->answers;
  }
  chat->failed |= ending == ENDING_NO_ROOM || ending == ENDING_ERROR;
  chat->total.read += pace.read;
  chat->total.written += pace.written;
  chat->total.read_seconds += pace.read_seconds;
  chat->total.write_seconds += pace.write_seconds;
}

static void help(void) {
  fputs("/reset        forget all that was said\n"
        "/undo         take back the last question and its answer\n"
        "/save [FILE]  write the conversation: FILE.txt to read, FILE.cache to go on with (chat)\n"
        "/load [FILE]  go on with a conversation that was saved (chat)\n"
        "/help         this text\n"
        "Ctrl-C stops an answer, Ctrl-D leaves; cursor up brings back a question, Ctrl-R finds one.\n"
        "A question that begins with / needs a space before it.\n\n",
        stderr);
}

static bool load(Chat *chat, const char *file) {
  if (!conversation_load(chat->conversation, file))
    return false;
  fputs(conversation_text(chat->conversation), stdout);
  fflush(stdout);
  return true;
}

static void run_command(Chat *chat, const char *name, const char *file) {
  bool good;
  if (strcmp(name, "/help") == 0) {
    help();
    return;
  }
  if (strcmp(name, "/reset") == 0) {
    good = conversation_reset(chat->conversation);
  } else if (strcmp(name, "/undo") == 0) {
    good = conversation_undo(chat->conversation);
  } else if (strcmp(name, "/save") == 0) {
    good = conversation_save(chat->conversation, file);
  } else if (strcmp(name, "/load") == 0) {
    good = load(chat, file);
  } else {
    fprintf(stderr, "[there is no command %s; /help lists them]\n\n", name);
    chat->failed = true;
    return;
  }
  if (!good)
    fprintf(stderr, "[%s: %s]\n\n", name, conversation_error(chat->conversation));
  else if (strcmp(name, "/save") == 0)
    fprintf(stderr, "[written: %s.txt and %s.cache]\n\n", file, file);
  else
    fprintf(stderr, "[done: %lld of %lld positions used]\n\n", (long long)conversation_length(chat->conversation),
            (long long)chat->options.context);
  chat->failed |= !good;
}

/* A question or a command. */
static void take_line(Chat *chat, char *line) {
  size_t length = strlen(line);
  while (length > 0 && strchr(" \t\r\n", line[length - 1]))
    line[--length] = '\0';
  if (*line == '/') {
    char *file = line + strcspn(line, " ");
    if (*file)
      *file++ = '\0';
    file += strspn(file, " ");
    run_command(chat, line, *file ? file : "chat");
  } else if (length > 0) {
    ask(chat, line + strspn(line, " \t"));
  }
}

int main(int argc, char **argv) {
  Chat chat = {0};
  if (!read_options(argc, argv, &chat))
    return 2;
  chat.conversation = conversation_open(&chat.options);
  chat.terminal = chat.conversation ? terminal_open() : NULL;
  if (!chat.terminal || (chat.load && !load(&chat, chat.load))) {
    if (chat.terminal)
      fprintf(stderr, "%s\n", conversation_error(chat.conversation));
    terminal_close(chat.terminal);
    conversation_close(chat.conversation);
    return 1;
  }
  for (char *line; (line = terminal_read_line(chat.terminal));)
    take_line(&chat, line);
  if (chat.answers > 0) {
    fprintf(stderr, "[%lld answer%s: ", (long long)chat.answers, chat.answers == 1 ? "" : "s");
    tell_pace(&chat.total);
    fputs("]\n", stderr);
  }
  terminal_close(chat.terminal);
  conversation_close(chat.conversation);
  return chat.failed;
}
