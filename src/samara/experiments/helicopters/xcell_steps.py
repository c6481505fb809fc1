"""Step responses of the X-Cell to its four sticks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.experiments.registry import Experiment, Finding, Outcome, Sheet
from samara.model import Step
from samara.models.helicopters import xcell
from samara.models.registry import Quantity
from samara.results import Results
from samara.results.plotting import canvas
from samara.rotations import euler_from_rotation
from samara.solve import transient

if TYPE_CHECKING:
    from matplotlib.figure import Figure

START = 0.5  # time of the step [s]
TOLERANCE = 1e-8
OUTPUTS = ("fuselage.*", "servo.*", "rotor.*", "engine.*", "tail.*", "blade_1.*.angle")
#: Main response to each stick: name, unit, column of (climb, roll, pitch, rate of turn).
AIMS = {
    "collective": ("climb", "m/s"),
    "lateral": ("roll", "deg"),
    "longitudinal": ("pitch", "deg"),
    "pedal": ("rate of turn", "deg/s"),
}
HEAD = (
    "stick", "climb m/s", "roll deg", "pitch deg", "rate of turn deg/s", "rise s", "rotor speed dip %", "power W",
)  # fmt: skip
NOTE = "an X-Cell 60 with stand-in data"


def run(
    size: Annotated[float, Quantity("1", "of the steps, 1 is full stick")] = 0.3,
    controlled: Annotated[bool, Quantity("", "whether the regulators are on")] = True,
    airspeed: Annotated[float, Quantity("m/s", "speed of flight before the step, 0 to 20")] = 0.0,
    end: Annotated[float, Quantity("s", "how long each run is", True)] = 3.0,
    stations: Annotated[int, Quantity("1", "of a blade at which the air acts", True)] = 3,
    step: Annotated[float, Quantity("s", "time step", True)] = xcell.STEP,
) -> Outcome:
    """From trimmed flight, one stick at a time is stepped at 0.5 s and held.

    Without regulators one second is enough: the helicopter tumbles afterwards.
    """
    runs: dict[str, Results] = {}
    for name in xcell.COMMANDS:
        model = xcell.xcell(
            xcell.settings(airspeed), airspeed=airspeed, controlled=controlled, stations=stations,
            commands={name: Step(size, START)},
        )  # fmt: skip
        runs[name] = transient(model, end, step, tolerance=TOLERANCE, outputs=OUTPUTS, every=4, progress=False)
    sheet = Sheet(HEAD, tuple(_row(name, found) for name, found in runs.items()))
    asked = {"lateral": size * 30.0, "longitudinal": size * 30.0, "pedal": size * 120.0}
    findings = []
    for row in sheet.rows:
        name = row[0]
        what, unit = AIMS[name]
        expected = f"{asked[name]:.3g} are asked for" if controlled and name in asked else "of the sign of the stick"
        value = row[HEAD.index(f"{what} {unit}")]
        findings.append(Finding(f"{name}_{what.replace(' ', '_')}", value, unit, expected))
        findings.append(Finding(f"{name}_rise", row[HEAD.index("rise s")], "s", "until 63 % of the largest"))
    rates = [np.abs(np.diff(r[f"servo.{n}.output.value"]) / np.diff(r.time)).max() for n, r in runs.items()]
    findings += [
        Finding("largest_rotor_speed_dip", max(sheet["rotor speed dip %"]), "%", "a governor holds it"),
        Finding(
            "largest_servo_rate", float(np.degrees(max(rates))), "deg/s", f"{np.degrees(xcell.SERVO_RATE):.0f} at most"
        ),
    ]
    return Outcome(runs["pedal"], tuple(findings), lambda: _draw(runs, size, controlled, airspeed), sheet)


def motion(found: Results) -> dict[str, np.ndarray]:
    """Climb [m/s]; roll and pitch relative to the start [deg]; rate of turn [deg/s], from heading, pitch and roll."""
    F = xcell.FORWARD.rotation
    angles = np.asarray(euler_from_rotation("ZYX", F @ found["fuselage.rotation"].reshape(-1, 3, 3) @ F))
    heading, pitch, roll = np.degrees(np.unwrap(angles, axis=0)).T
    return {
        "climb": found["fuselage.velocity"][:, 2],
        "roll": roll - roll[0],
        "pitch": pitch - pitch[0],
        "rate of turn": np.gradient(heading, found.time),
    }


def _row(name: str, found: Results) -> tuple:
    """Final values, with the rise time, the dip of the rotor speed and the power."""
    moved = {key: values - values[found.time < START][-1] for key, values in motion(found).items()}
    aim = moved[AIMS[name][0]]
    peak = int(np.argmax(np.abs(aim)))
    rise = found.time[np.argmax(np.abs(aim) > 0.63 * np.abs(aim[peak]))] - START
    dip = 100.0 * (1.0 - float(found["engine.speed"].min()) / xcell.SPEED)
    turn = found.time > found.time[-1] - 2.0 * xcell.TURN  # averages out the two-per-revolution vibration
    ends = [float(values[turn].mean()) for values in moved.values()]
    return (name, *ends, float(rise), dip, float(found["engine.power"][turn].mean()))


def _draw(runs: dict[str, Results], size: float, controlled: bool, airspeed: float) -> Figure:
    """One column per stick: its servo, the main response, the off-axis responses, rotor speed."""
    figure = canvas(13.0, 7.0)
    panels = figure.subplots(3, 4, sharex=True)
    for column, (name, found) in zip(panels.T, runs.items(), strict=True):
        top, middle, bottom = column
        servo = np.degrees(found[f"servo.{name}.output.value"])
        top.plot(found.time, servo, linewidth=0.9)
        top.set(title=f"{name} {size:+.2g}", ylabel="blade pitch, servo [deg]")
        moved = motion(found)
        labels = {"climb": "climb [m/s]", "roll": "roll [deg]", "pitch": "pitch [deg]", "rate of turn": "turn [deg/s]"}
        for key, values in moved.items():
            aim = key == AIMS[name][0]
            middle.plot(found.time, values, linewidth=1.4 if aim else 0.7, alpha=1.0 if aim else 0.7, label=labels[key])
        middle.legend(fontsize="x-small")
        bottom.plot(found.time, found["engine.speed"], linewidth=0.7)
        bottom.set(xlabel="time [s]", ylabel="rotor speed [rad/s]")
        bottom.ticklabel_format(useOffset=False)
        for axes in column:
            axes.grid(alpha=0.3)
            axes.axvline(START, color="0.6", linewidth=0.6)
    how = "with regulators" if controlled else "without regulators"
    figure.suptitle(f"Steps of the sticks at {airspeed:g} m/s, {how} ({NOTE})")
    return figure


EXPERIMENT = Experiment(
    "xcell-steps",
    "a radio-controlled helicopter of the X-Cell class: steps of collective, cyclic stick and pedal",
    "Palacios Uyaguari and Olguin Diaz, Body Decomposition Approach: the model; it prints no responses",
    run,
    xcell.STAND_IN,
)
