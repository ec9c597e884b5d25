# SPDX-License-Identifier: Apache-2.0
"""What `./nax bench decode` runs: tokens per second of SmolLM2's step, next to llama.cpp's on the same file and on the
same weights as f32, with the same threads. The three take turns; each figure is the median of the rounds.

  decode.py DECODE FILE.gguf [ROUNDS]      DECODE: the program of decode.c; pip fetches the peer from PyPI
"""
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PEER = os.path.join(HERE, "llama_cpp.py")
POSITIONS = [200, 2000]
STEPS = 48


def peer_packages(folder):
    """Whether llama.cpp is in `folder`; says why where it can't be had."""
    if os.path.isdir(os.path.join(folder, "xllamacpp")):
        return True
    got = subprocess.run([sys.executable, "-m", "pip", "-q", "install", "--target", folder, "xllamacpp", "gguf"],
                         capture_output=True, text=True)
    if got.returncode == 0:
        return True
    print("llama.cpp: not measured, pip can not install xllamacpp:", (got.stderr.strip().splitlines() or ["?"])[-1])
    return False


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit("%s failed:\n%s" % (command[0], done.stderr[-2000:]))
    lines = [line.split() for line in done.stdout.splitlines() if line[:1].isdigit()]
    return {int(positions): float(rate) for positions, rate in lines}


def main():
    decode, path = sys.argv[1:3]
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    folder = os.path.dirname(os.path.abspath(decode))
    packages = os.path.join(folder, "peer")
    peer = peer_packages(packages)
    os.environ["PYTHONPATH"] = packages
    wide = os.path.join(folder, "smollm2-f32.gguf")
    if peer and not os.path.exists(wide):
        subprocess.run([sys.executable, PEER, "--widen", path, wide + ".part"], check=True)
        os.rename(wide + ".part", wide)
    for threads in sorted({1, os.cpu_count()}):
        arguments = [str(threads), str(STEPS)] + [str(p) for p in POSITIONS]
        sides = {"nax, f32": [decode, path] + arguments}
        if peer:
            sides["llama.cpp, f32"] = [sys.executable, PEER, wide] + arguments
            sides["llama.cpp, the file's own type"] = [sys.executable, PEER, path] + arguments
        found = {side: [] for side in sides}
        for _ in range(rounds):
            for side, command in sides.items():
                found[side].append(run(command))
        for side, results in found.items():
            rates = [statistics.median(result[p] for result in results) for p in POSITIONS]
            text = ", ".join("%.1f tokens/s behind %d" % pair for pair in zip(rates, POSITIONS))
            print("%d thread%s  %-31s %s, a step %.2f times as long" %
                  (threads, "s" if threads > 1 else " ", side, text, rates[0] / rates[-1]), flush=True)


main()
