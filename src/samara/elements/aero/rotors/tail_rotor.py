"""Tail rotor as a load."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.aero.inflow.inflow import STILL_AIR_SPEED
from samara.elements.aero.wind.air import Air
from samara.elements.families import XYZ
from samara.model import (
    Contribution,
    Drawn,
    Node,
    Output,
    Placement,
    Site,
    Sketch,
    State,
    node,
    number,
    placement,
    reads,
    record,
)
from samara.rotations import cross, dot
from samara.tracing import fmax

#: Steps of Newton's method for the induced velocity, from what it is in hover.
STEPS = 4
#: Least slope of its equation, of the speed at the disk: see `FilteredMomentum`.
LEAST_SLOPE = 0.5
#: Factor on the square of the advance ratio in the profile power (Bennett 1940).
ADVANCING = 4.65
#: Speed [rad/s] that is added by squares: a rotor at rest has no torque rather than an infinite one.
SLOW = 0.1


class TailRotor(Drawn):
    """Thrust and torque of a small rotor geared to a larger one, in closed form, without modelling its blades.

        T = rho a sigma A / 2 (theta (U^2 / 3 + V_e^2 / 2) - U (V_z + u) / 2),     2 rho A u V_T = T
        P = T (V_z + u) + rho A sigma cd_0 / 8 U (U^2 + 4.65 V_e^2),               Q = P / Omega
        Omega = ratio Omega_main,   U = |Omega| R,   V_T^2 = V_e^2 + (V_z + u)^2

    Blade elements of constant chord and pitch from the axis to R, without tip loss and stall, and quasi-steady uniform
    inflow by momentum theory. V: velocity of the hub relative to the air, V_z along the thrust, V_e normal to it [m/s].
    The induced velocity u is found by four Newton iterations from its closed form in hover. Neglected: flapping,
    in-plane force, inertia. Source: J. G. Leishman, Principles of Helicopter Aerodynamics, 2nd edition,
    sections 3.2, 3.3 and 5.4.

    The thrust acts on the craft. The aerodynamic couple, -Q about the axis of the small rotor, passes through the
    gears: the hub of the main rotor receives -ratio Q about its shaft, the craft the remainder. The main drive
    therefore supplies the power of both.

    craft, hub: the nodes that carry the small rotor and that turn with the large one. x: the state of its pitch theta
    [rad], positive for thrust. place: on the craft, origin at its hub, z along the thrust. shaft: on the craft,
    z along the main shaft. ratio: speed about z of `place` by that about z of `shaft`. radius [m], chord [m],
    blades: their number; slope: lift curve slope [1/rad]; cd_0: section drag. air: the air it turns in.
    """

    craft: Node = node(kw_only=False)
    hub: Node = node(kw_only=False)
    x: State = reads(kw_only=False)
    place: Placement | Any = placement(default=None)
    shaft: Placement | Any = placement(default=None)
    ratio: float = number()
    radius: float = number(unit="m", positive=True)
    chord: float = number(unit="m", positive=True)
    blades: float = number(default=2.0, positive=True)
    slope: float = number(default=2.0 * np.pi, unit="1/rad", positive=True)
    cd_0: float = number(default=0.01, nonnegative=True)
    air: Air = record(default=Air())

    def nodes(self) -> list[Node]:
        return [self.hub, self.craft]

    def draw(self, sketch: Sketch) -> None:
        """Its force, at its centre."""
        sketch.vector("force", self.craft, Placement(self.place.position))

    def formulate(self, site: Site) -> Contribution:
        hub, craft = site.frames
        s, axis = craft.at(self.place), craft.at(self.shaft).z
        centre = site.world.see(s.p)
        v = s.v - s.R.T @ (site.world.R @ np.asarray(self.air.velocity(centre, site.time)))
        spin = self.ratio * dot(axis, hub.angular_velocity() - craft.angular_velocity())
        density, pitch = self.air.at(centre).density, site.states[0].value
        thrust, induced, power = self.loads(pitch, spin, v[0] ** 2 + v[1] ** 2, v[2], density)
        torque = power * spin / (spin**2 + SLOW**2)  # of the air against the rotation, about z of place
        F = thrust * s.z
        drag = -self.ratio * torque * axis
        M = cross(s.p, F) - torque * s.z - drag
        on_hub = hub.R.T @ drag
        zero = np.zeros(3)
        return Contribution(
            wrenches=[-np.concatenate([zero, on_hub]), -np.concatenate([F, M])],
            supplied=dot(F, craft.v) + dot(M, craft.w) + dot(on_hub, hub.w),
            outputs=[
                Output("force", "N", F, XYZ, "on the craft, in its axes"),
                Output("thrust", "N", thrust),
                Output("torque", "N m", torque, description="what the air resists the rotation with, about z of place"),
                Output("power", "W", power),
                Output("induced", "m/s", induced),
                Output("speed", "rad/s", spin, description="about z of place, against the craft"),
            ],
        )

    def loads(self, pitch: Any, spin: Any, edgewise_2: Any, climb: Any, density: Any = None) -> tuple[Any, Any, Any]:
        """Thrust [N], induced velocity [m/s] and power [W].

        From pitch [rad], speed [rad/s], flow across and along the axis [m^2/s^2, m/s] and density [kg/m^3], that of the
        air if it is not given.
        """
        density = self.air.density if density is None else density
        area = np.pi * self.radius**2
        solid = self.blades * self.chord * self.radius  # sigma A
        tip = np.sqrt((spin * self.radius) ** 2 + (SLOW * self.radius) ** 2)
        lift, mass = 0.5 * density * self.slope * solid, 2.0 * density * area
        bare = lift * (pitch * (tip**2 / 3.0 + 0.5 * edgewise_2) - 0.5 * tip * climb)  # without induced velocity
        less = 0.5 * lift * tip
        # mass u |u| + less u = bare, in hover
        u = 2.0 * bare / (less + np.sqrt(less**2 + 4.0 * mass * np.sqrt(bare**2 + 1e-12)))
        for _ in range(STEPS):
            through = climb + u
            flow = np.sqrt(edgewise_2 + through**2 + STILL_AIR_SPEED**2)
            slope = fmax(flow + u * through / flow, LEAST_SLOPE * flow)
            u = u - (mass * u * flow + less * u - bare) / (mass * slope + less)
        thrust = bare - less * u
        profile = 0.125 * density * solid * self.cd_0 * tip * (tip**2 + ADVANCING * edgewise_2)
        return thrust, u, thrust * (climb + u) + profile
