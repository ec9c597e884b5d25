# SPDX-License-Identifier: Apache-2.0
"""Kernels as they are must pass, and each with one thing wrong must be found out: by a
finding of the emulator, or by numbers that are off by more than the check allows.

    mutations.py FOLDER [CASE...]
"""

import contextlib
import io
import os
import re
import sys

from mutation_cases import CASES
from mutation_list import MUTATIONS

KINDS = "race|in flight|uninitialized|out of bounds|misaligned|divergence|deadlock|barrier|invalid|trap|limit"
KIND = re.compile(rf"^(?:\w+: )?({KINDS}): ", re.M)


def attempt(case, folder, *changed):
    """What was found, or "" if all is well; the second is the error by its bound."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        error = case.run(folder, *changed)
    if error is None:
        return printed.getvalue().strip() or "the emulator failed", None
    return f"the numbers, {error:.3g} of what is allowed" if not error <= 1 else "", error


def mutated(case, kernel, edit):
    """The arguments of `attempt` for a change of a kernel or of its launch."""
    number = case.number_of(kernel)
    host = case.hosts[number][1]
    if hasattr(edit, "of_launch"):
        return number, None, edit(host)
    return number, edit(case.kernel(number)), None


def brief(found):
    """The kinds of what the emulator found."""
    kinds = dict.fromkeys(KIND.findall(found))
    return ", ".join(kinds) if kinds else found.split("\n")[0][:200]


def main():
    folder, *wanted = sys.argv[1:]
    survivors = count = 0
    for name in wanted or CASES:
        place = f"{folder}/{name}"
        os.makedirs(place, exist_ok=True)
        case = CASES[name](place)
        found, error = attempt(case, place)
        print(f"{name}: {found or 'passes as it is'}", flush=True)
        survivors += bool(found)
        for _, kernel, what, edit in (m for m in MUTATIONS if m[0] == name):
            try:
                found, error = attempt(case, place, *mutated(case, kernel, edit))
            except LookupError as gone:
                found, error = "", 0
                what += f": {gone}"
            print(f"  {what}: {brief(found) or f'NOT FOUND, {error:.3g}'}", flush=True)
            survivors += not found
            count += 1
    print(f"{count} mutations, {survivors} not found")
    sys.exit(survivors != 0)


if __name__ == "__main__":
    main()
