"""Transients of the soft-in-plane tiltrotor: wind-up, conversion, and small disturbances for damping identification."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from samara.analysis import Identified, matrix_pencil
from samara.model import Model
from samara.models.tiltrotors.soft_in_plane import BLADES, CONVERSION_RATE, SOFT_IN_PLANE, SPEED_RPM, WING
from samara.models.tiltrotors.soft_in_plane_blade import BLADE, HINGE, PULSE
from samara.results import Results
from samara.solve import TwoStep, transient

#: No numerical damping; elastic blades would ring, and get a little.
RADIUS, RADIUS_ELASTIC = 1.0, 0.8
#: Steps for manoeuvres and for damping identification [s]; the latter has an error of 2e-4 1/s.
STEP, FINE_STEP = 1.0 / 1000, 1.0 / 4000
TOLERANCE = 1e-9
CONVERT_AT = 12.0  # s
COUPLE_AT, SETTLED, SAMPLE = 0.5, 0.3, 0.01  # s: of the identification; what follows the couples is left out
#: Number of exponentials excited by a disturbance in wing and cyclic lag.
ORDER = 10
OUTPUTS = (
    "pylon.position", "pylon.rotation", "blade_*.lag.*", "mast.angular_velocity",
    "conversion.angle", "hub.position", "nacelle.rotation",
)  # fmt: skip


@dataclass(frozen=True)
class SoftInPlane:
    """A tiltrotor with rigid blades (beams 0) or elastic ones, and a factor on its wing's stiffness."""

    beams: int = 0
    wing_stiffness: float = 1.0

    @cached_property
    def kind(self) -> str:
        """Description of the blades."""
        return f"{self.beams} beams per blade" if self.beams else "rigid blades"

    def make(self, **settings: Any) -> Model:
        """The ready model; without wind-up, lock and couples unless specified."""
        blades = {"blades": "elastic", "beams": self.beams} if self.beams else {}
        still = {"windup": 0.0, "release": 0.0, "couple": 0.0, "collective_deg": 0.0}
        return SOFT_IN_PLANE.make(**(still | blades | {"wing_stiffness": self.wing_stiffness} | settings))

    def run(self, end: float, step: float = STEP, **settings: Any) -> Results:
        """Runs a transient."""
        tip = f"blade_1.n{2 * self.beams}.position" if self.beams else "blade_1.root.position"
        air = ("rotor.thrust",) if settings.get("air") else ()
        return transient(
            self.make(**settings),
            end,
            step,
            integrator=TwoStep(RADIUS_ELASTIC if self.beams else RADIUS),
            tolerance=TOLERANCE,
            outputs=(*OUTPUTS, *air, tip, "blade_1.root.rotation", "blade_1.arm.rotation"),
            progress=False,
        )

    def wind_up(self, lag_damping: float, end: float) -> Results:
        """The source's run: wind-up in 10 s, lock released at 3 s, opposing couples at 11 s."""
        return self.run(end, lag_damping=lag_damping, windup=10.0, release=3.0, couple=20.0)

    def convert(self, end: float, collective_deg: float, smoothing: float) -> Results:
        """Wind-up in 10 s in air, and conversion from 12 s on; 40 % lag damping, a wing with four modes."""
        settings: dict[str, Any] = {"windup": 10.0, "release": 3.0, "air": True, "wing": "modes", "lag_damping": 0.4}
        turn: dict[str, Any] = {"convert_at": CONVERT_AT, "smoothing": smoothing, "collective_deg": collective_deg}
        return self.run(end, **settings, **turn)

    def disturbed(self, couple: float = 0.5, length: float = 4.0, **settings: Any) -> tuple[Results, Results | None]:
        """Runs at constant speed with couples at 0.5 s and without them; in vacuum nothing moves without them."""
        settings |= {"couple_at": COUPLE_AT}
        end = COUPLE_AT + PULSE + length
        run = self.run(end, FINE_STEP, couple=couple, **settings)
        return run, self.run(end, FINE_STEP, **settings) if settings.get("air") else None

    def identified(self, couple: float = 0.5, length: float = 4.0, **settings: Any) -> Identified:
        """The least stable mode excited by couples on two blades at constant speed."""
        return identify(*self.disturbed(couple, length, **settings), settings.get("speed_rpm", SPEED_RPM))


def identify(run: Results, quiet: Results | None, rpm: float = SPEED_RPM) -> Identified:
    """Identifies the remaining mode of wing and cyclic lag from the difference of two runs."""
    every = round(SAMPLE / FINE_STEP)
    values = _fixed_frame(run, rpm)
    if quiet is not None:
        values = values - _fixed_frame(quiet, rpm)
    moved = np.ptp(values, axis=0)
    values = values[:, moved > 1e-6 * moved.max()]  # a sliding pylon moves in one direction
    window = (COUPLE_AT + PULSE + SETTLED, float(run.time[-1]))
    found = matrix_pencil(run.time[::every], values[::every], window=window, order=ORDER)
    return found.strongest()


def _fixed_frame(run: Results, rpm: float) -> np.ndarray:
    """Displacement of the pylon and cyclic lag, shape (n, 5)."""
    lag = np.array([run[f"blade_{k + 1}.lag.angle"] for k in range(BLADES)])
    psi = rpm * np.pi / 30 * run.time + 2 * np.pi * np.arange(BLADES)[:, None] / BLADES
    cyclic = [2.0 / BLADES * (lag * wave).sum(0) for wave in (np.cos(psi), np.sin(psi))]
    return np.column_stack([run["pylon.position"], *cyclic])


def chord_bending(run: Results) -> np.ndarray:
    """Displacement of the pylon along the wing's chord, positive rearward [mm]."""
    return 1e3 * run["pylon.position"][:, 0]


def swing(time: np.ndarray, values: np.ndarray, start: float, end: float) -> float:
    """Half the range within a window [s]; nan outside the run."""
    inside = values[(time >= start) & (time < end)]
    return 0.5 * float(np.ptp(inside)) if inside.size else float("nan")


def onset(run: Results, first: float = 5.0, last: float = 10.0) -> float:
    """When wing bending, within a quarter of a second, reaches twice its minimum after the release [s]."""
    starts = np.arange(first, last, 0.05)
    sizes = np.array([swing(run.time, chord_bending(run), t, t + 0.25) for t in starts])
    least = int(np.argmin(sizes))
    grown = np.flatnonzero(sizes[least:] > 2.0 * sizes[least])
    return float(starts[least + grown[0]]) + 0.25 if grown.size else float("nan")


def converted(smoothing: float) -> float:
    """Time at which the conversion ends [s]."""
    return float(CONVERT_AT + 0.5 * np.pi / CONVERSION_RATE + smoothing)


def beside_trend(time: np.ndarray, values: np.ndarray, start: float, end: float) -> float:
    """`swing` after removal of a parabolic trend."""
    inside = (time >= start) & (time < end)
    t, v = time[inside] - start, values[inside]
    return 0.5 * float(np.ptp(v - np.polyval(np.polyfit(t, v, 2), t)))


def per_turn(time: np.ndarray, values: np.ndarray, start: float, turns: int) -> float:
    """Amplitude once per revolution of the rotor, after removal of a parabolic trend."""
    turn = 60.0 / SPEED_RPM
    inside = (time >= start) & (time < start + turns * turn)
    t = time[inside] - start
    waves = [np.cos(2 * np.pi * t / turn), np.sin(2 * np.pi * t / turn), np.ones_like(t), t, t**2]
    found = np.linalg.lstsq(np.column_stack(waves), values[inside], rcond=None)[0]
    return float(np.hypot(found[0], found[1]))


def tip_path(run: Results, beams: int) -> np.ndarray:
    """Position of the tip of blade 1 [m], shape (n, 3)."""
    if beams:
        return run[f"blade_1.n{2 * beams}.position"]
    along = run["blade_1.root.rotation"].reshape(-1, 3, 3)[:, :, 0]
    return run["blade_1.root.position"] + (BLADE.radius - HINGE) * along


def wing_root(run: Results, stiffness: float) -> tuple[np.ndarray, np.ndarray]:
    """Bending moments of the wing at its root [N m], out of its plane (up) and in it (forward).

        M = EI (6 w - 2 L w') / L^2

    for a cantilever with tip displacement w and slope w' under tip forces: its own mass is neglected. Nacelle and rotor
    have six times that mass.
    """
    L = WING.length
    R = run["pylon.rotation"].reshape(-1, 3, 3)
    along = R[:, :, 0]  # spanwise, world y at rest
    up = 6.0 * run["pylon.position"][:, 2] - 2.0 * L * along[:, 2]
    forward = -(6.0 * run["pylon.position"][:, 0] - 2.0 * L * along[:, 0])
    return stiffness * WING.EI_beam / L**2 * up, stiffness * WING.EI_chord / L**2 * forward


def flexbeam(run: Results) -> tuple[np.ndarray, np.ndarray]:
    """Moments at the root of blade 1 [N m]: in plane (lag spring and damper), out of plane (flap)."""
    return run["blade_1.lag.spring.effort"], run["blade_1.lag.couple"][:, 1]
