"""The table of docs/validation/eigenvalues.md: run as a script it prints it anew."""

import numpy as np
from test_rotor_modes import swashplate_rotor, teeter
from test_whirl import FLAT, SPEED, STIFFNESS, disc, whirl

import samara as sm
from samara.models.rotors import hammond
from samara.models.tiltrotors import propeller_pylon

HEAD = "| case | closed form | `modes(sim)` | `state_space` | `modes(periodic)` | `floquet` |"
REFUSED = "refused"
#: Of the equations of tests/reference: propeller on a pylon, ground resonance; of test_whirl: a disc in its own axes.
PROPELLER, HAMMOND, DISC = -1.116376 + 29.446880j, -0.32953 + 18.53920j, 18.679681j


def rows() -> list[str]:
    """Least stable, or slowest, of each case, in rad/s."""
    turn, uneven = 2 * np.pi / SPEED, (STIFFNESS, 1.7 * STIFFNESS)
    period, fast = 60.0 / 250.0, 60.0 / abs(propeller_pylon.SPEED_RPM)
    swash, damping = 2 * np.pi / 44.0, 6.0 * 35.0 / 16.0  # Lock number 6 at 35 rad/s
    flown = swashplate_rotor(3, lateral=0.1, wind=60.0)
    return [
        _row("round disc, equal springs", disc().model, turn, 100, 1j * whirl(STIFFNESS, STIFFNESS)[0]),
        _row("round disc, unequal springs", disc(uneven).model, turn, 100, 1j * whirl(*uneven)[0]),
        _row("flat disc, equal springs", disc(inertia=FLAT).model, turn, 100, DISC),
        _row("flat disc, unequal springs", disc(uneven, FLAT).model, turn, 100),
        _row("propeller, 4 blades, 40 m/s", propeller_pylon.build(wind=40.0, kick_deg=0.0), fast, 60, PROPELLER),
        _row("Hammond, 4 blades", hammond.build(kick_deg=0.0), period, 120, HAMMOND),
        _row("Hammond, a damper out", hammond.build(kick_deg=0.0, out=1), period, 120),
        _row("Hammond, 2 blades", hammond.build(kick_deg=0.0, blades=2), period, 120),
        _row("teetering rotor", teeter(0.0), 2 * np.pi / 35.0, 90, -damping + 1j * np.sqrt(35.0**2 - damping**2)),
        _row("teetering rotor, advance ratio 0.4", teeter(0.4), 2 * np.pi / 35.0, 90),
        _row("swashplate, cyclic pitch 0.1", swashplate_rotor(lateral=0.1), swash, 60),
        _row("swashplate, 3 blades, cyclic pitch 0.1, 60 m/s", flown, swash, 60),
    ]


def _row(name: str, model: sm.Model, period: float, steps: int, closed: complex | None = None) -> str:
    about = sm.periodic(model, period, period / steps, outputs="model.violation")

    def instant() -> sm.Simulation:
        sim = sm.Simulation(model)
        sm.assemble(sim)
        return sim

    floquet = sm.floquet(about, without_step=True)
    reference = closed if closed is not None else _least(_tried(lambda: sm.modes(about).eigenvalues), None)
    reference = reference if reference is not None else floquet.eigenvalues[0]
    space = _tried(lambda: sm.state_space(instant(), inputs=(), outputs="model.violation").A)
    found = [
        _least(_tried(lambda: sm.modes(instant()).eigenvalues), reference),
        _least(None if space is None else np.linalg.eigvals(space), reference),
        _least(_tried(lambda: sm.modes(about).eigenvalues), reference),
        _least(_folded(floquet.eigenvalues, reference, 2 * np.pi / period), reference),
    ]
    return f"| {name} | {_text(closed, '-')} | " + " | ".join(_text(x, REFUSED) for x in found) + " |"


def _tried(find) -> np.ndarray | None:
    try:
        return find()
    except sm.SolveError:
        return None


def _least(values: np.ndarray | None, reference: complex | None) -> complex | None:
    """Nearest to a reference, else the least stable."""
    if values is None:
        return None
    values = values[values.imag >= 0.0]
    return values[np.argmax(values.real) if reference is None else np.argmin(np.abs(values - reference))]


def _folded(values: np.ndarray, reference: complex, speed: float) -> np.ndarray:
    """Exponents, or their conjugates, at the multiple of the speed that is nearest."""
    both = np.concatenate([values, values.conj()])
    return both + 1j * speed * np.round((reference.imag - both.imag) / speed)


def _text(value: complex | None, nothing: str) -> str:
    if value is None:
        return nothing
    return f"{value.real + 0.0:.3f}{value.imag:+.3f}j".replace("-0.000", "0.000")


if __name__ == "__main__":
    print("\n".join([HEAD, "| --- |" + " --- |" * 5, *rows()]))
