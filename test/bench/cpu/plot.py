# SPDX-License-Identifier: Apache-2.0
# needs: matplotlib==3.11.2 numpy==2.4.6
"""The results of bench.py against their size, a line for each series: plot.py RESULTS.json OUT.png"""
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot

from table import percent


def lines_of(rows):
    """Series to points (size, per cent of the limit)."""
    lines = {}
    for row in sorted(rows, key=lambda row: row["size"]):
        for series in row["series"]:
            share = percent(row, series)
            if share is not None and not series.get("differs"):
                lines.setdefault(series["name"], []).append((row["size"], share))
    return lines


def panels_of(results):
    """Title, axis and rows: dense layers of one size, and each group of attention."""
    sized = [row for row in results["rows"] if row["size"]]
    panels = [("dense layers, f32, N = K = 768", "M", [r for r in sized if r["group"] == "gemm" and r["name"].endswith("x768x768")])]
    for group in ("attention", "attention-scaling"):
        panels.append((results["groups"][group]["title"].split(", T pos")[0].split(" (")[0], "T", [r for r in sized if r["group"] == group]))
    return [panel for panel in panels if panel[2]]


def main(source, target):
    with open(source) as file:
        results = json.load(file)
    panels = panels_of(results)
    if not panels:
        return
    figure, axes = pyplot.subplots(1, len(panels), figsize=(6 * len(panels), 4.5), squeeze=False, layout="constrained")
    for axis, (title, size, rows) in zip(axes[0], panels):
        for name, points in lines_of(rows).items():
            is_nax = name == "nax"
            axis.plot(*zip(*points), marker="o", label=name, linewidth=2.5 if is_nax else 1.2, zorder=3 if is_nax else 2)
        axis.set(title=title, xlabel=size, ylabel="% of the FMA loop", ylim=(0, None))
        axis.set_xscale("log", base=2)
        axis.grid(alpha=0.3)
        axis.legend(fontsize=8)
    about = results["about"]
    trial = "a trial run, no measurement; " if about["quick"] else ""
    figure.suptitle("%s%s, %s, one core" % (trial, about["processor"], about["date"]), fontsize=10)
    figure.savefig(target, dpi=110)


main(*sys.argv[1:3])
