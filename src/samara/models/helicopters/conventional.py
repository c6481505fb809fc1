"""Helicopters with one main rotor and a tail rotor, made of parts: description, flight and trim."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.elements.aero.aerofoils.aerofoil import Aerofoil
from samara.elements.aero.aerofoils.tabulated import TabulatedAerofoil
from samara.elements.aero.inflow.inflow import Inflow
from samara.elements.aero.inflow.wakes import RotorWake
from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.surfaces.body_coefficients import BodyCoefficients, CoefficientTables
from samara.elements.aero.surfaces.fuselage import Fuselage
from samara.elements.aero.wind.air import Air
from samara.model import Constant, Model, Node, Placement
from samara.models.helicopters.helicopter_parts import hold_turning
from samara.models.parts.airframe import Airframe
from samara.models.parts.controls import IdealSwashplate, PitchServos, Told
from samara.models.parts.flight import FORWARD, Flight, FlightControls, attitude_of, between, trim_flight
from samara.models.parts.masses import MassProperties
from samara.models.parts.rotors import RotorPart
from samara.results import Results
from samara.rotations import rotation_y

if TYPE_CHECKING:
    from samara.analysis import Trim
    from samara.models.helicopters.helicopter_linear import FlightModel

GRAVITY = 9.81
#: Axes of a surface in those of the craft (aft, right, up): x forward, z against its lift.
LIFTS = {"up": FORWARD.rotation, "left": np.array([[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]])}
#: Angles at which the load of a tail surface is tabulated where its section has no table [rad].
EVERYWHERE = np.radians(np.linspace(-180.0, 180.0, 145))
#: Controls and attitude that a trim finds.
UNKNOWNS = ("collective", "lateral", "longitudinal", "pedal", "pitch", "roll")
#: What the blades of both rotors take from the axes of a pilot, and what full sticks ask for [rad].
MIX = {
    "collective": {"collective": 1.0},
    "lateral": {"lateral": 1.0},
    "longitudinal": {"longitudinal": 1.0},
    "tail": {"pedal": -1.0},
}
STICKS = {"collective": 0.05, "lateral": 0.3, "longitudinal": 0.3, "pedal": 0.5}


@dataclass(frozen=True)
class Hull:
    """Air loads of a body by coefficients, see `Fuselage`; at: aft, right, up of the centre of mass [m].

    wake: ratio of the wake velocity there to the induced velocity of the main rotor. axes: of the coefficients, in
    those of the craft.
    """

    at: Sequence[float]
    coefficients: BodyCoefficients
    area: float
    length: float
    wake: float = 1.0
    axes: np.ndarray = field(default_factory=lambda: FORWARD.rotation)

    def add(self, model: Model, name: str, craft: Node, main: Rotor) -> None:
        """Adds the load, in the wake of the main rotor."""
        load = Fuselage(
            craft, place=Placement(tuple(self.at), self.axes), coefficients=self.coefficients, area=self.area,
            length=self.length, rotor=main, factor=self.wake,
        )  # fmt: skip
        model.add(name, load)


@dataclass(frozen=True)
class TailSurface:
    """A tailplane, which lifts "up", or a fin, which lifts to the "left", by the lift and drag of its section.

    at: where the load acts, aft, right, up of the centre of mass [m]. area [m^2]. setting: leading edge up or left
    [rad]. pressure: ratio of the dynamic pressure there to that of the free stream. wake: ratio of the wake velocity
    there to the induced velocity of the main rotor.
    """

    at: Sequence[float]
    area: float
    aerofoil: Aerofoil
    setting: float = 0.0
    lift: str = "up"
    pressure: float = 1.0
    wake: float = 0.0

    @property
    def coefficients(self) -> CoefficientTables:
        """Coefficients from the flow in the plane of the section; spanwise flow causes no load."""
        section = self.aerofoil
        known = [section.cl.x, section.cd.x] if isinstance(section, TabulatedAerofoil) else [EVERYWHERE]
        alpha, beta = np.unique(np.concatenate(known)), np.radians(np.linspace(-90.0, 90.0, 19))
        lift, drag = np.array([[float(c) for c in section.coefficients(a, 0.0)[:2]] for a in alpha]).T
        lift[-1], drag[-1] = lift[0], drag[0]
        s, c, along = np.sin(alpha), np.cos(alpha), np.cos(beta) ** 2
        along[[0, -1]] = 0.0
        forces = (lift * s - drag * c, 0.0 * s, -lift * c - drag * s)
        values = np.zeros((len(alpha), len(beta), 6))
        for k, force in enumerate(forces):
            values[:, :, k] = np.outer(force, along)
        values[-1] = values[0]
        return CoefficientTables.sampled(alpha, beta, values)

    @property
    def hull(self) -> Hull:
        """The surface as a body with coefficients."""
        return Hull(self.at, self.coefficients, self.pressure * self.area, 1.0, self.wake, self.axes)

    @property
    def axes(self) -> np.ndarray:
        """Axes of the section, with its setting, in those of the craft."""
        return LIFTS[self.lift] @ rotation_y(self.setting)


@dataclass(frozen=True)
class Conventional:
    """A helicopter with a main rotor and a tail rotor; positions are aft, right, up of its centre of mass [m].

    mass: of the whole machine, about its centre of mass, with the rotors. hub, tail_hub: centres of the rotors.
    tilt: of the main shaft, forward [rad]. cant: of the tail rotor's thrust, up from the horizontal [rad]; the thrust
    is to the right if the main rotor turns counter-clockwise seen from above, otherwise to the left.
    controls: give "collective", "lateral", "longitudinal" and "tail", the pitch of the tail rotor's blades.
    table: trims over the airspeed, starting values for flight and search, see `between`. outline: for drawing, see
    `Airframe.hull`.
    """

    name: str
    stand_in: str
    mass: MassProperties
    main: RotorPart
    hub: Sequence[float]
    tilt: float
    tail: RotorPart
    tail_hub: Sequence[float]
    cant: float
    hull: Hull
    surfaces: Mapping[str, TailSurface]
    controls: FlightControls
    table: Mapping[str, Sequence[float]]
    outline: Sequence[tuple[float, float, float, float]] = ()

    @property
    def weight(self) -> float:
        """[N]"""
        return GRAVITY * self.mass.mass

    def with_inflow(self, inflow: Inflow) -> Conventional:
        """The machine with another model of the main rotor's wake."""
        return replace(self, main=replace(self.main, inflow=inflow))

    def model(self, flight: Flight) -> Model:
        """Fuselage, both rotors and tail surfaces in flight; the main rotor's wake acts on all other parts."""
        model = Model(self.name, gravity=(0.0, 0.0, -GRAVITY), stand_in=self.stand_in)
        craft, air, told = flight.add(model, self.controls)
        place = Placement(tuple(self.hub), rotation_y(-self.tilt))
        steered = tuple(told[axis] for axis in ("collective", "lateral", "longitudinal"))
        sense = self.main.shaft.sense
        plate = IdealSwashplate.steered(craft, place, sense, steered, *control_spring(self.main))
        main = self.main.add(model, "main.", craft=craft, place=craft.place @ place, air=air, control=plate).rotor
        assert main is not None
        spring, damper = control_spring(self.tail)
        command = {"x": told["tail"].state, "gain": 1.0, "stiffness": spring, "damping": damper}
        self.tail.add(
            model, "tail.", craft=craft, place=craft.place @ self._tail_place(), air=air, wakes=(RotorWake(main),),
            control=PitchServos(command, told["tail"].start),
        )  # fmt: skip
        rotors = [(part.count * blade_mass(part), at) for part, at in
                  ((self.main, self.hub), (self.tail, self.tail_hub))]  # fmt: skip
        Airframe(self.mass.without(rotors), hull=self.outline, round=0.7).add(model, craft)
        self.hull.add(model, "fuselage.air", craft, main)
        for name, surface in self.surfaces.items():
            surface.hull.add(model, name, craft, main)
        return model

    def _tail_place(self) -> Placement:
        side, c, s = self.main.shaft.sense, np.cos(self.cant), np.sin(self.cant)
        z, x = np.array([0.0, side * c, s]), np.array([1.0, 0.0, 0.0])
        return Placement(tuple(self.tail_hub), np.column_stack([x, np.cross(z, x), z]))

    def trim(
        self, airspeed: float, guess: Mapping[str, float] | None = None, steps: int = 90, turns: int = 5, **options: Any
    ) -> Trim:
        """Controls and attitude of steady flight [rad], with the fuselage held; options: as of `trim_flight`.

        turns: of the main rotor, after which the tail rotor's azimuth repeats as well; steps: in each.
        """
        first = between(self.table, airspeed) | dict(guess or {})
        turn = 2.0 * np.pi / self.main.shaft.speed
        clock: dict[str, Any] = {"period": turns * turn, "step": turn / steps}
        return trim_flight(self.model, first, self.weight, airspeed, **clock, **options)

    def trim_in_wake(
        self,
        airspeed: float,
        guess: Mapping[str, float],
        *,
        rounds: int = 2,
        settle: int = 12,
        steps: int = 90,
        turns: int = 5,
    ) -> tuple[Trim, Results]:
        """Trim in the main rotor's free wake, and the last free-wake run: run the wake, freeze it, trim, repeat.

        guess: a trim without it [rad]. settle: turns run with the free wake at the controls of the previous iteration.
        In slow flight and hover iterations differ by half a degree of collective, because the wake is unsteady.
        """
        # marches and compiles: loaded only when it is needed
        from samara.analysis.rotors.wake import frozen_wake
        from samara.elements.aero.wake.free_wake import FreeWake
        from samara.solve import transient

        turn = 2.0 * np.pi / self.main.shaft.speed
        wandering = self.with_inflow(FreeWake(step=turn / steps))
        controls = dict(guess)
        for _ in range(rounds):
            free = wandering.model(Flight(controls, airspeed, airspeed, release=np.inf))
            run = transient(free, settle * turn, turn / steps, progress=False, outputs=("*",))
            found = self.with_inflow(frozen_wake(free, run, harmonics=6)).trim(airspeed, controls, steps, turns)
            if not found.met:
                break
            controls = dict(found.controls)
        return found, run

    def derivatives(
        self, controls: Mapping[str, float], airspeed: float, steps: int = 90, turns: int = 5
    ) -> FlightModel:
        """Small motions about a trim, with quasi-steady rotors and wake, see `FlightModel`."""
        # marches and compiles: loaded only when it is needed
        from samara.models.helicopters.helicopter_linear import NUDGES, STATES, Probe, small_motions

        nudges = {name: NUDGES[name] for name in STATES[:6]} | dict.fromkeys(UNKNOWNS[:4], NUDGES["pedal"])
        model = self.model(OnStand(controls, airspeed))
        turn = 2.0 * np.pi / self.main.shaft.speed
        R = attitude_of(controls["pitch"], controls["roll"]) @ FORWARD.rotation
        probe = Probe(model, self.mass.mass, self.mass.com, R, turn / steps, turns * turn)
        F, wind = FORWARD.rotation, np.array([airspeed, 0.0, 0.0])
        full = np.diag(self.mass.inertia) if np.ndim(self.mass.inertia) == 1 else np.asarray(self.mass.inertia)
        return small_motions(probe, controls, wind, nudges, self.mass.mass, F @ full @ F.T)


@dataclass(frozen=True)
class OnStand(Flight):
    """A flight on a turning stand, in air that turns with it, with the autopilot off, see `turning`."""

    def add(self, model: Model, controls: FlightControls, name: str = "fuselage") -> tuple[Node, Air, dict[str, Told]]:
        from samara.models.helicopters.helicopter_linear import turning  # loaded only when it is needed

        R = attitude_of(self.trim["pitch"], self.trim["roll"])
        craft = model.node(name, rotation=R)
        blown, turned = turning(np.array([self.airspeed, 0.0, 0.0]), R @ FORWARD.rotation)
        hold_turning(model, craft, turned)
        off = replace(controls.autopilot, gains=dict.fromkeys(controls.autopilot.gains, (0.0, 0.0)))
        angles = {"roll": self.trim["roll"], "pitch": self.trim["pitch"], "heading": 0.0}
        told = replace(controls, autopilot=off).add(
            model, craft, self.trim, {n: Constant(a) for n, a in angles.items()}
        )
        return craft, Air.standard(wind=blown), told


def blade_mass(part: RotorPart) -> float:
    """Mass of a blade [kg]."""
    body = part.blade.body
    return 0.0 if body is None else float(body.mass)


def control_spring(part: RotorPart) -> tuple[float, float]:
    """Stiffness and damping of the control system of a rotor, see `Blade.control_spring`."""
    return part.blade.control_spring(part.shaft.speed)


def power(results: Results) -> float:
    """Mean shaft power of both rotors [W]."""
    return float(results["main.rotor.power"].mean() + results["tail.rotor.power"].mean())
