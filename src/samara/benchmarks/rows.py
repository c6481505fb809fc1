"""The rows of a benchmark report, and timing that stands up to a noisy machine.

CPU time of the calling thread is used throughout: on a shared machine the wall clock also counts the neighbours, and
the time of the process the idle threads of a BLAS library. Medians are reported with their tails. A ratio of two codes
is measured by running them in turn, so that a slow minute hits both.
"""

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Row:
    """One measured figure. `aim` is what it should be, in words or a number ("" when there is none)."""

    case: str
    metric: str
    value: float
    unit: str = ""
    aim: float | str = ""
    note: str = ""


def to_json(rows: Iterable[Row]) -> dict[str, list[dict[str, Any]]]:
    """{"rows": [...]} ready for `json.dump`: plain numbers, and None for what is not finite."""
    return {"rows": [{key: _plain(value) for key, value in asdict(row).items()} for row in rows]}


def to_text(rows: Iterable[Row]) -> str:
    """The same as a JSON document."""
    return json.dumps(to_json(rows), indent=2, allow_nan=False)


def to_table(rows: Iterable[Row]) -> str:
    """Aligned text, one line a row: numbers to the right, words to the left, the note last."""
    head = ("case", "metric", "value", "unit", "aim", "note")
    body = [(r.case, r.metric, _number(r.value), r.unit, _number(r.aim), r.note) for r in rows]
    width = [max(len(line[i]) for line in [head, *body]) for i in range(len(head))]
    lines = []
    for line in [head, tuple("-" * w for w in width), *body]:
        cells = [
            cell.rjust(w) if i == 2 else cell.ljust(w) for i, (cell, w) in enumerate(zip(line, width, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value


def _number(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.4g}"


@dataclass(frozen=True)
class Timing:
    """CPU times of repeated calls [s], in the order in which they were taken."""

    samples: NDArray[np.float64]

    @property
    def median(self) -> float:
        return float(np.median(self.samples))

    @property
    def best(self) -> float:
        return float(np.min(self.samples))

    @property
    def worst(self) -> float:
        return float(np.max(self.samples))

    def percentile(self, percent: float) -> float:
        """The time that `percent` of the calls do not exceed [s]: 99 is the usual tail."""
        return float(np.percentile(self.samples, percent))

    def scaled(self, factor: float) -> "Timing":
        """The same samples times `factor`: 1e6 / steps turns seconds a run into microseconds per step."""
        return Timing(self.samples * factor)


def cpu_time_per_call(
    call: Callable[..., Any],
    *,
    setup: Callable[[], Any] | None = None,
    repeats: int = 7,
    warmup: int = 1,
    inner: int = 1,
) -> Timing:
    """Time `repeats` calls, after `warmup` calls that are not counted.

    `setup` runs before every call, off the clock, and `call` receives what it returned. A call shorter than
    the clock's resolution (about 1 us) should be repeated `inner` times for each sample; `setup` then runs
    once a sample.
    """
    return interleave({"": call}, setups={"": setup} if setup else {}, repeats=repeats, warmup=warmup, inner=inner)[""]


def interleave(
    calls: Mapping[str, Callable[..., Any]],
    *,
    setups: Mapping[str, Callable[[], Any]] | None = None,
    repeats: int = 7,
    warmup: int = 1,
    inner: int = 1,
) -> dict[str, Timing]:
    """Time several calls in turn, A B A B ..., so that sample i of each is taken at nearly the same time.

    Ratios of the results are then meaningful on a machine whose speed drifts: see `ratio`.
    """
    if repeats < 1 or inner < 1 or warmup < 0:
        raise ValueError(f"repeats and inner must be at least 1, warmup at least 0: {repeats}, {inner}, {warmup}")
    setups = setups or {}
    samples: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(-warmup, repeats):
        for name, call in calls.items():
            arguments = (setups[name](),) if name in setups else ()
            start = time.thread_time_ns()
            for _ in range(inner):
                call(*arguments)
            elapsed = (time.thread_time_ns() - start) * 1e-9 / inner
            if turn >= 0:
                samples[name].append(elapsed)
    return {name: Timing(np.array(values)) for name, values in samples.items()}


def ratio(slow: Timing, fast: Timing) -> float:
    """Median of the ratios taken pair by pair. Both must come from one `interleave`."""
    if slow.samples.size != fast.samples.size:
        raise ValueError(f"ratio needs interleaved timings of equal length: {slow.samples.size}, {fast.samples.size}")
    return float(np.median(slow.samples / fast.samples))
