"""A helicopter landing, on the ground and on the deck of a ship, with two contact models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from samara.experiments.registry import Experiment, Finding, Outcome, Sheet
from samara.models.ground.landing_gear import CONTACTS, LandingGear, gear_of
from samara.models.helicopters import landing
from samara.models.registry import Quantity
from samara.results import Results
from samara.results.plotting import canvas
from samara.solve import transient

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OUTPUTS = ("fuselage.*", "gear.*", "model.*", "main.rotor.thrust")
TOLERANCE = landing.LANDING.method.tolerance
#: Speed relative to the deck below which the helicopter is at rest [m/s]; the rotors cause vibrations of 0.01 m/s.
REST = 0.05
HEAD = (
    "case", "step s", "touchdown s", "touchdown m/s", "peak leg N", "peak gear N", "impacts", "rest s", "legs took J",
    "contacts took J", "energy error",
)  # fmt: skip
NOTE = "landing gear, ship and way down are stand-ins"


@dataclass(frozen=True)
class Touchdown:
    """Characteristics of a landing.

    time: of the first contact [s]; speed: of approach to the deck at that time [m/s]
    leg, total: maximum load of one leg, and of all legs together [N]
    impacts: number of impacts of a foot on the deck
    rest: time from touchdown until the helicopter stays at rest on the deck [s]; nan if it does not
    damped, rubbed: energy absorbed by the legs, and by contacts (impacts and friction) [J]
    energy_error: energy less the work of all loads, relative to the energy absorbed by the legs; nan on a ship, where
    the deck does work too
    """

    time: float
    speed: float
    leg: float
    total: float
    impacts: int
    rest: float
    damped: float
    rubbed: float
    energy_error: float


def run(
    gear: Annotated[str, Quantity("", "wheels or skids")] = "wheels",
    end: Annotated[float, Quantity("s", "how long each run is", True)] = 14.0,
    step: Annotated[float, Quantity("s", "time step with unilateral contacts", True)] = 2.5e-3,
    penalty_step: Annotated[float, Quantity("s", "time step with a penalty law", True)] = 5e-4,
    sink_deg: Annotated[float, Quantity("deg", "by which collective pitch is lowered to go down", True)] = 0.8,
    friction: Annotated[float, Quantity("1", "between gear and deck")] = 0.6,
    restitution: Annotated[float, Quantity("1", "of unilateral contacts")] = 0.0,
    roll_deg: Annotated[float, Quantity("deg", "amplitude of the ship's roll")] = 5.0,
    pitch_deg: Annotated[float, Quantity("deg", "amplitude of its pitch")] = 2.0,
    heave: Annotated[float, Quantity("m", "amplitude of its heave")] = 1.0,
    ship_speed: Annotated[float, Quantity("m/s", "of the ship, and of the machine over it")] = 0.0,
) -> Outcome:
    """Four landings: on the ground and on a ship, each with rigid unilateral contacts and with a force law."""
    setting: dict[str, Any] = {
        "gear": gear, "sink_deg": sink_deg, "friction": friction, "restitution": restitution, "roll_deg": roll_deg,
        "pitch_deg": pitch_deg, "heave": heave, "ship_speed": ship_speed,
    }  # fmt: skip
    steps = {"unilateral": step, "penalty": penalty_step}
    runs: dict[tuple[str, str], Results] = {}
    for deck in landing.DECKS:
        for contact in CONTACTS:
            more = setting if deck == "ship" else setting | {"ship_speed": 0.0}
            runs[deck, contact] = transient(
                landing.build(deck=deck, contact=contact, **more), end, steps[contact], tolerance=TOLERANCE,
                outputs=(*OUTPUTS, *(("ship.*",) if deck == "ship" else ())), progress=False,
            )  # fmt: skip
    legs = gear_of(gear)
    assert legs is not None
    found = {case: touchdown(r, legs) for case, r in runs.items()}
    sheet = Sheet(HEAD, tuple(_row(case, steps[case[1]], found[case]) for case in runs))
    findings = [Finding("step_ratio", step / penalty_step, "1", "larger steps without a penalty law")]
    for deck in landing.DECKS:
        ours, theirs = (found[deck, contact] for contact in CONTACTS)
        findings += [
            Finding(f"touchdown_speed_{deck}", ours.speed, "m/s", f"{theirs.speed:.4g} with a penalty law"),
            Finding(f"peak_gear_{deck}", ours.total, "N", f"{theirs.total:.4g} with a penalty law"),
            Finding(f"impacts_{deck}", float(ours.impacts), "1", f"{theirs.impacts} with a penalty law"),
        ]
    findings.append(
        Finding(
            "energy_error",
            found["ground", "unilateral"].energy_error,
            "1",
            "of what the legs took; impacts take energy within a step",
        )
    )
    counters = runs["ship", "unilateral"].attrs.counters
    each = counters["iterations"] / counters["steps"]
    findings.append(Finding("iterations_per_step", each, "1", "on the ship, unilateral"))
    return Outcome(runs["ship", "unilateral"], tuple(findings), lambda: _draw(runs, legs), sheet)


def touchdown(found: Results, gear: LandingGear) -> Touchdown:
    """Evaluates a run for a landing on this gear."""
    t = found.time
    pushed = np.array([found[f"{name}.force"][:, 0] > 0.0 for name in gear.contacts()])
    if not pushed.any():
        nan = float("nan")
        return Touchdown(nan, nan, 0.0, 0.0, 0, nan, 0.0, 0.0, nan)
    first = int(np.argmax(pushed.any(axis=0)))
    which = int(np.argmax(pushed[:, first]))
    before = max(first - 1, 0)
    speed = -float(found[f"{gear.contacts()[which]}.velocity"][before, 0])
    loads = np.array([found[f"{name}.effort"] for name in gear.springs()])
    moving = np.flatnonzero(slip(found) > REST)
    rest = float(t[moving[-1] + 1] - t[first]) if moving[-1] + 1 < len(t) else float("nan")
    damped = sum(_work(t, found[f"{name}.dissipated"]) for name in gear.springs())
    contacts = [_taken(found, name) for name in gear.contacts()]
    return Touchdown(
        time=float(t[first]), speed=speed, leg=float(loads[:, first:].max()),
        total=float(loads[:, first:].sum(axis=0).max()),
        impacts=int(np.count_nonzero(pushed[:, 1:] & ~pushed[:, :-1])), rest=rest, damped=damped,
        rubbed=sum(_work(t, power) for power in contacts), energy_error=_energy_error(found) / max(damped, 1e-300),
    )  # fmt: skip


def slip(found: Results) -> np.ndarray:
    """Speed of the fuselage relative to the landing surface [m/s]."""
    velocity = found["fuselage.velocity"]
    if "ship.velocity" in found.channels.names:
        arm = found["fuselage.position"] - found["ship.position"]
        turn = np.einsum("tij,tj->ti", found["ship.rotation"].reshape(-1, 3, 3), found["ship.angular_velocity"])
        velocity = velocity - found["ship.velocity"] - np.cross(turn, arm)
    return np.linalg.norm(velocity, axis=1)


def _taken(found: Results, name: str) -> np.ndarray:
    """Power absorbed by a contact [W]."""
    lost = f"{name}.dissipated"
    return found[lost] if lost in found.channels.names else -found[f"{name}.supplied"]


def _work(t: np.ndarray, power: np.ndarray) -> float:
    return float(np.sum(0.5 * (power[1:] + power[:-1]) * np.diff(t)))


def _energy_error(found: Results) -> float:
    """Change of energy from start to end, less the work of all loads [J]."""
    if "ship.velocity" in found.channels.names:
        return float("nan")
    energy = found["model.kinetic"] + found["model.potential"]
    return abs(float(energy[-1] - energy[0]) - _work(found.time, found["model.supplied"] - found["model.dissipated"]))


def _row(case: tuple[str, str], step: float, found: Touchdown) -> tuple:
    return (
        ", ".join(case), step, found.time, found.speed, found.leg, found.total, found.impacts, found.rest,
        found.damped, found.rubbed, found.energy_error,
    )  # fmt: skip


def _draw(runs: dict[tuple[str, str], Results], gear: LandingGear) -> Figure:
    """Height of the lowest foot above the deck, load of all legs, speed relative to the deck."""
    figure = canvas(10.0, 7.5)
    panels = figure.subplots(3, 2, sharex=True, sharey="row")
    for column, deck in enumerate(landing.DECKS):
        for contact, style in zip(CONTACTS, ("-", "--"), strict=True):
            found = runs[deck, contact]
            gap = np.min([found[f"{name}.gap"] for name in gear.contacts()], axis=0)
            load = np.sum([found[f"{name}.effort"] for name in gear.springs()], axis=0)
            for axes, curve in zip(panels[:, column], (gap, 1e-3 * load, slip(found)), strict=True):
                axes.plot(found.time, curve, style, linewidth=0.9, label=contact)
        panels[0, column].set_title(f"on {'ground' if deck == 'ground' else 'the deck of a ship'}", fontsize="small")
        panels[-1, column].set_xlabel("time [s]")
    for axes, label in zip(
        panels[:, 0], ("lowest foot [m]", "load of the legs [kN]", "speed to deck [m/s]"), strict=True
    ):
        axes.set_ylabel(label)
    for axes in panels.flat:
        axes.grid(alpha=0.3)
    panels[0, 0].legend(fontsize="x-small")
    figure.suptitle(f"A helicopter of the Puma's size lands ({NOTE})")
    return figure


EXPERIMENT = Experiment(
    "landing",
    "a helicopter of the Puma's size lands on ground and on the deck of a ship, with two models of contact",
    "beyond Fancello et al. 2014: whole machines and moving decks",
    run,
    NOTE,
)
