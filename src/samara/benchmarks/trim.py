"""Seconds per trim of the elastic Puma to flight 123: orbit and controls found together, beside trials that march."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from samara.analysis import Harmonic, Trim, trim
from samara.analysis.trim import Target
from samara.benchmarks.rows import Row, interleave, ratio
from samara.experiments import puma_flight as flight
from samara.experiments import puma_flight_123 as measured
from samara.models import puma
from samara.solve import Simulation
from samara.solve.store.checkpoint import restore, snapshot

CASE = "trim"
STEPS = 90  # per turn
#: Tolerances of the targets: that of the experiment, and a tighter one.
TOLERANCES = (1e-3, 1e-5)
AIM = 10.0


def rows(repeats: int = 5, blades: str = "elastic") -> Iterator[Row]:
    """From the periodic motion with the measured controls to the flight's thrust and flapping, in turn by both ways."""
    sim = Simulation(puma.build(blades=blades, points=10 if blades == "rigid" else 4), tolerance=flight.TOLERANCE)
    flight.turn(sim, STEPS)
    begin = snapshot(sim)
    controls = {name: float(np.radians(value)) for name, value in measured.CONTROLS.items()}
    waves = {Harmonic(flight.FLAP, "cos"): measured.BETA1C, Harmonic(flight.FLAP, "sin"): measured.BETA1S}
    targets: dict[Target, float] = {
        "rotor.CT_sigma": measured.CT_SIGMA,
        **{wave: float(np.radians(x)) for wave, x in waves.items()},
    }
    found: dict[str, Trim] = {}

    def back() -> None:
        for name, value in controls.items():
            sim.system.set_parameter(name, value)
        restore(sim, begin)

    def by(method: str, tolerance: float) -> Callable[[None], None]:
        def run(_: None) -> None:
            found[method] = trim(
                sim, controls, targets, period=puma.TURN, step=puma.TURN / STEPS, sizes=dict.fromkeys(waves, 0.1),
                tolerance=tolerance, outputs=flight.OUTPUTS, method=method,  # type: ignore[arg-type]
            )  # fmt: skip

        return run

    for tolerance in TOLERANCES:
        calls = {method: by(method, tolerance) for method in ("marching", "orbit")}
        spent = interleave(calls, setups=dict.fromkeys(calls, back), repeats=repeats)
        case = f"{CASE}-{tolerance:g}"
        for method, times in spent.items():
            periods = sum(point.periods for point in found[method].history)
            note = f"{found[method].status}, {len(found[method].history)} points, {periods} turns kept of them"
            yield Row(case, f"seconds_per_trim_{method}", times.median, "s", "", note)
        apart = max(abs(found["orbit"].controls[n] - found["marching"].controls[n]) for n in controls)
        note = f"targets to {tolerance:g}; controls {np.degrees(apart):.2g} deg apart at most"
        yield Row(case, "speedup", ratio(spent["marching"], spent["orbit"]), "x", AIM, note)
