"""`samara bench soak`: one hour in real time with recorder and panel: does memory grow, is a sample lost?

Samples the memory of every process of `samara realtime` (its own: pages of files that it has mapped do not count). The
file is read back, and its rows are counted.
SAMARA_SOAK is another duration [s], SAMARA_SOAK_MODEL another model.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from samara.benchmarks.rows import Row
from samara.results import Results

#: How long [s], how often memory is looked at [s], and what of the beginning is left out: caches fill up.
DURATION, OFTEN, WARM_UP = 3600.0, 5.0, 0.2
#: What is recorded, where it is not everything: all measures of the Puma would be 11 GB an hour.
SENSORS = {"puma": ("blade_1.*", "rotor.*")}
#: The processes by what they run.
ROLES = {
    "samara.realtime.loop.process": "loop_process",
    "samara.realtime.recording.process": "record",
    "samara.dashboard.server.process": "panel",
    "samara": "realtime",
}


def rows(duration: float | None = None, model: str | None = None) -> Iterator[Row]:
    """One run."""
    duration = float(os.environ.get("SAMARA_SOAK", DURATION)) if duration is None else duration
    model = os.environ.get("SAMARA_SOAK_MODEL", "puma") if model is None else model
    with tempfile.TemporaryDirectory(prefix="samara-soak-") as folder:
        file = Path(folder) / "soak.nc"
        command = [sys.executable, "-m", "samara", "realtime", model, "--duration", str(duration), "--json"]
        command += ["--save", str(file), "--no-open", "--sensors", *SENSORS.get(model, ("*",))]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            memory = followed(process)
            assert process.stdout is not None
            report = json.loads(process.stdout.read())
        if "error" in report:
            raise RuntimeError(f"samara realtime {model}: {report['error']}")
        recorded = Results.load(file)
        yield Row(model, "simulated", report["simulated"], "s", duration, f"ended: {report['ended']}")
        yield Row(model, "overruns", report["overruns"], "", "", "of a shared machine")
        yield Row(model, "not_converged", report["not_converged"], "", 0)
        yield Row(model, "samples_lost", report["cycles"] - len(recorded.time), "", 0, f"of {report['cycles']}")
        yield Row(model, "dropped", report["dropped"], "", 0)
        for name, samples in memory.items():
            yield grown(f"{model} {name}", np.array(samples))


def followed(process: subprocess.Popen) -> dict[str, list[tuple[float, float]]]:
    """(time [s], memory of its own [MiB]) of a process and its children, until it ends."""
    found: dict[str, list[tuple[float, float]]] = {}
    began = time.monotonic()
    while process.poll() is None:
        for pid in [process.pid, *children(process.pid)]:
            try:
                name, memory = role(pid), own_memory(pid)
            except (OSError, IndexError):
                continue  # it has just ended
            found.setdefault(name, []).append((time.monotonic() - began, memory))
        time.sleep(OFTEN)
    return found


def children(pid: int) -> list[int]:
    """Processes that it started."""
    try:
        return [int(p) for f in Path(f"/proc/{pid}/task").glob("*/children") for p in f.read_text().split()]
    except OSError:
        return []


def own_memory(pid: int) -> float:
    """Resident and of no file [MiB], see proc_pid_status(5)."""
    text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(text.partition("RssAnon:")[2].split()[0]) / 1024.0


def role(pid: int) -> str:
    """What a process of ours does, by its command line."""
    words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    return next((name for module, name in ROLES.items() if module in words), "other")


def grown(case: str, samples: np.ndarray) -> Row:
    """How fast memory grows, by the slope of a straight line, once caches are full."""
    late = samples[samples[:, 0] >= WARM_UP * samples[-1, 0]]
    if len(late) < 3:
        return Row(case, "memory_growth", float("nan"), "KiB/min", 0, "ended too soon")
    slope = float(np.polyfit(late[:, 0], late[:, 1], 1)[0])
    note = f"{late[0, 1]:.1f} MiB after the warm-up, {late[-1, 1]:.1f} MiB at the end, at most {late[:, 1].max():.1f}"
    return Row(case, "memory_growth", slope * 60.0 * 1024.0, "KiB/min", 0, note)
