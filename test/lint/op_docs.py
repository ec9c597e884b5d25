#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the manual of the operations against their tests: `op_docs.py MANUAL ROOT`.

MANUAL is what `mlir-tblgen -gen-op-doc` writes. Every operation has Requires,
Ensures, an example of itself and Errors (or says that it is as another one),
some test other than a refusing one uses it, and the file that its Errors name
refuses as many cases as all the Errors that name the file list. Prints one line
a fault.
"""

import collections
import re
import sys
from pathlib import Path


def parts_missing(name, body):
    if re.search(r"^As `nax\.", body, flags=re.M):
        return
    for part in ("Requires", "Ensures", "Errors"):
        if f"**{part}**" not in body:
            yield f"{name}: the manual has no {part}"
    examples = re.findall(r"```mlir\n(.*?)```", body, flags=re.S)
    if not any(re.search(rf"{re.escape(name)}\b(?!\.)", example) for example in examples):
        yield f"{name}: the manual has no example"


def main(manual, root):
    faults = []
    tests = {path: path.read_text() for path in sorted((root / "test").rglob("*.mlir"))}
    accepted = "\n".join(text for path, text in tests.items() if "invalid" not in path.stem)
    listed = collections.Counter()

    operations = re.split(r"^### `(nax\.[\w.]+)`.*$", manual.read_text(), flags=re.M)[1:]
    for name, body in zip(operations[::2], operations[1::2]):
        if re.search(r"^Traits:.*\bTerminator\b", body, flags=re.M):
            continue  # it ends a region, is not printed and means nothing by itself
        body = re.sub(r"^(#### |Traits:).*", "", body, flags=re.M | re.S)
        faults += parts_missing(name, body)
        if not re.search(rf"{re.escape(name)}\b(?![.\w])", accepted):
            faults.append(f"{name}: no test uses it")
        errors = body.partition("**Errors**")[2]
        count = len(re.findall(r"^ *- ", errors, flags=re.M))
        cited = re.search(r"`(test/[\w/-]+\.mlir)`", errors)
        if cited:
            listed[cited.group(1)] += count
        elif count:
            faults.append(f"{name}: Errors do not name the test that has them")

    for path, count in sorted(listed.items()):
        refused = len(re.findall(r"expected-error", tests.get(root / path, "")))
        if refused < count:
            faults.append(f"{path}: refuses {refused} cases, the manual lists {count} errors")
    print("\n".join(faults) if faults else f"no faults in {len(operations) // 2} operations")
    return 1 if faults or not operations else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
