#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the manual of the operations is complete: `op_docs.py MANUAL ROOT`.

MANUAL is what `mlir-tblgen -gen-op-doc` writes. Every operation has Requires,
Ensures, an example of itself and Errors, which name the test that has their
cases; or it is as another one. Whether the examples are right and the errors
occur is for test/dialect/op-docs.test. Prints one line a fault.
"""

import re
import sys
from pathlib import Path


def faults_of(name, body, root):
    if re.search(r"^Traits:.*\bTerminator\b", body, flags=re.M):
        return  # it ends a region, is not printed and means nothing by itself
    body = re.sub(r"^(#### |Traits:).*", "", body, flags=re.M | re.S)
    if re.search(r"^As `nax\.", body, flags=re.M):
        return
    for part in ("Requires", "Ensures", "Errors"):
        if f"**{part}**" not in body:
            yield f"{name}: the manual has no {part}"
    examples = re.findall(r"```mlir\n(.*?)```", body, flags=re.S)
    if not any(re.search(rf"{re.escape(name)}\b(?![.\w])", example) for example in examples):
        yield f"{name}: the manual has no example"
    errors = body.partition("**Errors**")[2]
    named = re.search(r"`(test/[\w/-]+\.mlir)`", errors)
    if not named and re.search(r"^ *- ", errors, flags=re.M):
        yield f"{name}: Errors do not name the test that has them"
    elif named and not (root / named.group(1)).exists():
        yield f"{name}: there is no {named.group(1)}"


def main(manual, root):
    parts = re.split(r"^### `(nax\.[\w.]+)`.*$", manual.read_text(), flags=re.M)[1:]
    operations = list(zip(parts[::2], parts[1::2]))
    faults = [fault for name, body in operations for fault in faults_of(name, body, root)]
    print("\n".join(faults) if faults else f"no faults in {len(operations)} operations")
    return 1 if faults or not operations else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
