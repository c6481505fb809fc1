"""The numbers of a rotor's plots."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from samara.dashboard.views.azimuth import TURN, Column, History, coefficients

#: Revolutions that are shown, samples per revolution at most, points of the mean.
TURNS, SAMPLES, PARTS = (1, 2, 4, 8), 120, 72
#: Time of the chart of multiblade coordinates [s], and its samples at most.
SECONDS, POINTS = 10.0, 300
#: No line is drawn over a larger step of the azimuth [rad], unless all steps are large.
GAP = 0.7


def plots(
    rotor: Mapping[str, Any], measure: str, unit: str, column: Column, turns: int, mean: bool = True
) -> tuple[dict[str, Any], np.ndarray]:
    """What the plots need: words and sizes, and all numbers in a row. mean: whether it is among the coordinates."""
    past = History.of(rotor, measure, column)
    scale = math.degrees(1.0) if unit.startswith("rad") else 1.0
    recent = past.last_turns(turns)
    drawn = recent.thinned(SAMPLES * turns)
    arrays = {
        "psi": drawn.psi - (TURN * np.floor(drawn.psi[0] / TURN) if len(drawn) else 0.0),
        "values": scale * drawn.b.T.ravel(),
        "mean": scale * recent.mean(PARTS) if len(recent) else np.zeros(0),
    }
    rows: dict[str, np.ndarray] = {}
    if len(past) and len(rotor["blades"]) > 1:
        chart = past.last_seconds(SECONDS).thinned(POINTS)
        rows = coefficients(chart.multiblade())
        if not mean and len(rows) > 1:
            del rows["mean"]
        arrays["time"] = chart.time - chart.time[-1]  # float32 has no room for hours and milliseconds
        arrays["coefficients"] = scale * np.concatenate(list(rows.values()))
    low, high = (float(f(drawn.b)) * scale if len(drawn) else 0.0 for f in (np.min, np.max))
    counted = abs(recent.psi[-1] - recent.psi[0]) / TURN if len(recent) else 0.0
    head = {
        "name": measure,
        "unit": shown_unit(unit),
        "turns": turns,
        "now": float(past.time[-1]) if len(past) else 0.0,
        "gap": max(GAP, 3.0 * float(np.median(np.abs(np.diff(drawn.psi))))) if len(drawn) > 1 else GAP,
        "counted": int(counted + 1e-9),
        "ahead": [blade["ahead"] for blade in rotor["blades"]],
        "low": low,
        "high": high,
        "rows": list(rows),
        "seconds": SECONDS,
        "arrays": [[name, int(values.size)] for name, values in arrays.items()],
    }
    return head, np.concatenate([np.ravel(values) for values in arrays.values()])


def shown_unit(unit: str) -> str:
    """As it is shown: angles in degrees, a number without unit as a dash."""
    return "-" if unit == "1" else unit.replace("rad", "deg", 1) if unit.startswith("rad") else unit
