#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""table.py [--check] ROOT: what the pages of the rules quote, and the table of the rules in dsl/README.md.

A page dsl/explain/N0012.md names a test/mistakes/12-*-wrong.cpp. Its message, the wrong line and the right one are
quoted from this file and its -right.cpp; the table has the page's title, the message and what other systems do.
Writes both, or with --check shows what differs. A page that has not the form below is refused.
"""
import difflib
import re
import sys
import textwrap
from pathlib import Path

WIDTH, LINES = 110, 32  # of a page, which is read in a terminal
BEGIN, END = "<!-- written by test/mistakes/table.py -->\n", "<!-- end of what is written -->\n"
FORM = re.compile(
    r"# (?P<code>N\d{4}): (?P<title>.{1,60})\n\n"
    r"In practice: (?P<practice>(?:.+\n)+)\n"
    r"Message, of test/mistakes/(?P<stem>[\w-]+)-wrong\.cpp:\n\n(?P<message>(?:    .*\n)+)\n"
    r"Fix, in its -right\.cpp: .+:\n\n(?P<fix>(?:    .*\n)+)\n"
    r"Mathematics:\n\n(?:    .*\n){1,2}\n"
    r"(?P<elsewhere>Elsewhere(?:.+\n|\n)+)"
)
# What a page says in words, and the table in a letter.
LETTERS = {
    "cannot be written": "D",
    "compile time": "C",
    "compile time, if sizes differ or in part": "c",
    "run time": "R",
    "run time, in part or if asked": "r",
    "a warning": "warns",
    "not caught": "-",
}
SYSTEMS = {
    "Haliax+Levanter": "HX",
    "PyTorch named tensors": "PT",
    "Penzai": "PZ",
    "xarray": "XR",
    "einops/einx": "EX",
    "jaxtyping": "JT",
    "Dex": "DX",
    "Futhark": "FU",
    "Hasktorch": "HT",
    "dfdx": "DF",
    "static-shape C++": "CX",
    "mdspan/CuTe": "CU",
    "noarr": "NO",
    "Halide": "HL",
}
faults = []


def marked(path):
    """The line at fault, without its mark, and the sentence."""
    for line in path.read_text().splitlines():
        found = re.match(r"(.*\S) *// (?:naxc )?error: (.*)$", line)
        if found:
            return found.groups()
    return None, None


def code_of(path):
    lines = [re.sub(r"\s*// (naxc )?error: .*", "", line) for line in path.read_text().splitlines()]
    return [line.strip() for line in lines if not line.startswith("//")]


def quoted(wrong, right):
    """The wrong line and the right one."""
    lines = difflib.ndiff(code_of(wrong), code_of(right))
    return "".join(f"    {line}\n" for line in lines if line[0] in "-+" and line[2:])


def cell_of(elsewhere):
    """`Elsewhere, a wrong axis: compile time: Dex; ...` as `C DX; ...`, `Elsewhere: not examined.` as its words."""
    cells = []
    for paragraph in elsewhere.strip().split("\n\n"):
        paragraph = re.sub(r"\s+", " ", paragraph)
        listed = re.match(r"Elsewhere, ([^:]+): (.*?)\.( \(.*\))?$", paragraph)
        if not listed:
            cells.append(re.match(r"Elsewhere: (.*?)\.( |$)", paragraph).group(1))
            continue
        groups = [group.split(": ", 1) for group in listed.group(2).split("; ")]
        for phrase, names in groups:
            if phrase not in (*LETTERS, "not applicable", "not examined"):
                raise ValueError(f"{phrase!r} is no way to be caught")
            for name in re.sub(r"\*| \([^)]*\)", "", names).split(", "):
                if name not in (*SYSTEMS, "the others"):
                    raise ValueError(f"{name!r} is no system")
        for name, short in SYSTEMS.items():
            groups = [(phrase, re.sub(rf"(^|, ){re.escape(name)}(?=$|[*, ])", rf"\1{short}", names)) for phrase, names in groups]
        told = [f"{LETTERS[phrase]} {names.replace(', ', ' ')}" for phrase, names in groups if phrase in LETTERS]
        told += ["others not examined" for phrase, _ in groups if phrase == "not examined"]
        cells.append("; ".join(told))
    return "<br>".join(cells)


def page_and_row(path, mistakes):
    """The page as it should be, and its row of the table."""
    text = path.read_text()
    parts = FORM.fullmatch(text)
    if not parts or parts["code"] != path.stem:
        raise ValueError("it has not the form that table.py asks for")
    if max(map(len, text.splitlines())) > WIDTH or text.count("\n") > LINES:
        raise ValueError(f"at most {LINES} lines of {WIDTH} characters")
    wrong, right = (mistakes / f"{parts['stem']}-{which}.cpp" for which in ("wrong", "right"))
    for file in (wrong, right):
        if not file.exists():
            raise ValueError(f"there is no {file.name}; name another in the page")
    _, sentence = marked(wrong)
    traced = "// naxc error: " in wrong.read_text() or path.stem == "N0045"  # 45: the compilers have words of their own
    if not sentence:
        raise ValueError(f"{wrong.name} has no line that ends in `// error: `")
    if not sentence.endswith(f"  [{path.stem}]"):
        raise ValueError(f"{wrong.name} is about another rule")
    message = textwrap.fill(sentence, 96, initial_indent="    ", subsequent_indent="    ", break_long_words=False, break_on_hyphens=False) + "\n"
    for name, now in (("fix", quoted(wrong, right)), ("message", message)):  # from the end, so that places stay right
        text = text[: parts.start(name)] + now + text[parts.end(name) :]
    said = sentence.rsplit("  [", 1)[0].replace("|", "\\|")
    alone = "naxc: " if traced else ""
    row = f"| [{int(path.stem[1:])}](explain/{path.name}) {parts['title']} | {alone}`{said}` | {cell_of(parts['elsewhere'])} |\n"
    return text, row


def main(root, check):
    mistakes, readme = root / "test/mistakes", root / "dsl/README.md"
    pages = sorted((root / "dsl/explain").glob("N*.md"))
    for missing in {f"N00{p.name[:2]}" for p in mistakes.glob("[0-9][0-9]-*.cpp")} - {p.stem for p in pages}:
        faults.append(f"dsl/explain/{missing}.md: there is none")
    rows, written = [], {}
    for page in pages:
        try:
            written[page], row = page_and_row(page, mistakes)
            rows.append(row)
        except ValueError as fault:
            faults.append(f"dsl/explain/{page.name}: {fault}")
    text = readme.read_text()
    before, _, rest = text.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        faults.append("dsl/README.md: the table has no begin or no end")
    head = "| the rule | says, in one case | elsewhere |\n| --- | --- | --- |\n"
    written[readme] = before + BEGIN + head + "".join(rows) + END + after
    if not check and found:
        for path, text in written.items():
            path.write_text(text)
    for path, text in written.items():
        name = str(path.relative_to(root))
        lines = [t.splitlines(keepends=True) for t in (path.read_text(), text)]
        sys.stdout.writelines(difflib.unified_diff(*lines, name, f"{name}, as test/mistakes/table.py writes it"))
        faults.extend([f"{name}: run test/mistakes/table.py ."] if lines[0] != lines[1] else [])
    print("\n".join(sorted(faults)) if faults else f"no faults in {len(pages)} pages")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[-1]), "--check" in sys.argv[1:-1]))
