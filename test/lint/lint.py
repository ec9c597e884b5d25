#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks of the source tree itself: `lint.py CHECK ROOT`.

Every check is a function that yields one line a fault, "FILE: what is wrong".
Exits with 1 if there is any.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

SOURCES = {".c", ".cpp", ".h", ".hpp", ".td", ".def", ".py", ".sh", ".cmake"}
TESTS = {".c", ".cpp", ".cu", ".mlir", ".ptx", ".test"}


def files(root):
    """The files of the tree, relative to it: what git knows or would add."""
    listed = subprocess.run(
        ["git", "-C", root, "ls-files", "-co", "--exclude-standard", "-z"],
        capture_output=True,
        text=True,
    ) if (root / ".git").exists() else None
    if listed and listed.returncode == 0:
        names = [Path(name) for name in listed.stdout.split("\0") if name]
    else:  # an unpacked archive
        names = [
            Path(os.path.relpath(os.path.join(folder, name), root))
            for folder, _, found in os.walk(root)
            for name in found
        ]
        names = [n for n in names if not re.match(r"build|\.git", n.parts[0])]
    return sorted({n for n in names if (root / n).is_file()})


def text(root, name):
    return (root / name).read_text(encoding="utf-8", errors="replace")


def is_test(name):
    """Whether lit would run the file."""
    parts = name.parts
    if "Inputs" in parts or name.suffix not in TESTS:
        return False
    if parts[0] == "test":
        return not set(parts) & {"bench", "peers"}
    return parts[0] == "examples" and parts[2:3] == ("test",) and name.suffix in {".mlir", ".test"}


def cmake_file_lists(root):
    """Every source of a library or tool is named in a CMakeLists.txt at or above its folder."""
    for name in files(root):
        if name.suffix not in {".c", ".cpp"} or name.parts[0] not in {"dsl", "lowering", "runtime"}:
            continue
        listed = False
        for folder in name.parents:
            lists = root / folder / "CMakeLists.txt"
            relative = re.escape(str(name.relative_to(folder)))
            for candidate in [lists, *sorted((root / folder).glob("*.cmake"))]:
                if candidate.is_file():
                    body = re.sub(r"#.*", "", candidate.read_text())
                    listed |= bool(re.search(rf"(^|[\s(/]){relative}([\s)]|$)", body))
        if not listed:
            yield f"{name}: no CMakeLists.txt names it"


def spdx(root):
    """Every source outside of the tests begins with its licence, one line."""
    for name in files(root):
        wanted = name.suffix in SOURCES or name.name in {"CMakeLists.txt", "nax"}
        if not wanted or (is_test(name) and name.suffix != ".py") or "Inputs" in name.parts:
            continue
        head = "\n".join(text(root, name).splitlines()[:4])
        if "SPDX-License-Identifier: Apache-2.0" not in head:
            yield f"{name}: no SPDX line among its first four lines"


def test_names(root):
    """A test is called what it tests, in kebab-case."""
    for name in files(root):
        if is_test(name) and not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*\.[a-z]+", name.name):
            yield f"{name}: a test's name is kebab-case"


def test_commands(root):
    """A file that lit would take for a test runs something."""
    for name in files(root):
        if is_test(name) and "RUN:" not in text(root, name):
            yield f"{name}: no RUN line (a file that tests only read belongs into Inputs/)"


def leftovers(root):
    """Nothing is left for later without saying when, and no path of one machine."""
    marks = re.compile(r"DO[-_ ]NOT[-_ ]SUBMIT|\bTODO\b|\bFIXME\b|\bXXX\b|^(<{7}|>{7}) |(?<![\w.])/(home|root|work)/\w")
    for name in files(root):
        if name.parts[:2] == ("test", "lint") or name.suffix in {".npy", ".bin", ".safetensors", ".gguf", ".png"}:
            continue
        for number, line in enumerate(text(root, name).splitlines(), 1):
            mark = marks.search(line)
            if mark:
                yield f"{name}:{number}: left over: {mark.group(0)}"
                break


def pass_tests(root):
    """One pass, one flag, one test of that name (or of that name and -more)."""
    passes = {}
    for name in files(root):
        if name.suffix == ".td":
            for flag in re.findall(r'\bPass<\s*"([^"]+)"', text(root, name)):
                passes[flag] = name
    tested = set()
    for name in files(root):
        if name.parts[:2] == ("test", "passes"):
            # nax-fold-scale.mlir is the test of nax-fold-scale, not of nax-fold.
            flags = [f for f in passes if name.stem == f or name.stem.startswith(f + "-")]
            tested.update([max(flags, key=len)] if flags else [])
    for flag, name in sorted(passes.items()):
        if flag not in tested:
            yield f"{name}: pass --{flag} has no test/passes/{flag}.mlir"


def readme_links(root):
    """A relative link in a README leads somewhere, its heading included."""
    def anchor(heading):
        plain = re.sub(r"[^\w\- ]", "", heading.strip().lower())
        return plain.replace(" ", "-")

    for name in files(root):
        if name.suffix != ".md":
            continue
        body = re.sub(r"```.*?```", "", text(root, name), flags=re.S)
        for link in re.findall(r"\]\(([^)\s]+)\)", body):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, heading = link.partition("#")
            target = (root / name).parent / path if path else root / name
            if not target.exists():
                yield f"{name}: the link to {link} leads nowhere"
            elif heading and target.suffix == ".md":
                headings = re.findall(r"^#+ (.*)$", target.read_text(), flags=re.M)
                if heading not in map(anchor, headings):
                    yield f"{name}: {path or 'this file'} has no heading #{heading}"


def file_lengths(root):
    """At most 400 lines a source file. What is longer says why in its first comment: `Long because ...`."""
    for name in files(root):
        if name.suffix in SOURCES and not is_test(name):
            lines = text(root, name).splitlines()
            if len(lines) > 400 and "Long because" not in "\n".join(lines[:30]):
                yield f"{name}: {len(lines)} lines, at most 400"


def shell(root):
    """Every shell script is one that a POSIX shell can parse."""
    for name in files(root):
        if name.suffix == ".sh" or str(name) == "nax":
            parsed = subprocess.run(["sh", "-n", root / name], capture_output=True, text=True)
            if parsed.returncode:
                yield f"{name}: {parsed.stderr.strip()}"


def explained_codes(root):
    """Every code of an error has its page, dsl/explain/N0012.md, and every page is of a code."""
    used, pages = {}, {}
    for name in files(root):
        page = re.fullmatch(r"dsl/explain/N(\d{4})\.md", str(name))
        if page:
            pages[int(page[1])] = name
            if not text(root, name).startswith(f"# N{page[1]}: "):
                yield f"{name}: its first line is not `# N{page[1]}: title`"
        if name.suffix not in {".h", ".cpp"} or name.parts[0] not in {"dsl", "lowering"}:
            continue
        body = text(root, name)
        codes = re.findall(r"\[N(\d{4})\]", body)
        # coded(none ? 10 : 1, ...) has two.
        for first in re.findall(r"\b(?:say|coded)\(\s*([^,()\"]*),", body):
            codes += re.findall(r"(?:^|[?:] *)(\d+)\s*(?=$|:)", first)
        for code in map(int, codes):
            used.setdefault(code, name)
    for code in sorted(used.keys() - pages.keys() - {0}):
        yield f"{used[code]}: there is no dsl/explain/N{code:04}.md"
    for code in sorted(pages.keys() - used.keys()):
        yield f"{pages[code]}: no error has this code"


CHECKS = [cmake_file_lists, spdx, test_names, test_commands, leftovers, pass_tests, readme_links, file_lengths, shell,
          explained_codes]


def main(check, root):
    chosen = {f.__name__.replace("_", "-"): f for f in CHECKS}[check]
    faults = list(chosen(Path(root)))
    print("\n".join(faults) if faults else f"{check}: no faults in {len(files(Path(root)))} files")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
