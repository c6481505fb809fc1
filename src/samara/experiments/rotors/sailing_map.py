"""Tip deflections of the stationary rotor in gusts of all strengths and directions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.experiments.registry import Experiment, Finding, Outcome, Sheet
from samara.experiments.rotors.rotor_sailing import NOTE, SHIP_NOTE, TIP, above_hub
from samara.models.articulated_rotors import puma_sailing
from samara.models.articulated_rotors.puma import BLADES
from samara.models.registry import Quantity
from samara.results import Results
from samara.results.plotting import canvas
from samara.solve import transient
from samara.sweep import grid, sweep

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEAD = ("gust m/s", "direction deg", "lowest tip m", "highest tip m", "largest flap deg")
OUTPUTS = (
    *(f"blade_{k + 1}.{what}" for k in range(BLADES) for what in (TIP, "flap.angle")),
    "hub.position",
    "hub.rotation",
)


def run(
    strongest: Annotated[float, Quantity("m/s", "peak of the strongest gust", True)] = 35.0,
    speeds: Annotated[int, Quantity("1", "how many strengths, from half of that on", True)] = 4,
    directions: Annotated[int, Quantity("1", "how many directions; of a quarter turn on land", True)] = 4,
    end: Annotated[float, Quantity("s", "how long each run is", True)] = 6.0,
    step: Annotated[float, Quantity("s", "time step", True)] = 1e-3,
    restitution: Annotated[float, Quantity("1", "of the stops")] = 0.8,
    workers: Annotated[int, Quantity("1", "processes", True)] = 1,
    roll_deg: Annotated[float, Quantity("deg", "amplitude of a ship's roll below the rotor")] = 0.0,
    pitch_deg: Annotated[float, Quantity("deg", "amplitude of its pitch")] = 0.0,
    heave: Annotated[float, Quantity("m", "amplitude of its heave")] = 0.0,
    hub_height: Annotated[float, Quantity("m", "of the hub above the ship's axes")] = 10.0,
) -> Outcome:
    """Elastic blades on unilateral stops; with four identical blades a quarter turn covers all directions.

    On a ship, which rolls about one axis, directions cover a full turn.
    Heights are measured from the hub along the shaft. Tips hang 1.25 m below it before sagging, 1.47 m at rest.
    """
    gusts = np.linspace(0.5 * strongest, strongest, speeds)
    afloat = bool(roll_deg or pitch_deg or heave)
    angles = (360.0 if afloat else 90.0) * np.arange(directions) / directions
    setting: dict[str, Any] = {
        "restitution": restitution, "roll_deg": roll_deg, "pitch_deg": pitch_deg, "heave": heave,
        "hub_height": hub_height,
    }  # fmt: skip
    found = sweep(
        lambda gust, gust_deg: puma_sailing.build("gust", gust=gust, gust_deg=gust_deg, **setting),
        tips, grid(gust=gusts, gust_deg=angles), end=end, step=step, outputs=OUTPUTS,
        workers=None if workers == 1 else workers, progress=False,
        units={"gust": "m/s", "gust_deg": "deg", "lowest": "m", "highest": "m", "flap": "deg"}, name="rotor sailing",
    )  # fmt: skip
    low, high, flap = (np.asarray(found[name]) for name in ("lowest", "highest", "flap"))
    rows = tuple(
        (float(g), float(a), float(low[i, j]), float(high[i, j]), float(flap[i, j]))
        for i, g in enumerate(gusts)
        for j, a in enumerate(angles)
    )
    i, j = np.unravel_index(int(np.argmin(low)), low.shape)
    findings = (
        Finding("lowest_tip", float(low.min()), "m", f"gust of {gusts[i]:.3g} m/s towards {angles[j]:.3g} deg"),
        Finding("highest_tip", float(high.max()), "m", "above the hub"),
        Finding("largest_flap", float(flap.max()), "deg", f"{puma_sailing.ANTIFLAP_DEG:g} is the anti-flap stop"),
    )
    model = puma_sailing.build("gust", gust=float(gusts[i]), gust_deg=float(angles[j]), **setting)
    worst = transient(model, end, step, outputs=("blade_1.*", "model.*"), progress=False)
    note, repeats = (SHIP_NOTE, 1) if afloat else (NOTE, BLADES)
    return Outcome(worst, findings, lambda: _draw(gusts, angles, low, high, repeats, note), Sheet(HEAD, rows))


def tips(run: Results) -> dict[str, float]:
    """Lowest and highest position of any tip relative to the hub [m], and the largest flap angle [deg]."""
    heights = np.array([above_hub(run, f"blade_{k + 1}.{TIP}") for k in range(BLADES)])
    flap = np.degrees([run[f"blade_{k + 1}.flap.angle"] for k in range(BLADES)])
    return {"lowest": float(heights.min()), "highest": float(heights.max()), "flap": float(flap.max())}


def _draw(gusts: np.ndarray, angles: np.ndarray, low: np.ndarray, high: np.ndarray, repeats: int, note: str) -> Figure:
    """Both heights over strength and direction; results for a quarter turn are repeated around."""
    figure = canvas(10.0, 4.5)
    around = np.append(np.concatenate([angles + 90.0 * k for k in range(repeats)]), 360.0)
    for k, (values, title) in enumerate(((low, "lowest tip [m]"), (high, "highest tip [m]"))):
        axes = figure.add_subplot(1, 2, k + 1, projection="polar")
        full = np.concatenate([values] * repeats + [values[:, :1]], axis=1)
        drawn = axes.contourf(np.radians(around), gusts, full, levels=12)
        figure.colorbar(drawn, ax=axes, shrink=0.8)
        axes.set_title(f"{title}, over gust [m/s] and direction", fontsize="small")
    figure.suptitle(f"Still rotor of the Puma in a gust ({note})")
    return figure


EXPERIMENT = Experiment(
    "sailing-map",
    "how far the tips of the Puma's still rotor go in gusts of any strength from any direction",
    "beyond Fancello et al. 2014: gusts from any direction",
    run,
    NOTE,
)
