"""The free wakes of the rotors in a run: vortex geometry, induced velocities, and freezing."""

from __future__ import annotations

import numpy as np

from samara.arguments import instance, named, positive, whole
from samara.elements.aero.inflow.inflow_at_blade import BladeStation
from samara.elements.aero.rotors.rotor import rotors_with
from samara.elements.aero.wake.field import LawOfRotor
from samara.elements.aero.wake.free_wake import FreeWake
from samara.elements.aero.wake.frozen_wake import FrozenWake, azimuth_series
from samara.elements.aero.wake.geometry import WakeGeometry, wake_geometry_of
from samara.model import ArgumentError, Model
from samara.results import Results
from samara.solve.sampling import law_arrays
from samara.solve.simulation import Simulation


def wake_geometry(sim: Simulation) -> WakeGeometry:
    """The vortices of all rotors with a `FreeWake` at the present time of a run.

    ``.filaments`` are lines with circulation and core radius, ``.velocity(points)`` the velocity induced by all, in
    world axes; ``.save("wake.vtk")`` writes the lines.
    """
    if not isinstance(sim, Simulation):
        raise ArgumentError(f"wake_geometry: give the Simulation of a run, such as stepper.sim, got {sim!r}")
    rotors = rotors_with(FreeWake, sim.model.elements.values())
    if not rotors:
        raise ArgumentError(f"wake_geometry: no rotor of model {sim.model.name!r} has a FreeWake")
    wake = next(iter(rotors.values())).inflow  # each knows the whole field
    assert isinstance(wake, FreeWake)
    names = [law.rotor for law in wake.laws()]
    arrays = law_arrays(sim, names[0])
    if arrays is None:
        raise ArgumentError("wake_geometry: the wake starts with the first step of a run: take a step first")
    return wake_geometry_of(names, *arrays)


def frozen_wake(
    model: Model,
    results: Results,
    *,
    rotor: str | None = None,
    turns: float = 4.0,
    harmonics: int = 10,
    scaling: str = "thrust",
) -> FrozenWake:
    """The frozen far wake of a rotor from a run with a `FreeWake`: give it to the same rotor instead of the free wake.

    results: of that model, with all channels. rotor: its name, where there are several. turns: how many of the last
    ones are averaged, over all blades. harmonics: per turn; 0 in hover, where analyses then see a steady rotor.
    scaling: whether velocities follow the "thrust", or "none"; see `FrozenWake`.
    """
    instance("frozen_wake: model", model, Model)
    instance("frozen_wake: results", results, Results, "; take those of a run")
    rotors = rotors_with(FreeWake, model.elements.values())
    if rotor is None and len(rotors) > 1:
        raise ArgumentError(f"frozen_wake: which rotor? give rotor=..., one of {', '.join(rotors)}")
    rotor = named(
        f"frozen_wake: model {model.name!r}", "rotor with a FreeWake", rotor or next(iter(rotors), None), rotors
    )
    owner, wake = rotors[rotor], rotors[rotor].inflow
    assert isinstance(wake, FreeWake)
    law: LawOfRotor | None = wake.law
    if law is None:
        raise ArgumentError("frozen_wake: the model has made no run yet: give the one that the results are of")
    harmonics = whole("frozen_wake: harmonics", harmonics) if harmonics else 0
    period = 2.0 * np.pi / abs(float(owner.speed))
    span = positive("frozen_wake: turns", turns) * period
    late = results.time > results.time[-1] - span * (1.0 - 1e-9)
    if results.time[-1] - results.time[0] < span:
        raise ArgumentError(
            f"frozen_wake: the run is shorter than {turns:g} turns, {span:.4g} s: run on, or give turns"
        )
    count = len(law.stations) // len(owner.blades)
    found, left, size = [], 0.0, 0.0
    for k in range(count):
        azimuth, polar = (
            np.concatenate(part) for part in zip(*(_polar(results, s, late) for s in law.stations[k::count]))
        )
        series, rest = azimuth_series(azimuth, polar, harmonics)
        found.append(series)
        left, size = left + float(np.sum(rest**2)), size + float(np.sum(polar**2))
    CT = float(np.mean(results[f"{rotor}.CT"][late]))
    tip = abs(float(owner.speed)) * float(owner.radius)
    return FrozenWake(
        radii=[station.r for station in law.stations[:count]], series=np.array(found), reference=CT * tip,
        scaling=scaling, near=wake.near, missed=float(np.sqrt(left / size)),
    )  # fmt: skip


def _polar(results: Results, station: BladeStation, late: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Azimuth of a station in samples, and the velocity of its far wake: radial, tangential, axial."""
    part = slice(3 * station.number, 3 * station.number + 3)
    x, y, _ = results[f"{station.surface.name}.wake_points"][late][:, part].T
    u, v, w = results[f"{station.surface.name}.far_wake"][late][:, part].T
    psi = np.arctan2(y, x)
    c, s = np.cos(psi), np.sin(psi)
    return psi, np.stack([c * u + s * v, c * v - s * u, w], axis=1)
