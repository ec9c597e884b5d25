# SPDX-License-Identifier: Apache-2.0
"""interrupt.py CHAT MODEL: asks two questions through a pipe, sends SIGINT within the first answer, and prints what the
program says beside its answers."""
import fcntl
import signal
import subprocess
import sys

F_SETPIPE_SZ = 1031
chat, model = sys.argv[1:]
process = subprocess.Popen([chat, "--model", model, "--context", "8192", "--tokens", "3500"],
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
# The pipe holds less than an answer has bytes, and nobody reads it: the program is within the answer when the signal
# comes, however fast or slow it is.
fcntl.fcntl(process.stdout, F_SETPIPE_SZ, 4096)
process.stdin.write(b"one\ntwo\n")
process.stdin.close()
begin = process.stdout.read(10)
process.send_signal(signal.SIGINT)
process.stdin = None
answers, told = process.communicate()
print(told.decode(), end="")
print(len(begin + answers), "bytes of answers")
sys.exit(process.returncode)
