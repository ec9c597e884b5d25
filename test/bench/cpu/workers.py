# SPDX-License-Identifier: Apache-2.0
"""The programs that take turns: how each is made, and how it is spoken to (worker.h describes the commands)."""
import ctypes
import os
import select
import shlex
import signal
import subprocess
import sys
import time

from rows import MODELS

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "../../.."))
PEERS = os.path.join(ROOT, "test/peers")


class Missing(Exception):
    """Why something can't be measured, in a few words."""


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower() and "exit code" not in line or "undefined" in line]
    return (errors or lines or ["it failed without a word"])[0 if errors else -1].replace(ROOT + "/", "")[:160]


def call(command, env=None):
    """What it prints."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=env)
    except OSError as error:
        raise Missing("%s: %s" % (command[0], error.strerror)) from error
    if done.returncode:
        raise Missing(last_line(done.stderr or done.stdout))
    return done.stdout


def end_with_parent():
    """In a new process: it is killed when the one that started it ends, however that ends. See prctl(2)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class Worker:
    """A process that answers, with those that it starts itself. All are stopped while others are measured, so that no
    thread of its pool spins then."""

    def __init__(self, command, env, log):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=env, bufsize=0,
                                        start_new_session=True, preexec_fn=end_with_parent)

    def signal(self, number):
        os.killpg(self.process.pid, number)

    def ask(self, line, limit=900):
        """The answer's words; raises Missing where the program ends or is not done within `limit` seconds."""
        process = self.process
        try:
            self.signal(signal.SIGCONT)
            process.stdin.write((line + "\n").encode())
            deadline, answer = time.monotonic() + limit, b""
            while not answer.endswith(b"\n"):
                left = deadline - time.monotonic()
                if left <= 0 or not select.select([process.stdout], [], [], left)[0]:
                    self.end()
                    raise Missing("took longer than %d s" % limit)
                part = os.read(process.stdout.fileno(), 65536)
                if not part:
                    self.end()
                    raise Missing("the program ended, status %s" % process.returncode)
                answer += part
            self.signal(signal.SIGSTOP)
        except (BrokenPipeError, ProcessLookupError) as error:
            raise Missing("the program has ended") from error
        words = answer.decode(errors="replace").split()
        if words[:1] == ["no"]:
            raise Missing(" ".join(words[1:]))
        return words

    def is_alive(self):
        return self.process.poll() is None

    def end(self):
        try:
            self.signal(signal.SIGKILL)
        except ProcessLookupError:
            pass  # it has ended by itself
        self.process.wait()


class Workshop:
    """Makes programs, once each, and keeps the processes that run."""

    def __init__(self, build, out, files, peers, naxc_flags):
        self.build, self.out, self.files, self.allowed, self.naxc_flags = build, out, files, peers, naxc_flags
        self.naxc = os.path.join(build, "bin/naxc")
        self.cc = shlex.split(os.environ.get("CC") or "/usr/lib/llvm-22/bin/clang")
        self.made, self.running, self.versions, self.started = {}, {}, {}, {}
        self.folder = os.path.join(build, "bench/peers")
        self.log = open(os.path.join(out, "log"), "wb")
        # These two cripple an OpenBLAS that knows this processor.
        self.env = {name: value for name, value in os.environ.items()
                    if name not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
        self.env["NAX_PEERS"] = self.folder
        self.env["PYTHONDONTWRITEBYTECODE"] = "1"

    def command(self, worker):
        """The command, to which the number of threads is added; raises Missing."""
        if worker not in self.made:
            try:
                self.made[worker] = self.make(worker)
            except Missing as missing:
                self.made[worker] = missing
        if isinstance(self.made[worker], Missing):
            raise self.made[worker]
        return self.made[worker]

    def make(self, worker):
        kind, _, model = worker.partition(":")
        if kind == "nax":
            return self.make_nax(model)
        if kind == "limits":
            return [self.compile(os.path.join(HERE, "limits.c"), "limits", "-ffp-contract=fast")]
        if kind not in self.allowed:
            raise Missing("not asked for")
        say("peer %s: getting it ready" % kind)
        return {"openblas": self.make_openblas, "llama": self.make_llama}.get(kind, lambda: self.make_python(kind))()

    def compile(self, source, name, *flags):
        program = os.path.join(self.out, name)
        call(self.cc + ["-std=gnu11", "-O2", "-Wall", "-I" + os.path.join(ROOT, "runtime/include"), source,
                        *flags, "-pthread", "-lm", "-ldl", "-o", program])
        return program

    def make_nax(self, model):
        source, flags = MODELS[model]
        flags = [flag.format(**self.files) for flag in flags]
        made = os.path.join(self.out, "nax-" + model + ".o")
        call([self.naxc, os.path.join(ROOT, source), *self.naxc_flags, *flags, "-o", made])
        description = {"07-smollm2": "smollm2", "09-embeddings": "minilm"}.get(
            source.split("/")[1], os.path.basename(source)[:-4])
        return [self.compile(os.path.join(HERE, "entry.c"), "nax-" + model, made, "-DMODEL=%s_desc" % description,
                             os.path.join(self.build, "lib/libnaxrt.a"))]

    def python_of(self, script):
        done = call([os.path.join(PEERS, "run"), "--python", script], self.env)
        return done.split()[-1]

    def make_python(self, kind):
        script = os.path.join(PEERS, "bench", kind + "_peer.py")
        return [self.python_of(script), script]

    def make_openblas(self):
        python = self.python_of("bench/openblas_version.py")
        self.env["NAX_BENCH_LIBRARY"] = call([python, os.path.join(PEERS, "bench/openblas_version.py")]).strip()
        return [self.compile(os.path.join(PEERS, "bench/openblas.c"), "openblas")]

    def make_llama(self):
        folder = os.path.join(self.folder, "llama")
        call(["sh", os.path.join(PEERS, "llama.sh"), folder], self.env)
        with open(os.path.join(folder, "version")) as file:
            version = file.read().strip()
        made = os.path.join(self.out, "llama.o")
        call(self.cc + ["-std=gnu11", "-O2", "-I" + os.path.join(folder, "include"), '-DNAX_BENCH_VERSION="%s"' % version,
                        "-c", os.path.join(PEERS, "bench/llama.c"), "-o", made])
        libraries = ["-lllama", "-lggml", "-lggml-cpu", "-lggml-base"]
        call(self.cc + [made, "-L" + os.path.join(folder, "lib"), *libraries, "-lstdc++", "-pthread", "-lm", "-ldl",
                        "-o", os.path.join(self.out, "llama")])
        return [os.path.join(self.out, "llama")]

    def environment(self, threads):
        return dict(self.env, OMP_NUM_THREADS=str(threads))

    def worker(self, name, program, threads, level=""):
        """The running process for the series of this name."""
        key = (name, program, threads, level)
        worker = self.running.get(key)
        if not worker or not worker.is_alive():
            command = self.command(program) + [str(threads)]
            env = self.environment(threads)
            env |= {"NAX_LEVEL": level} if level else {}
            worker = self.running[key] = Worker(command, env, self.log)
            self.versions.setdefault(program, " ".join(worker.ask("about")))
        return worker

    def end_workers(self):
        for worker in self.running.values():
            worker.end()
        self.running = {}


def say(text):
    print("bench: " + text, file=sys.stderr, flush=True)
