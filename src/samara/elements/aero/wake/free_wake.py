"""Free vortex wake as the inflow of a rotor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from samara.elements.aero.inflow.inflow import Disk, Inflow
from samara.elements.aero.inflow.inflow_at_blade import BladeStation, Felt, FeltFar
from samara.elements.aero.wake import memory
from samara.elements.aero.wake.blade_vortices import BladeVortices, blade_strips, near_matrices
from samara.elements.aero.wake.field import LawOfRotor, law_of_field
from samara.model import Output, Parameter, number, numbers, option, setting
from samara.model.sampled import SampledLaw

#: Radius where the sheet inboard of the tip vortex ends, and from which on the largest circulation is looked for [R].
SHEET_END, OUTBOARD = 0.85, 0.5
#: Where markers go: with the air, or where a formula for hover has them; numbers of the law follow this order.
GEOMETRIES = ("free", "landgrebe", "kocurek-tangler")
#: Advance ratio beyond which a prescribed geometry is doubted.
HOVER = 0.03
#: Filaments inboard from which on thrust over a ground is converged.
LEAST_OVER_GROUND = 3
#: Core of the rings beyond the last marker [R].
RING_CORE = 0.2


class FreeWake(BladeVortices, Inflow):
    """A free vortex wake: tip vortices and inboard sheets convected by the velocity that they induce.

        Gamma_i = s_i U_i c_i cl(alpha_i) / 2,     flow at station i: motion, wind, far wake, and up w_i of its own
        c_i / 2 U_i w_i' + w_i = A_ij Gamma_j

    Circulation and the velocity of the near wake are states of every station, ``station_k.circulation`` and
    ``station_k.downwash`` of a blade's surface: the near wake of the blade itself, on arcs of `near` behind it, is
    implicit in the step (see `near_wake`; taken from the step before it would diverge). It lags by the time in which
    trailers grow from a quarter of the chord to three quarters: without, stalled sections, whose lift falls with the
    angle, have two flows or none. s is 1, and -1 in reversed flow, which carries trailers the other way. All else, the
    far wake, is a discrete law of the rotor, called every `step`: it is known at the end of a step when the step
    begins. Markers and what they remember are part of what a step owns: checkpoints and snapshots have them.

    Each blade has a tip vortex of the largest circulation outboard of R / 2, and `inboard` filaments for the sheet from
    its root to 0.85 R, with half of their width as their core. r_c^2 = core^2 + growth age. Markers move by Adams and
    Bashforth's rule with the velocity of all filaments, those bound in the blades, and 8 rings that go on as the last
    turn does; after `turns` turns they are carried, for `carried` more, with the mean velocity of the turn before.

    step:    interval of the wake update [s]: the step of the run, or a multiple of it.
    turns, carried: number of free and of convected turns of each filament. inboard: filaments inboard of the tip
                    vortex.
    marker:  azimuth between markers [rad], rounded to whole steps at the rotor's nominal speed.
    core [R], growth [R^2/rad]: initial core radius of the tip vortex, and growth of all squared core radii with age.
    near:    azimuth of the near wake of a blade [rad].
    geometry: "free", or prescribed: "landgrebe" or "kocurek-tangler", their formulas at the thrust of the last turn,
             convected by the wind. They are for hover: runs in edgewise flow give a warning.
    twist:   of the blades, tip minus root [rad], for these formulas only.
    precision: of the interactions, "single" or "double". sliced: whether the computation of marker velocities is
             distributed over the steps, so that no step takes long, or done at once when a marker is released.
    matrix, law, field: computed from the rotors: A row by row [1/m], the discrete law, and the interacting wakes.

    ``u``, the mean used by bodies and other rotors, is that of `Momentum` at the thrust. `Rotor.start` sets the induced
    velocity of the helices from which the wake starts; their influence is lost after 8 turns.

    ``Rotor(ground=True)``: all vortices have images under the ground, no turns are convected, and the rings spread out
    along it; interacting rotors must have the same ground. Use ``inboard=3`` or more: a single filament for the whole
    inboard sheet is too coarse there, and a run with it gives a warning.

    Free wakes of several rotors in one model interact; their `step` and `precision` must be equal.

    Limits: identical blades, with stations in order of radius; shed vorticity is modelled by `Theodorsen` sections, not
    here. Descent and the vortex-ring state are not validated: loads fluctuate by half. Drag acts at the circulation of
    the last sample. Trim, periodic motions, modes and Floquet analysis reject it: give them `frozen_wake(model,
    results)`. Trees (``formulation="recursive"``) accept it with an implicit integrator, such as `BDF2`.
    Sources: `samara.elements.aero.wake.segments` and `near`; A. J. Landgrebe, The wake geometry of a hovering
    helicopter rotor and its influence on rotor performance, J. AHS 17 (1972).
    """

    step: float = number(unit="s", positive=True, plain=True)
    turns: float = number(default=2.0, positive=True, plain=True)
    carried: float = number(default=1.0, nonnegative=True, plain=True)
    inboard: int = option(default=1)
    marker: float = number(default=float(np.radians(12.0)), unit="rad", positive=True, plain=True)
    core: float = number(default=0.05, unit="R", positive=True, plain=True)
    growth: float = number(default=2e-4, unit="R^2/rad", nonnegative=True, plain=True)
    near: float = number(default=float(np.radians(30.0)), unit="rad", positive=True, plain=True)
    geometry: str = option(default="free", choices=GEOMETRIES)
    twist: float = number(default=0.0, unit="rad", plain=True)
    precision: str = option(default="single", choices=("single", "double"))
    sliced: bool = option(default=True, choices=(True, False))
    matrix: Any = numbers(default=(), init=False)
    law: Any = setting(default=None)
    field: Any = setting(default=())

    # ---- the blades
    def bound_stations(self) -> Sequence[BladeStation]:
        return self.law.stations if self.law else ()

    def felt(self, radii: np.ndarray) -> Felt:
        return FeltFar()

    def station_inputs(self) -> tuple[str, ...]:
        return ("far_x", "far_y", "far_z", "near_shift")

    def bind(self, rotor: Any, blades: Sequence[Sequence[BladeStation]], field: Mapping[str, Inflow]) -> None:
        if not isinstance(self.inboard, int) or self.inboard < 1:
            raise ValueError(f"FreeWake: inboard must be a whole number, 1 or more, got {self.inboard!r}")
        first = blades[0]
        strips = blade_strips("FreeWake", float(rotor.radius), first)
        A, shift = near_matrices(strips, float(self.near))
        if rotor.ground and (self.geometry != "free" or isinstance(rotor.height, Parameter)):
            raise ValueError("FreeWake: over a ground the geometry must be 'free', and its height no parameter")
        sizes = _Sizes(self, rotor, len(blades), len(first))
        given, kept = sizes.arrays(*strips, shift)
        stations = [station for blade in blades for station in blade]
        object.__setattr__(self, "matrix", A.ravel())
        wakes = {name: wake for name, wake in sorted(field.items()) if isinstance(wake, FreeWake)}
        for name, wake in wakes.items():
            if float(wake.step) != float(self.step) or wake.precision != self.precision:
                raise ValueError(f"FreeWake: step and precision must be those of rotor {name!r}, which feels this wake")
        object.__setattr__(self, "field", tuple(wakes.values()))
        object.__setattr__(self, "law", LawOfRotor(rotor.name, stations, given, kept, sizes.room()))

    # ---- the law
    def sampling(self) -> SampledLaw | None:
        """The law of all rotors in the field, told by the first of them by name: their order does not matter."""
        return law_of_field(float(self.step), self.laws()) if self.law and self.field[0] is self else None

    def laws(self) -> list[LawOfRotor]:
        """Of the rotors in the field, in the order of their names."""
        return [wake.law for wake in self.field if wake.law]

    def doubts(self, rotor: str, results: Any) -> list[str]:
        if self.law and self.law.numbers[memory.GROUND] and self.inboard < LEAST_OVER_GROUND:
            return [f"over a ground {self.inboard} filaments inboard are too few: take inboard={LEAST_OVER_GROUND}"]
        name = f"{rotor}.mu"
        if self.geometry == "free" or name not in results.channels or np.mean(results[name]) < HOVER:
            return []
        return [f"its wake has the geometry of hover, {self.geometry!r}, in edgewise flow: take geometry='free'"]

    def outputs(self, disk: Disk) -> list[Output]:
        return [Output("induced", "m/s", disk.u.value, description="mean by momentum theory, against the thrust")]


class _Sizes:
    """How many of what there are, and the numbers of the law."""

    def __init__(self, wake: FreeWake, rotor: Any, blades: int, stations: int) -> None:
        self.wake, self.radius, self.speed = wake, float(rotor.radius), float(rotor.speed)
        self.start, self.blades, self.stations = float(rotor.start), blades, stations
        per_step = abs(self.speed) * float(wake.step)
        self.substeps = max(1, round(float(wake.marker) / per_step))
        self.angle = self.substeps * per_step  # of a marker [rad]
        turn = 2.0 * np.pi / self.angle
        self.kinds = 1 + wake.inboard
        self.free = max(3, round(float(wake.turns) * turn))
        self.length = self.free + max(1, round(float(wake.carried) * turn)) if wake.carried else self.free
        self.ground, self.height = bool(rotor.ground), float(rotor.height)
        if self.ground:  # what is carried along would pass through it
            self.free = self.length

    def arrays(self, radii: np.ndarray, edges: np.ndarray, chord: np.ndarray, shift: np.ndarray) -> tuple:
        """Numbers of the law, with room for what holds nothing between samples; and its memory at the start."""
        width, tip = np.diff(edges), abs(self.speed) * self.radius
        lift = radii * width / (np.pi * self.radius**3 * tip)
        filaments = self._filaments(radii, edges[0])
        tables = np.concatenate([0.5 * chord / radii, shift.ravel(), filaments.ravel(), lift])
        outer = int(np.searchsorted(radii, OUTBOARD * self.radius))
        wake, plain = self.wake, memory.ROOM + 1
        head = np.zeros(plain)
        head[: memory.ROOM] = (
            self.blades, self.stations, self.kinds, self.length, self.substeps, self.free, wake.precision == "single",
            wake.sliced, float(wake.step), self.radius, self.speed, self.start, float(wake.near),
            float(wake.growth) * self.radius**2 * self.angle, (RING_CORE * self.radius) ** 2, 2.0 * np.pi / self.angle,
            min(outer, self.stations - 1), GEOMETRIES.index(wake.geometry), np.degrees(float(wake.twist)),
            self.blades * np.average(chord, weights=width * radii**2) / (np.pi * self.radius), self.ground, self.height,
        )  # fmt: skip
        head[memory.ROOM] = plain + tables.size
        size = memory.room_size(self.blades, self.stations, self.kinds)
        kept = memory.memory_size(self.blades, self.stations, self.blades * self.kinds, self.length)
        return np.concatenate([head, tables, np.zeros(size)]), np.zeros(kept)

    def room(self) -> tuple[int, int]:
        """Segments that are packed, and points at which velocities are found in one call."""
        filaments = self.blades * self.kinds
        return (
            memory.segment_count(self.blades, self.kinds, self.length, self.ground),
            memory.point_count(self.blades, self.stations, filaments, self.free),
        )

    def _filaments(self, radii: np.ndarray, root: float) -> np.ndarray:
        """The table of filaments, see `memory.FILAMENT`: the tip's, then those inboard from the root on."""
        borders = np.linspace(root, SHEET_END * self.radius, self.kinds)
        middles = 0.5 * (borders[1:] + borders[:-1])
        cores = [float(self.wake.core) * self.radius, *(0.5 * np.diff(borders))]
        rows = []
        for q, (r, core) in enumerate(zip([self.radius, *middles], cores, strict=True)):
            rows.append([r, core**2, *_between(radii, r), *_between(radii, borders[q])])
        return np.array(rows)


def _between(radii: np.ndarray, r: float) -> tuple[int, float]:
    """The station below r, and the part of the way to the next: beyond the ends it goes on straight."""
    i = int(np.clip(np.searchsorted(radii, r) - 1, 0, len(radii) - 2))
    return i, float((r - radii[i]) / (radii[i + 1] - radii[i]))
