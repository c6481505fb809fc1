"""Runs of ready models, and how far two of them are apart."""

from __future__ import annotations

import functools
import warnings
from dataclasses import dataclass

import numpy as np
from twins import View

from samara import models
from samara.model import Model
from samara.models import ReadyModel
from samara.results import Channel, Results
from samara.solve import Simulation, static, transient

#: of Newton's method: far below what is compared, and above its rounding near the world's origin
TOLERANCE = 1e-12
#: settings that let a short run see more: what flies is let go within it; the tiltrotor turns
SETTINGS: dict[str, dict[str, float]] = {
    "helicopter": {
        "airspeed": 20.0,
        "collective_deg": 10.10,
        "theta1c_deg": 0.62,
        "theta1s_deg": 1.32,
        "pedal_deg": 4.38,
        "pitch_deg": 1.57,
        "roll_deg": 1.76,
        "release": 0.05,
    },
    "coaxial": {"airspeed": 20.0, "release": 0.05},
    "bo105": {"airspeed": 20.0, "release": 0.05},
    "uh60": {"airspeed": 20.0, "release": 0.05},
    "tandem": {"airspeed": 20.0, "release": 0.1},
    "quadrotor": {"airspeed": 3.0, "release": 0.005},
    "soft-in-plane": {"air": True, "windup": 0.0, "release": 0.0, "couple_at": 0.02},
}
STEPS = 60
PLACES = ("m", "rad")
SPEEDS = ("m/s", "rad/s", "kg m/s", "kg m^2/s", "J")


def make(name: str, **settings: float | bool) -> Model:
    """A ready model as the battery takes it."""
    return models.find(name).make(**{**SETTINGS.get(name, {}), **settings})


def run(
    ready: ReadyModel,
    model: Model,
    steps: int = STEPS,
    step: float | None = None,
    *,
    lanes: int | None = None,
    tolerance: float = TOLERANCE,
) -> Results:
    """A short run of a ready model or of its twin."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of the start: tests of the models look at it
        if ready.analysis == "static":
            return static(model, steps=max(2, steps // 20))
        size = ready.timeline.step if step is None else step
        return transient(simulation(ready, model, lanes, tolerance), steps * size, size, progress=False)


def simulation(ready: ReadyModel, model: Model, lanes: int | None = None, tolerance: float = TOLERANCE) -> Simulation:
    """With the integrator that the model is usually run with."""
    return Simulation(model, method=ready.method, tolerance=tolerance, lanes=lanes)


@functools.cache
def base(name: str, steps: int = STEPS, tolerance: float = TOLERANCE) -> Results:
    """The run that all others are compared with."""
    return run(models.find(name), make(name), steps, tolerance=tolerance)


def seen(results: Results, view: View, names: dict[str, str] | None = None) -> dict[str, np.ndarray]:
    """All channels as they would be in the world of the original, {name: rows}; what depends on the view is left out.

    Energies of position count from the start. A boost changes momentum, kinetic energy and power.
    """
    found, far, fast = {}, view.shift.any(), view.boost.any()
    for channel in results.channels:
        owner, _, quantity = channel.name.rpartition(".")
        rows = results[channel.name]
        if quantity == "violation" or (quantity == "angular_momentum" and (far or fast)):
            continue
        if fast and (channel.unit in ("J", "W") or quantity == "momentum"):
            continue
        if quantity == "potential":
            rows = rows - rows[0]
        elif channel.description == "R_WN by rows":
            rows = (view.turn.T @ rows.reshape(-1, 3, 3)).reshape(-1, 9)
        elif "world" in channel.description and channel.components == ("x", "y", "z"):
            if quantity == "position":
                rows = rows - view.shift - np.outer(results.time, view.boost)
            if quantity == "velocity":
                rows = rows - view.boost
            rows = rows @ view.turn
        found[f"{(names or {}).get(owner, owner)}.{quantity}"] = rows
    return found


def kind(channel: Channel) -> str:
    """What a channel's accuracy is that of: numbers without a unit and angles of attack follow from the loads' flow."""
    if channel.description == "R_WN by rows":
        return "places"
    if channel.name.endswith(".alpha"):
        return "loads"
    return "places" if channel.unit in PLACES else "speeds" if channel.unit in SPEEDS else "loads"


@functools.cache
def meaningless(name: str) -> frozenset[str]:
    """Rates of algebraic states: the scheme has them as a by-product, and no equation looks at them."""
    return frozenset(f"{state}.rate" for state, found in make(name).states.items() if found.order == 0)


@dataclass(frozen=True)
class Gap:
    """How far two runs are apart: the largest differences, each of the largest number in its unit, and where.

    Loads, accelerations and all that follows from them are compared in the second half of a run: at its start they hold
    the rounding of poses times the stiffness of beams, which the scheme lets ring down.
    """

    places: tuple[float, str]
    speeds: tuple[float, str]
    loads: tuple[float, str]

    def below(self, places: float, speeds: float, loads: float) -> bool:
        """Whether all differences are smaller."""
        return self.places[0] < places and self.speeds[0] < speeds and self.loads[0] < loads


def gap(name: str, original: Results, other: dict[str, np.ndarray]) -> Gap:
    """Between a run of a ready model and another one as `seen` from its world."""
    channels = {c.name: c for c in original.channels if c.name not in meaningless(name)}
    here = seen(original, View())
    assert set(other) <= set(here), sorted(set(other) - set(here))[:5]
    size = scales(original)
    found: dict[str, list[tuple[float, str]]] = {"places": [], "speeds": [], "loads": []}
    for label in channels.keys() & other.keys():
        what, rows = kind(channels[label]), other[label]
        late = slice(len(rows) // 2 if what == "loads" else 0, None)
        error = float(np.abs(rows - here[label])[late].max())
        found[what].append((error / size[channels[label].unit] if error else 0.0, label))
    return Gap(*(max(found[what], default=(0.0, "")) for what in ("places", "speeds", "loads")))


def scales(results: Results) -> dict[str, float]:
    """The largest number of each unit; where mechanics makes one of others (a couple of a force), that if larger."""
    size: dict[str, float] = {}
    for channel in results.channels:
        largest = float(np.abs(results[channel.name]).max())
        size[channel.unit] = max(size.get(channel.unit, 0.0), largest)
    had = dict(size)
    length, speed, force, couple = (had.get(unit, 0.0) or 1e-300 for unit in ("m", "m/s", "N", "N m"))
    power = force * speed + couple * had.get("rad/s", 0.0)
    derived = {
        "rad": 1.0,
        "1": 1.0,
        "rad/s": speed / length,
        "rad/s^2": had.get("rad/s", 0.0) ** 2 + had.get("m/s^2", 0.0) / length,
        "m/s^2": speed * had.get("rad/s", 0.0),
        "N": couple / length,
        "N m": force * length,
        "W": power,
    }
    return {unit: max(value, derived.get(unit, 0.0)) for unit, value in size.items()}
