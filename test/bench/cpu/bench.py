# SPDX-License-Identifier: Apache-2.0
"""What `./nax bench` runs: see rows.py for what, and worker.h for how those who take part are spoken to. All take turns in
every repetition, the machine's own limit with them; results.json has each time, results.md and results.png what
table.py and plot.py make of them.

  bench.py BUILD OUT [OPTION...] [FILTER...]     rows that have a FILTER in "GROUP NAME"; all without
    --quick           small sizes and two repetitions, to see that it works: its times are no measurement
    --peers=A,B       only these of openblas, torch, onnxruntime, openvino, iree, llama; --no-peers: none
    --reps=N          repetitions; 9
    --list            the names of the rows
    --record          the results also as RESULTS.md, .json and .png in test/bench
  NAXC_FLAGS          options for naxc; none unless given, which is what people compile with
"""
import datetime
import json
import os
import platform
import shlex
import subprocess
import sys
import time

import rows as rows_of
from workers import HERE, PEERS, ROOT, Missing, Workshop, call, say

ALL_PEERS = ["openblas", "torch", "onnxruntime", "openvino", "iree", "llama"]


class Config:
    """What rows.py needs to know of this machine and this command."""

    def __init__(self, arguments):
        flags = [a for a in arguments if a.startswith("--")]
        self.build, self.out, *self.filters = [a for a in arguments if not a.startswith("--")]
        values = dict(flag[2:].partition("=")[::2] for flag in flags)
        unknown = set(values) - {"quick", "peers", "no-peers", "reps", "list", "record"}
        if unknown:
            sys.exit("bench: there is no option --%s" % unknown.pop())
        self.quick, self.list, self.record = ("quick" in values), "list" in values, "record" in values
        self.peers = [] if "no-peers" in values else values.get("peers", ",".join(ALL_PEERS)).split(",")
        self.reps = int(values.get("reps", 2 if self.quick else 9))
        self.least = 0.002 if self.quick else 0.03  # seconds that calls between two clocks take together
        with open("/proc/cpuinfo") as info:
            self.cpu_flags = next((line.split() for line in info if line.startswith("flags")), [])
        self.cores = len(os.sched_getaffinity(0))
        self.files = FileNames(self.build)
        self.packed = self.files["Q4_1"]

    def size_of(self, file):
        return float(os.path.getsize(file)) if os.path.exists(file) else 0.0


class FileNames(dict):
    """Where weights are, whether they are there yet or not."""

    def __init__(self, build):
        cache = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "nax")
        made = os.path.join(build, "bench/weights")
        super().__init__({kind: os.path.join(made, "smollm2-%s.gguf" % kind) for kind in ("F32", "BF16", "Q8_0", "Q4_0")})
        self["Q4_1"] = os.path.join(cache, "SmolLM2-135M-Instruct.Q4_1.gguf")
        self["safetensors"] = os.path.join(made, "smollm2.safetensors")
        self["minilm"] = os.path.join(cache, "all-MiniLM-L6-v2")

    def fetch(self, rows, env):
        """Fetches and converts what the rows name."""
        words = " ".join(series.words for row in rows for series in row.series)
        wanted = {kind for kind, file in self.items() if file in words}
        if "minilm" in wanted:
            call(["sh", os.path.join(ROOT, "examples/09-embeddings/fetch.sh")], env)
        if not wanted - {"minilm"}:
            return
        source = call(["sh", os.path.join(ROOT, "examples/07-smollm2/fetch.sh")], env).strip()
        os.makedirs(os.path.dirname(self["F32"]), exist_ok=True)
        for kind in sorted(wanted - {"minilm", "Q4_1"}):
            if not os.path.exists(self[kind]):
                say("converting the weights to %s" % kind)
                script = ["smollm2_huggingface.py", source] if kind == "safetensors" else ["bench/gguf_types.py", source, kind]
                call([os.path.join(PEERS, "run"), *script, self[kind]], env)


def pack(config, shop):
    """Weights packed for this processor; returns why not."""
    target = os.path.join(config.out, "smollm2.nax")
    try:
        call([shop.naxc, "pack", os.path.join(ROOT, "examples/07-smollm2/model.cpp"), config.packed,
              "--weights-of=" + config.packed, "-o", target])
    except Missing as missing:
        return "weights not packed: %s" % missing
    config.packed = target
    return ""


#===-- rows that are timed ---------------------------------------------------------------------------------------===#


def seconds(words, count, threads):
    """Of one call. On one thread the processor's time, which others on the machine do not lengthen."""
    wall, cpu = (float(word) * 1e-9 / count for word in words)
    return min(wall, cpu) if threads == 1 and cpu > 0 else wall


class Turn:
    """Somebody whose row is open: calls, and the times they took."""

    def __init__(self, name, worker, words, threads, least, compare=True):
        self.name, self.worker, self.threads, self.compare, self.times = name, worker, threads, compare, []
        answer = worker.ask("open " + words)
        self.work = float(answer[1])
        first = seconds(worker.ask("run 1"), 1, threads)
        self.count = max(1, min(100000, round(least / max(first, 1e-7))))

    def take(self):
        self.times.append(seconds(self.worker.ask("run %d" % self.count), self.count, self.threads))

    def result(self, reference):
        found = {"name": self.name, "seconds": self.times}
        total, absolute = map(float, self.worker.ask("check"))
        found["check"] = [total, absolute]
        if reference and self.compare:
            far = [abs(a - b) > 0.03 * reference[1] for a, b in zip(found["check"], reference)]
            found["differs"] = any(far)
        return found


def open_turns(config, shop, row, missing):
    turns = []
    for series in row.series:
        try:
            worker = shop.worker(series.name, series.worker, series.threads, series.level)
            turns.append(Turn(series.name, worker, series.words, max(series.threads, row.threads), config.least,
                              series.compare))
        except Missing as reason:
            missing[series.name] = str(reason)
    return turns


def time_row(config, shop, row):
    result, missing = describe(row), {}
    turns = open_turns(config, shop, row, missing)
    limit = None
    if row.limit:
        try:
            limit = Turn("limit", shop.worker("limits", "limits", row.threads), row.limit, row.threads, config.least)
        except Missing as reason:
            missing["limit"] = str(reason)
    everyone = turns + ([limit] if limit else [])
    for repetition in range(config.reps):
        for index in range(len(everyone)):  # another one begins each time
            turn = everyone[(index + repetition) % len(everyone)]
            try:
                if turn.name not in missing:
                    turn.take()
            except Missing as reason:
                missing[turn.name] = str(reason)
    finish_row(result, turns, limit, missing, row.memory)
    return result


def finish_row(result, turns, limit, missing, memory):
    reference = None
    for turn in turns:
        if turn.name in missing:
            continue
        try:
            found = turn.result(reference)
            reference = reference or found["check"]
            if turn.name == "nax":
                if memory:
                    turn.worker.ask("close")
                    turn.worker.ask("open " + memory)
                found["bytes"] = float(turn.worker.ask("memory")[0])
            result["series"].append(found)
            turn.worker.ask("close")
        except Missing as reason:
            missing[turn.name] = str(reason)
    if limit and "limit" not in missing:
        result["limit"] = {"name": result["limit_words"].split()[0], "rates": [limit.work / t for t in limit.times]}
        limit.worker.ask("close")
    result["missing"] = missing


def describe(row):
    return {"group": row.group, "name": row.name, "unit": row.unit, "scale": rows_of.SCALES[row.unit], "amount": row.amount,
            "work": row.work, "threads": row.threads, "must": row.must, "reach": row.reach, "size": row.size,
            "kind": row.kind, "limit_words": row.limit, "series": []}


#===-- rows of whole processes -----------------------------------------------------------------------------------===#


def once(command, env, log):
    """Seconds from the start of a process to its answer, its peak memory in bytes, and the answer."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, env=env)
    answer = process.stdout.readline()
    took = time.monotonic() - began
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    if process.returncode or not answer:
        raise Missing("the program ended, status %d" % process.returncode)
    return took, 1024.0 * usage.ru_maxrss, [float(word) for word in answer.split()]


def start_row(config, shop, row):
    result = describe(row)
    key = repr(row.series)  # the time and the memory are those of the same processes
    if key not in shop.started:
        shop.started[key] = start_all(config, shop, row)
    result["series"], result["missing"] = shop.started[key]
    return result


def start_all(config, shop, row):
    missing, found = {}, {}
    for repetition in range(config.reps + 1):  # the first fills the system's cache of files
        for series in row.series:
            if series.name in missing:
                continue
            try:
                command = shop.command(series.worker) + [str(series.threads), "--once", *series.words.split()]
                took, peak, check = once(command, shop.environment(series.threads), shop.log)
            except Missing as reason:
                missing[series.name] = str(reason)
                continue
            entry = found.setdefault(series.name, {"name": series.name, "seconds": [], "peaks": [], "check": check})
            if repetition:
                entry["seconds"].append(took)
                entry["peaks"].append(peak)
    return [entry for name, entry in found.items() if name not in missing], missing


#===-- the command -----------------------------------------------------------------------------------------------===#


def processor():
    with open("/proc/cpuinfo") as info:
        return next((line.split(":", 1)[1].strip() for line in info if line.startswith("model name")), platform.machine())


def about(config, shop, notes):
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True)
    versions = {name: text for name, text in shop.versions.items() if not name.startswith("nax:") and name != "limits"}
    return {"date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"), "processor": processor(),
            "cores": config.cores, "level": shop.versions.get("limits", "").split(" ")[-1], "quick": config.quick,
            "repetitions": config.reps, "nax": commit.stdout.strip() or "unknown", "naxc": " ".join(shop.naxc_flags),
            "compiler": call(shop.cc + ["--version"]).splitlines()[0], "load": os.getloadavg()[0], "notes": notes,
            "versions": versions, "plot": os.path.exists(os.path.join(config.out, "results.png"))}


def write(config, shop, results, notes):
    path = os.path.join(config.out, "results.json")
    with open(path + ".part", "w") as file:
        json.dump({"about": about(config, shop, notes), "groups": rows_of.GROUPS, "rows": results}, file, indent=1)
    os.replace(path + ".part", path)
    table = call([sys.executable, os.path.join(HERE, "table.py"), path])
    with open(path[:-4] + "md", "w") as file:
        file.write(table)
    return table, path


def plot(config, shop, path):
    """A picture, where matplotlib can be had."""
    try:
        script = os.path.join(HERE, "plot.py")
        call([shop.python_of(script), script, path, path[:-4] + "png"], shop.env)
    except Missing as reason:
        say("no plot: %s" % reason)


def record(path):
    """What was measured becomes part of the sources."""
    for ending in ("json", "md", "png"):
        source, target = path[:-4] + ending, os.path.join(ROOT, "test/bench/RESULTS." + ending)
        if os.path.exists(source):
            with open(source, "rb") as file, open(target + ".part", "wb") as copy:
                copy.write(file.read().replace(b"](results.png)", b"](RESULTS.png)") if ending == "md" else file.read())
            os.replace(target + ".part", target)


def main():
    config = Config(sys.argv[1:])
    if config.list:
        return print("\n".join(row.group + " " + row.name for row in rows_of.rows(config, config.filters)))
    os.makedirs(config.out, exist_ok=True)
    for ending in ("md", "json", "png"):  # of a command before
        if os.path.exists(os.path.join(config.out, "results." + ending)):
            os.remove(os.path.join(config.out, "results." + ending))
    shop = Workshop(config.build, config.out, config.files, config.peers, shlex.split(os.environ.get("NAXC_FLAGS", "")))
    notes, results = [], []
    chosen = rows_of.rows(config, config.filters)
    if not chosen:
        sys.exit("bench: no row has %s in its name; --list names them" % " or ".join(config.filters))
    try:
        config.files.fetch(chosen, shop.env)
    except Missing as reason:
        notes.append("weights are missing: %s" % reason)
    if any(row.kind != "time" for row in chosen):
        notes += [note for note in [pack(config, shop)] if note]
        chosen = rows_of.rows(config, config.filters)  # now with the packed file
    try:
        for row, following in zip(chosen, [*chosen[1:], None]):
            say("%s %s" % (row.group, row.name))
            began = time.monotonic()
            results.append(time_row(config, shop, row) if row.kind == "time" else start_row(config, shop, row))
            results[-1]["took"] = time.monotonic() - began
            say("%s %s took %.0f s" % (row.group, row.name, results[-1]["took"]))
            if not following or following.group != row.group:
                shop.end_workers()
                table, path = write(config, shop, results, notes)
    finally:
        shop.end_workers()
    if config.peers and any(row.size for row in chosen):
        plot(config, shop, path)
        table, path = write(config, shop, results, notes)
    if config.record:
        record(path)
    sys.stdout.write(table)
    say("wrote %s" % path)


main()
