"""Measure, print, and write `docs/benchmarks.md` with the samples beside it as JSON."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import statistics
from importlib.metadata import version
from pathlib import Path
from typing import Any

import app
import checks
import simulator

DOCS = Path(__file__).parents[2] / "docs"


def machine() -> dict[str, Any]:
    """The processor and versions the figures belong to."""
    model = platform.processor()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    return {
        "processor": model or platform.machine(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "date": datetime.date.today().isoformat(),
        **{name: version(name) for name in ("numpy", "numba", "numba-cuda")},
    }


def p95(values: list[float]) -> float:
    """The 95th percentile, nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]


def _samples(warm: dict[str, Any], kind: str, what: str, paused: bool = True) -> list[float]:
    return [save[what] for puzzle in warm.values() for saves in puzzle[kind].values() for save in saves
            if bool(save["pause"]) == paused]


def table(data: dict[str, Any]) -> str:
    """The measurements as Markdown."""
    about = data["machine"]
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench`; the samples are in `benchmarks.json`. Ratios are of medians taken in one run.",
        "",
        f"{about['processor']}, {about['cores']} cores, load {about['load']} at the start. Python {about['python']}, "
        f"numpy {about['numpy']}, numba {about['numba']}, numba-cuda {about['numba-cuda']}. {about['date']}.",
        "",
        "## Our simulator against Numba's own",
        "",
        "| kernel | Numba's, ms | values, ms | and findings | and counters | faster (values) | faster (all) |",
        "|---|---|---|---|---|---|---|",
    ]
    result = data["simulator"]
    for name, modes in result["ours"].items():
        theirs = statistics.median(result["numba"][name])
        times = [f"{1e3 * statistics.median(samples):.1f}" for samples in modes.values()]
        ratios = [f"{simulator.ratio(result, name, mode):,.0f}x" for mode in ("values", "and counters")]
        lines.append(f"| {name} | {1e3 * theirs:,.0f} | {' | '.join(times)} | {' | '.join(ratios)} |")
    lines += [
        "",
        "## Cost by number of threads",
        "",
        "An elementwise kernel, findings and counters on.",
        "",
        "| threads | ms | ns per thread |",
        "|---|---|---|",
    ]
    for count, samples in data["linear"]["seconds"].items():
        median = statistics.median(samples)
        lines.append(f"| {int(count):,} | {1e3 * median:.0f} | {1e9 * median / int(count):.0f} |")
    lines += [
        "",
        f"Resident memory of the process after the last: {data['linear']['resident_megabytes']:.0f} MB.",
        "",
        "## Save to verdict",
        "",
        f"In a warm process, saves {checks.PAUSE} s apart where nothing else is said. A first verdict is shown while "
        "the other cases still run.",
        "",
        "| what | median, s | 95th percentile, s | samples |",
        "|---|---|---|---|",
    ]
    count = len(data["warm"])
    for words, kind, what, paused in (
        ("to the first verdict, wrong files", "wrong", "first", True),
        ("to the report, every case run, wrong files", "wrong", "report", True),
        ("to the report, every case run, right files", "right", "report", True),
        ("to the first verdict, wrong files, saved back to back", "wrong", "first", False),
        ("to the report, right files, saved back to back", "right", "report", False),
    ):
        samples = _samples(data["warm"], kind, what, paused)
        lines.append(f"| {words} of {count} puzzles | {statistics.median(samples):.3f} | {p95(samples):.3f} | "
                     f"{len(samples)} |")
    if data["cold"]:
        lines.append(
            f"| `gpulab check`, cold, whole process | {statistics.median(data['cold']):.2f} | "
            f"{p95(data['cold']):.2f} | {len(data['cold'])} |"
        )
    if data.get("app"):
        lines += ["", *app.table(data["app"])]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument(
        "ids", nargs="*",
        help="puzzles or tracks whose checks are timed, or app for the app alone; none: "
             f"{', '.join(checks.TRACKS)}, and docs are written",
    )
    arguments = parser.parse_args()
    if arguments.ids == ["app"]:  # the rest stays as it was measured
        data = json.loads((DOCS / "benchmarks.json").read_text()) | {"app": app.measure()}
        write(data)
        return
    data = {
        "machine": machine(),
        "warm": checks.warm(arguments.ids or checks.TRACKS),
        "cold": checks.cold(),
        "simulator": simulator.against_numba(),
        "linear": simulator.linear(),
        "app": app.measure(),
    }
    text = table(data)
    print(text)
    if not arguments.ids:
        write(data)


def write(data: dict[str, Any]) -> None:
    """Into `docs`: the table, and the samples beside it."""
    (DOCS / "benchmarks.md").write_text(table(data))
    (DOCS / "benchmarks.json").write_text(json.dumps(data, indent=1) + "\n")


if __name__ == "__main__":
    main()
