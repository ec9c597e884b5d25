# SPDX-License-Identifier: Apache-2.0
"""keys.py CHAT MODEL: types into the program as a terminal does. Each step waits until it sees its effect."""
import os
import pty
import re
import select
import sys

LEFT, UP, HOME, END = b"\x1b[D", b"\x1b[A", b"\x1b[H", b"\x1b[F"
DELETE, BACKSPACE, ENTER = b"\x1b[3~", b"\x7f", b"\r"


def control(letter):
    return bytes([ord(letter) - ord("a") + 1])


class Screen:
    def __init__(self, command):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ.update(TERM="xterm", LC_ALL="C")      # the program has to find UTF-8 by itself
            os.execv(command[0], command)
        self.seen = b""

    def type(self, *keys):
        os.write(self.terminal, b"".join(keys))

    def wait_for(self, *patterns):
        """Which of the patterns comes first; everything up to its end is behind us."""
        while True:
            found = [(match.end(), i) for i, p in enumerate(patterns) if (match := re.search(p, self.seen))]
            if found:
                end, which = min(found)
                self.seen = self.seen[end:]
                return which
            if not select.select([self.terminal], [], [], 300)[0]:
                sys.exit(f"waited for {patterns}, saw {self.seen}")
            try:
                self.seen += os.read(self.terminal, 1 << 16)
            except OSError:
                sys.exit(f"the program ended; waited for {patterns}, saw {self.seen}")

    def end(self):
        """The exit status, when all that was printed has been read."""
        try:
            while os.read(self.terminal, 1 << 16):
                pass
        except OSError:
            pass                                      # how Linux says that nobody has the other end any more
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


PROMPT, HELP = rb"> ", rb"Ctrl-D leaves"
EDITS = {
    "left, backspace": b"/hexlp" + 2 * LEFT + BACKSPACE,
    "home, end": b"help" + HOME + b"/" + END,
    "delete": b"/hxelp" + 4 * LEFT + DELETE,
    "ctrl-w": b"/help two words" + 2 * control("w") + BACKSPACE,
    "ctrl-u": b"nothing" + control("u") + b"/help",
    "ctrl-a, ctrl-k, ctrl-e": b"/help" + control("a") + control("k") + b"/hel" + control("a") + control("e") + b"p",
    "letters of several bytes": "/hé日本".encode() + 3 * BACKSPACE + b"elp",
    "ctrl-c": b"nothing" + control("c") + b"/help",
    "history": b"nothing" + UP,
    "history, edited": UP + BACKSPACE + b"p",
}

screen = Screen(sys.argv[1:])
screen.wait_for(PROMPT)
for name, keys in EDITS.items():
    screen.type(keys, ENTER)
    if screen.wait_for(HELP, rb"there is no command", rb"tokens read") != 0:
        sys.exit(f"{name}: the line is not /help")
    screen.wait_for(PROMPT)
    print(f"{name}: edited")

# What is pasted is one line, newlines and all.
screen.type(b"\x1b[200~/one\rtwo\nthree\x1b[201~", ENTER)
screen.wait_for(rb"no command /one\r\ntwo\r\nthree;")
print("paste: one line")

# An answer may be complete before the key comes, which is then for the next line: another one is asked for. (The
# terminal throws away what it was about to print when it sees Ctrl-C, so the end of the answer may be missing here.)
screen.wait_for(PROMPT)
for question in range(100):
    screen.type(b"go on", ENTER)
    screen.wait_for(rb"\?2004l[^\x1b]")               # the line is taken, and the answer has begun
    screen.type(control("c"))
    stopped = screen.wait_for(rb"\[stopped\]", rb"\^C\r\n") == 0
    screen.wait_for(PROMPT)
    screen.type(b"/reset", ENTER)
    screen.wait_for(rb"\[done: 0 of")
    screen.wait_for(PROMPT)
    if stopped:
        print("ctrl-c: stops an answer")
        break

# What is typed during an answer is the next line, and is not shown within the answer.
screen.type(b"go on", ENTER)
screen.wait_for(rb"go on\r\n")
screen.type(b"/nothing", ENTER)
screen.wait_for(rb"\[the answer was cut")
screen.wait_for(rb"no command /nothing;")
print("typed ahead: taken")

screen.wait_for(PROMPT)
screen.type(control("d"))
screen.wait_for(rb"answers: [0-9]+ tokens read")
print("ctrl-d: leaves, status", screen.end())
