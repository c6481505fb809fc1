"""A flexible beam raised by a hydraulic cylinder, and the water hammer in its pipe when a valve closes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.elements.hydraulic.pipes.add_pipe import add_pipe
from samara.elements.hydraulic.storage.tank import Tank
from samara.experiments.registry import Experiment, Finding, Outcome
from samara.model import Model
from samara.models.beams import hydraulic_beam as beam
from samara.models.quantity import Quantity
from samara.results import Results
from samara.results.plotting import canvas
from samara.solve import TwoStep, transient

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BORE = np.pi * beam.PIPE_RADIUS**2  # m^2
SOUND = np.sqrt(beam.BULK_MODULUS / beam.DENSITY)  # m/s
#: Period of waves in the pipe between a reservoir and a closed end, 4 L / c [s].
PERIOD = 4.0 * beam.PIPE_LENGTH / SOUND
#: Speed of the oil before the valve closes [m/s].
SPEED = 1.0


def run(
    pieces: Annotated[int, Quantity("", "columns of liquid in the pipe", positive=True)] = 20,
    elements: Annotated[int, Quantity("", "three-node beams, a multiple of two", positive=True)] = 4,
) -> Outcome:
    """Raises the beam in 2 s and lets it ring; also the pipe alone, whose end is closed while oil is flowing."""
    results = beam.HYDRAULIC_BEAM.run(pieces=pieces, elements=elements)
    hammers = {n: shut_valve(n) for n in (5, pieces, 4 * pieces)}
    finest = hammers[4 * pieces]
    findings = (
        Finding("stroke", 1e3 * float(results["cylinder.stroke"][-1]), "mm", "200, the volume by the area"),
        Finding("pipe_loss", 1e-6 * loss_of_pipe(results, 0.5), "MPa", f"{1e-6 * exact_loss(0.5):.3f}, incompressible"),
        Finding("least_pressure", 1e-6 * float(results["inlet.value"].min()), "MPa", "above that of boiling"),
        Finding("energy_budget", budget(results), "1", "0, but for the time step"),
        Finding("hammer_period", 1e3 * period_of(finest), "ms", f"{1e3 * PERIOD:.2f}, 4 L / c"),
        Finding(
            "hammer_pressure", 1e-6 * plateau(finest), "MPa",
            f"{1e-6 * beam.DENSITY * SOUND * SPEED:.3f}, rho c v, less friction",
        ),
    )  # fmt: skip
    draws = {"raising": lambda: _draw_raising(results), "hammer": lambda: _draw_hammer(hammers)}
    return Outcome(results, findings, draws["raising"], figures=draws)


def shut_valve(pieces: int, end: float = 2.2 * PERIOD, step: float = 1e-4) -> Results:
    """The pipe between a tank and an end that has just been closed."""
    model, fluid = Model("water-hammer"), beam.make_fluid()
    charge = 4e6  # none of the waves reaches the vapour pressure
    a, b = (model.pressure(name, charge) for name in ("reservoir", "valve"))
    length, radius, start = beam.PIPE_LENGTH, beam.PIPE_RADIUS, beam.DENSITY * BORE * SPEED
    add_pipe(model, "pipe", a, b, fluid=fluid, length=length, radius=radius, pieces=pieces, start=start)
    model.add("tank", Tank(a, fluid=fluid, pressure=charge))
    return transient(model, end, step, integrator=TwoStep(0.9), progress=False)


def period_of(hammer: Results) -> float:
    """Period from the times at which the valve pressure crosses that of the reservoir, half a period apart [s]."""
    rise, t = hammer["valve.value"] - hammer["reservoir.value"], hammer.time
    cross = np.flatnonzero(np.diff(np.sign(rise[1:])) != 0) + 1
    times = t[cross] - rise[cross] * (t[cross + 1] - t[cross]) / (rise[cross + 1] - rise[cross])
    return 2.0 * float(times[1] - times[0])


def plateau(hammer: Results) -> float:
    """Mean pressure rise at the valve before the wave returns [Pa]."""
    rise, t = hammer["valve.value"] - hammer["reservoir.value"], hammer.time
    return float(rise[(t > 0.1 * PERIOD) & (t < 0.4 * PERIOD)].mean())


def loss_of_pipe(results: Results, t: float) -> float:
    """Pressure drop along the pipe at a given time [Pa]."""
    return float(np.interp(t, results.time, results["inlet.value"] - results["valve_port.value"]))


def exact_loss(t: float) -> float:
    """Pressure drop of laminar flow, 8 mu L Q / (pi r^4), and of the inertia of a rising flow, rho L / A dQ/dt [Pa]."""
    rate = beam.PEAK_FLOW  # in a second
    viscous = 8.0 * beam.VISCOSITY * beam.PIPE_LENGTH * rate * t / (np.pi * beam.PIPE_RADIUS**4)
    return float(viscous + beam.DENSITY * beam.PIPE_LENGTH / BORE * rate)


def budget(results: Results) -> float:
    """Energy that is neither supplied, stored nor dissipated as heat, relative to the energy supplied."""
    stored = results["model.kinetic"] + results["model.potential"]
    supplied = np.trapezoid(results["model.supplied"], results.time)
    heat = np.trapezoid(results["model.dissipated"], results.time)
    return float((stored[-1] - stored[0] + heat - supplied) / supplied)


def _draw_raising(results: Results) -> Figure:
    """Flow, stroke, pressures, and the tip relative to a rigid beam."""
    figure = canvas(9.0, 6.0)
    (stroke, pressure), (flow, tip) = figure.subplots(2, 2, sharex=True)
    t = results.time
    pumped = np.concatenate([[0.0], np.cumsum(np.diff(t) * 0.5 * (triangle(t[1:]) + triangle(t[:-1])))])
    stroke.plot(t, 1e3 * pumped / beam.AREA, "k--", linewidth=0.8, label="volume pumped by the area")
    stroke.plot(t, 1e3 * results["cylinder.stroke"], label="cylinder")
    for name, label in (("inlet", "pump"), ("valve_port", "end of the pipe"), ("chamber", "cylinder")):
        pressure.plot(t, 1e-6 * results[f"{name}.value"], linewidth=0.9, label=label)
    flow.plot(t, 1e3 * triangle(t), "k--", linewidth=0.8, label="pumped")
    flow.plot(t, 1e3 * results["orifice.volume_flow"], linewidth=0.9, label="into the cylinder")
    tip.plot(t, 1e3 * bend(results), linewidth=0.9)
    labels = ("stroke [mm]", "pressure [MPa]", "flow [l/s]", "tip off the root's line [mm]")
    for axes, label in zip((stroke, pressure, flow, tip), labels, strict=True):
        axes.set_ylabel(label)
        axes.grid(alpha=0.3)
        if axes is not tip:
            axes.legend(fontsize="x-small")
    for axes in (flow, tip):
        axes.set_xlabel("time [s]")
    return figure


def triangle(t: np.ndarray) -> np.ndarray:
    """Pumped flow [m^3/s]."""
    return np.interp(t, [0.0, 1.0, 2.0], [0.0, beam.PEAK_FLOW, 0.0])


def bend(results: Results) -> np.ndarray:
    """Deflection of the tip from the root's tangent, in axes of the root [m]."""
    turned = results["root.rotation"].reshape(-1, 3, 3)
    tip = max((name for name in (c.name for c in results.channels) if name.startswith("beam.n") and name.endswith(
        ".position")), key=lambda name: int(name.split(".")[1][1:]))  # fmt: skip
    return np.einsum("tji,tj->ti", turned, results[tip])[:, 1]


def _draw_hammer(hammers: dict[int, Results]) -> Figure:
    """Pressure at the closed valve."""
    figure = canvas(9.0, 3.6)
    axes = figure.subplots()
    for pieces, hammer in hammers.items():
        rise = hammer["valve.value"] - hammer["reservoir.value"]
        axes.plot(1e3 * hammer.time, 1e-6 * rise, linewidth=0.9, label=f"{pieces} pieces")
    t = next(iter(hammers.values())).time
    square = beam.DENSITY * SOUND * SPEED * np.where((t / (0.5 * PERIOD)).astype(int) % 2, -1.0, 1.0)
    axes.plot(1e3 * t, 1e-6 * square, "k--", linewidth=0.8, label="without friction: rho c v, period 4 L / c")
    axes.set_xlabel("time [ms]")
    axes.set_ylabel("pressure over the reservoir [MPa]")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="x-small", loc="upper right", ncols=2)
    return figure


EXPERIMENT = Experiment(
    "hydraulic-beam",
    "a flexible beam raised by a cylinder behind 20 m of pipe, and the water hammer in that pipe",
    beam.HYDRAULIC_BEAM.source,
    run,
    "where the cylinder stands, the pressure of the tank, and what is behind the piston",
    figures=("raising", "hammer"),
)
