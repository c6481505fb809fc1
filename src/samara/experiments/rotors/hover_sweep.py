"""The Puma's rotor in hover over collective pitch, compared with blade-element momentum theory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.elements.aero.surfaces.blade import Planform
from samara.experiments.registry import Experiment, Finding, Outcome, Sheet
from samara.experiments.rotors import puma_flight as flight
from samara.models.articulated_rotors import puma
from samara.models.registry import Quantity
from samara.results.plotting import canvas
from samara.solve import Simulation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEAD = (
    "collective deg", "CT/sigma", "CQ/sigma", "figure of merit",
    "CT/sigma theory", "CQ/sigma theory", "figure of merit theory", "coning deg",
)  # fmt: skip


def run(
    aerofoil: Annotated[str, Quantity("", "naca0012, or linear: the section that the theory takes")] = "naca0012",
    low: Annotated[float, Quantity("deg", "first collective pitch, at the root")] = 6.0,
    high: Annotated[float, Quantity("deg", "last collective pitch")] = 16.0,
    count: Annotated[int, Quantity("1", "how many", positive=True)] = 6,
    density: Annotated[float, Quantity("kg/m^3", "of the air", positive=True)] = 1.225,
    sound: Annotated[float, Quantity("m/s", "speed of sound", positive=True)] = 340.3,
    steps: Annotated[int, Quantity("1", "steps per turn", positive=True)] = 45,
) -> Outcome:
    """Rigid blades, vertical shaft, no wind, no cyclic pitch, uniform inflow without tip loss on both sides."""
    surface, rows, turns = flight.surface(aerofoil), [], []
    for theta in np.linspace(low, high, count):
        model = puma.turning(
            surface, controls_deg=(float(theta), 0.0, 0.0), airspeed=0.0, shaft_deg=0.0, density=density, sound=sound
        )
        found = flight.turn(Simulation(model, tolerance=flight.TOLERANCE), steps)
        CT, CQ = (float(found.results[f"rotor.{name}"].mean()) for name in ("CT", "CQ"))
        expected = theory(surface, float(np.radians(theta)), aerofoil, sound)
        coning = flight.first_harmonics(found.results)[0]
        rows.append((float(theta), *_scaled(CT, CQ), *_scaled(*expected), coning))
        turns.append(found)
    sheet = Sheet(HEAD, tuple(rows))
    unlike = {}
    for name in ("CT/sigma", "CQ/sigma"):
        a, b = np.array(sheet[name]), np.array(sheet[f"{name} theory"])
        unlike[name] = 100.0 * float(np.abs(a - b).max() / b.max())
    best = int(np.argmax(sheet["figure of merit"]))
    findings = (
        Finding("largest_thrust_difference", unlike["CT/sigma"], "%", "0: of the largest, against blade elements"),
        Finding("largest_torque_difference", unlike["CQ/sigma"], "%", "0: of the largest, against blade elements"),
        Finding("best_figure_of_merit", rows[best][3], "1", f"{rows[best][6]:.3f} by the theory"),
        Finding("at_collective", rows[best][0], "deg"),
        Finding("change_a_turn", max(t.residual for t in turns), "1", f"periodic below {flight.SETTLED:g}"),
    )
    return Outcome(turns[-1].results, findings, lambda: _draw(sheet, aerofoil), sheet)


def theory(surface: Planform, collective: float, aerofoil: str, sound: float) -> tuple[float, float]:
    """CT and CQ from blade-element theory in uniform inflow, small angles.

        CT = sigma a / 2 int (theta r^2 - lambda r) dr = 2 lambda^2
        CQ = lambda CT + sigma / 2 int cd r^3 dr

    from the cut-out to the tip; a and cd, at theta - lambda / r: see `puma_flight`. Integrals by Gauss quadrature.
    """
    nodes = surface.points(*surface.ends, 40)
    r, dr = nodes["x"] / puma.RADIUS, nodes["length"] / puma.RADIUS
    theta, slope = collective + nodes["twist"], flight.lift_slope(aerofoil, sound)
    half = 0.5 * puma.SOLIDITY
    # 2 lambda^2 + B lambda - A = 0
    A, B = half * slope * float(theta * r**2 @ dr), half * slope * float(r @ dr)
    inflow = (-B + np.sqrt(B**2 + 8.0 * max(A, 0.0))) / 4.0
    cd = flight.drag(aerofoil, theta - inflow / r)
    return 2.0 * inflow**2, 2.0 * inflow**3 + half * float((cd * r**3 * dr).sum())


def _scaled(CT: float, CQ: float) -> tuple[float, float, float]:
    """CT/sigma, CQ/sigma, figure of merit CT^1.5 / (sqrt(2) CQ)."""
    return CT / puma.SOLIDITY, CQ / puma.SOLIDITY, float(max(CT, 0.0) ** 1.5 / (np.sqrt(2.0) * CQ))


def _draw(sheet: Sheet, aerofoil: str) -> Figure:
    """Thrust over collective pitch, torque and figure of merit over thrust."""
    figure = canvas(12.0, 3.8)
    axes = figure.subplots(1, 3)
    for panel, along, name in zip(
        axes, ("collective deg", "CT/sigma", "CT/sigma"), ("CT/sigma", "CQ/sigma", "figure of merit"), strict=True
    ):
        beside = f"{along} theory" if along == "CT/sigma" else along
        panel.plot(sheet[beside], sheet[f"{name} theory"], "k--", linewidth=0.9, label="blade elements and momentum")
        panel.plot(sheet[along], sheet[name], "o-", markersize=4, label=f"multibody, {aerofoil}")
        panel.set(xlabel=along.replace(" deg", " [deg]"), ylabel=name)
        panel.grid(alpha=0.3)
        panel.legend(fontsize="small")
    figure.suptitle("Puma's rotor in hover, uniform inflow, no tip loss")
    return figure


EXPERIMENT = Experiment(
    "hover-sweep",
    "main rotor of the Puma in hover: thrust, torque and figure of merit over collective pitch, beside theory",
    f"{flight.SOURCE}; blade-element momentum theory, Bailey's drag (NACA 716, 1941)",
    run,
    "no measurement to compare with: the theory shares uniform inflow without tip loss",
)
