# SPDX-License-Identifier: Apache-2.0
"""The results of bench.py as tables in Markdown: table.py RESULTS.json. Figures are medians; a per cent is the median of
those of each repetition, in which limit and series were measured one behind the other."""
import json
import statistics
import sys

median = statistics.median


def value_of(row, series):
    """What is shown of a series, in the row's unit."""
    if row["kind"] == "memory":
        return median(series["peaks"]) * row["scale"]
    if row["kind"] == "start":
        return median(series["seconds"]) * row["scale"]
    return row["amount"] / median(series["seconds"]) * row["scale"]


def percent(row, series):
    limit = row.get("limit")
    if not limit or row["kind"] != "time":
        return None
    return median(100 * row["work"] / t / rate for t, rate in zip(series["seconds"], limit["rates"]))


def factor(row, nax, other):
    """How many times better nax is: the median over the repetitions."""
    which = "peaks" if row["kind"] == "memory" else "seconds"
    return median(theirs / ours for ours, theirs in zip(nax[which], other[which]))


def best(row, beginning):
    """Among those whose name begins so, the best; "peer": of all that are not nax."""
    which = "peaks" if row["kind"] == "memory" else "seconds"
    others = [s for s in row["series"] if s["name"] != "nax" and not s.get("differs")]
    others = [s for s in others if s["name"].startswith(beginning) or (beginning == "peer" and not s["name"].startswith("nax"))]
    return min(others, key=lambda s: median(s[which]), default=None)


def named(row, name):
    return next((s for s in row["series"] if s["name"] == name), None)


def met(row, targets):
    """(text, whether): what is asked for, and "yes", "no" or "" where something is missing to say."""
    nax, texts, verdicts = named(row, "nax"), [], []
    for name, wanted in targets:
        texts.append({"percent": "%g %%", "most": "at most %.0f", "peer": "%gx the best peer"}.get(name, "%%gx %s" % name) % wanted)
        other = None if name in ("percent", "most") else best(row, name)
        reached = None
        if nax and name == "percent":
            reached = percent(row, nax)
        elif nax and name == "most":
            verdicts.append(value_of(row, nax) <= wanted)
            continue
        elif nax and other:
            reached = factor(row, nax, other)
        verdicts.append(None if reached is None else reached >= wanted)
    known = [v for v in verdicts if v is not None]
    verdict = "no" if False in known else "yes" if known and len(known) == len(verdicts) else ""
    return ", ".join(texts), verdict


def number(value):
    return "%.0f" % value if value >= 100 else "%.1f" % value if value >= 10 else "%.2f" % value


def cell(row, name):
    series = named(row, name)
    if not series:
        return ""
    part = percent(row, series)
    text = number(value_of(row, series)) + ("" if part is None else " (%.0f %%)" % part)
    return text + (", other numbers" if series.get("differs") else "")


def limit_text(row):
    if not row.get("limit"):
        return ""
    name, rate = row["limit"]["name"], median(row["limit"]["rates"])
    return "%s %s" % (number(rate * 1e-9), {"read": "GB/s", "dot-i8": "GOP/s"}.get(name, "GFLOP/s"))


def table(lines, head, body):
    lines += ["", "| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    lines += ["| " + " | ".join(cells) + " |" for cells in body]


def target_cells(row, quick):
    cells = []
    for which in ("must", "reach"):
        text, verdict = met(row, row[which])
        cells += [text + (": " + verdict if verdict and not quick else "")]
    return cells


def group_table(lines, group, about, rows, quick):
    names = list(dict.fromkeys(s["name"] for row in rows for s in row["series"]))
    units = {row["unit"] for row in rows}
    lines += ["", "## %s: %s" % (group, about["title"]), "", "%s, %s." % (
        ", ".join(sorted(units)), "; ".join(sorted({"%d thread%s" % (r["threads"], "s" * (r["threads"] > 1)) for r in rows})))]
    body = []
    for row in rows:
        nax, other = named(row, "nax"), best(row, "peer")
        ratio = "%.2f" % factor(row, nax, other) if nax and other else ""
        body.append([row["name"], limit_text(row), *(cell(row, name) for name in names), ratio, *target_cells(row, quick)])
    table(lines, ["", "limit", *names, "nax / best peer", "must", "reach for"], body)
    missing_of(lines, rows)


def missing_of(lines, rows):
    """Who is not in the table and why, with the rows unless it is in none."""
    missing = {}
    for row in rows:
        for name, reason in row["missing"].items():
            if reason != "not asked for":
                missing.setdefault((name, reason), []).append(row["name"])
    for index, ((name, reason), where) in enumerate(missing.items()):
        lines += [""] if index == 0 else []
        lines.append("- %s%s: not measured: %s" % (name, "" if len(where) == len(rows) else " (%s)" % "; ".join(where), reason))


def mean_of(lines, about, rows, quick):
    """The mean of a group's per cents, of rows from a size on."""
    wanted = about["mean"]
    found = [percent(row, named(row, "nax")) for row in rows if row["size"] >= wanted["least"] and named(row, "nax")]
    found = [p for p in found if p is not None]
    if found:
        mean = statistics.mean(found)
        verdicts = "" if quick else "; must %g %%: %s, reach for %g %%: %s" % (
            wanted["must"], "yes" if mean >= wanted["must"] else "no", wanted["reach"],
            "yes" if mean >= wanted["reach"] else "no")
        lines += ["", "Mean of nax from %d rows on: %.1f %%%s." % (wanted["least"], mean, verdicts)]


def growth_of(lines, about, rows, quick):
    """By what factor time and memory grow as the size doubles."""
    wanted, body = about["growth"], []
    rows = [row for row in rows if named(row, "nax")]
    for small, large in zip(rows, rows[1:]):
        a, b = named(small, "nax"), named(large, "nax")
        grown = {"time": median(b["seconds"]) / median(a["seconds"]), "memory": b["bytes"] / a["bytes"] if a["bytes"] else 0}
        texts = []
        for what, value in grown.items():
            is_met = abs(value / wanted[what] - 1) <= wanted["within"] / 100
            texts.append("%.2f" % value + ("" if quick else " (must %g within %g %%: %s)" % (
                wanted[what], wanted["within"], "yes" if is_met else "no")))
        body.append(["%s to %s" % (small["name"], large["name"]), *texts])
    if body:
        table(lines, ["nax, doubled", "time", "memory"], body)


def markdown(results):
    about, quick = results["about"], results["about"]["quick"]
    lines = ["# nax on the CPU, measured" if not quick else "# nax on the CPU, a trial run: its times are no measurement"]
    lines += ["", "%s, %s, %d cores, limits by level %s; nax %s, naxc %s; C by %s. Medians of %d repetitions, in "
              "each of which all take turns with the machine's limit; per cents are of that limit. One thread is measured by "
              "the processor's time, more by the clock. Load at the end %.1f." % (
                  about["date"], about["processor"], about["cores"], about["level"] or "unknown", about["nax"], about["naxc"] or "without options",
                  about["compiler"], about["repetitions"], about["load"])]
    lines += [""] + ["- " + version for version in about["versions"].values()] if about["versions"] else []
    lines += [""] + ["- " + note for note in about["notes"]] if about["notes"] else []
    if about.get("plot"):
        lines += ["", "![per cents of the machine's limit against T](results.png)"]
    for group, text in results["groups"].items():
        rows = [row for row in results["rows"] if row["group"] == group]
        if not rows:
            continue
        group_table(lines, group, text, rows, quick)
        if "mean" in text:
            mean_of(lines, text, rows, quick)
        if "growth" in text:
            growth_of(lines, text, rows, quick)
    return "\n".join(lines)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        print(markdown(json.load(file)))
