"""Eigenvalues of the ready rotors against the damping of small disturbances of the same models, in flight as in hover.

A model in its periodic motion is disturbed along a mode, and runs on beside itself undisturbed; from the difference the
matrix pencil tells frequencies and damping. Inflow is part of all these models. Both have the time step's own damping.
"""

import numpy as np
import pytest

import samara as sm
from samara.analysis import Periodic
from samara.analysis.rotors.turn import steps_per_period, turn
from samara.models import find
from samara.models.helicopters import helicopter
from samara.solve.store.checkpoint import restore, snapshot

SIZE = 1e-5
# without the main rotor's wake on the tail, through whose edge tail blades pass in less than a step; its trim [deg]
TRIM = (9.87, 0.97, -0.15, 2.87, 0.03, 1.47)
FLIGHT = {"airspeed": 40.0, "interference": False}
FLIGHT |= {f"{name}_deg": value for name, value in zip(helicopter.CONTROLS, TRIM, strict=True)}
LAGS = [f"blade_{k}.lag.angle" for k in (1, 2, 3, 4)]
HOVER = {"airspeed": 0.0, "shaft_deg": 0.0, "theta1c_deg": 0.0, "theta1s_deg": 0.0}


def motion(name: str, after: float = 0.0, **settings) -> Periodic:
    ready = find(name)
    sim = sm.Simulation(ready.make(**settings), tolerance=1e-10)
    if after:
        sm.transient(sim, after, ready.timeline.step, outputs="model.violation", progress=False)
    else:
        sm.assemble(sim)
    period = turn(sim)
    steps = steps_per_period(sim, period, ready.timeline.step)
    found = sm.periodic(sim, period, period / steps, tolerance=1e-7, periods=400, outputs="model.violation")
    assert found.settled
    return found


def disturbed(found: Periodic, modes: sm.Floquet, k: int, channels: list[str], periods: int, every: int):
    """Times, and what channels do after a disturbance along mode k and without, rows."""
    sim = found.simulation
    saved, runs = snapshot(sim), []
    for size in (0.0, SIZE * sim.length):
        restore(sim, saved)
        modes.disturb(k, size)
        end = sim.time + periods * found.period
        run = sm.transient(sim, end, found.step, outputs=tuple(channels), every=every, progress=False)
        runs.append(np.column_stack([run[c].reshape(len(run), -1) for c in channels]))
    return run.time, runs[1], runs[0]


@pytest.mark.parametrize(
    ("name", "settings", "channels", "mode", "periods", "every", "order"),
    [
        ("puma", HOVER, LAGS, "lag regressing", 6, 4, 4),
        ("puma", {"airspeed": 60.0}, LAGS, "lag regressing", 8, 4, 24),
        ("tiltrotor", {}, ["pylon.position"], "wing", 40, 10, 14),
        ("wrats", {}, ["pylon.position"], "wing", 40, 4, 20),
        ("helicopter", {}, ["fuselage.position", "fuselage.angular_velocity"], "fuselage", 4, 20, 20),
        ("helicopter", FLIGHT, ["fuselage.position", "fuselage.angular_velocity"], "fuselage", 4, 20, 20),
    ],
    ids=["puma in hover", "puma at 60 m/s", "tiltrotor", "wrats", "helicopter in hover", "helicopter at 40 m/s"],
)
def test_rates_are_those_of_disturbances(name, settings, channels, mode, periods, every, order):
    """Two percent; in blades' own axes a mode is seen with all multiples of the rotor speed."""
    found = motion(name, after=2.6 if name == "helicopter" else 0.0, **settings)
    modes = sm.floquet(found, count=20)
    k = next(i for i, s in enumerate(modes.eigenvalues) if modes.names[i].startswith(mode) and s.imag > 0.1)
    time, values, without = disturbed(found, modes, k, channels, periods, every)
    # a channel that symmetry keeps still differs by rounding of what is measured, and counts for nothing
    got = sm.matrix_pencil(time, values, order=order, reference=without, clipped=True).eigenvalues
    s, turns = modes.eigenvalues[k], 2.0 * np.pi / found.period
    off = min((abs(_apart(one - s, turns)) for one in np.concatenate([got, got.conj()])), default=np.inf)
    assert off < 0.02 * abs(s.real)


def _apart(s: complex, turns: float) -> complex:
    """But for multiples of the rotor speed."""
    return s.real + 1j * (np.mod(s.imag + 0.5 * turns, turns) - 0.5 * turns)
