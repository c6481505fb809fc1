"""Section flow models at a station: quasi-steady, with the lag of the shed wake, or with dynamic stall."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from samara.elements.aero.aerofoils.aerofoil import Aerofoil
from samara.elements.aero.aerofoils.dynamic_stall import LeishmanBeddoes
from samara.elements.aero.aerofoils.unsteady_aerofoil import apparent_mass, gust_points, lagged_downwash, met_gust
from samara.elements.aero.surfaces.strip import (
    SLIGHT_SPEED,
    STILL_AIR_SPEED_2,
    YAWS,
    Stations,
    StripLoad,
    section_flow,
    section_load,
)
from samara.elements.aero.wind.air import Air, AirHere
from samara.model import Record, State, option, record
from samara.rotations import arctan2
from samara.tracing import absolute, fmax, fmin

#: where Leishman and Beddoes' model ends, and over how much it gives way to the steady section [rad]
END, GIVING_WAY = np.radians(30.0), np.radians(15.0)
#: speed that is added to the flow of a station at rest, by squares [m/s]
SLOW = 1.0


class SectionMotion(NamedTuple):
    """A section of a blade against the air, in the axes of the blade (x span, y leading edge, z up).

    smooth, gust, acceleration: functions of the distance from the axis towards the leading edge [m]: velocity of that
    point against air without the gusts that differ from place to place, what these add to it [m/s] (None: there are
    none), and the rate of the first as components in these axes [m/s^2]; the air counts as steady for it. spin,
    spin_rate: angular velocity and its rate [rad/s, rad/s^2]. at_lift: by how much the air is faster where the lift
    acts than where the angle of attack is taken [m/s]; None: it is not.
    """

    smooth: Callable[[Any], Any]
    gust: Callable[[Any], Any]
    acceleration: Callable[[Any], Any]
    spin: Any
    spin_rate: Any
    at_lift: Any = None

    def velocity(self, ahead: Any) -> Any:
        """Velocity against the air of a point at a distance from the axis."""
        gust = self.gust(ahead)
        return self.smooth(ahead) if gust is None else self.smooth(ahead) + gust

    def flow_at_lift(self, centre: Any, smooth: bool = False) -> Any:
        """The same where the lift acts; smooth: without the gusts that differ from place to place."""
        found = self.smooth(centre) if smooth else self.velocity(centre)
        return found if self.at_lift is None else found - self.at_lift


class Unsteady(Record):
    """Base: states of a station, and the loads that follow from them and from the motion.

    yaw, of each: what flow along the span does, "none", "drag" or "section"; see `section_load`.
    """

    def station_states(self) -> dict[str, State]:
        """States that every station has of its own."""
        return {}

    def load(
        self, motion: SectionMotion, states: list, aerofoil: Aerofoil, air: Air | AirHere, stations: Stations, k: int
    ) -> tuple[StripLoad, list]:
        """Load on the strip of station k, and the rates of its states."""
        raise NotImplementedError


class QuasiSteady(Unsteady):
    """Quasi-steady section loads at the present velocity of the station's control point; lift is normal to the flow at
    its centre. No states.
    """

    yaw: str = option(default="none", choices=YAWS)

    def load(self, motion, states, aerofoil, air, stations, k):
        u, w, along = section_flow(motion.velocity(stations.control[k]), stations, k)
        centre = section_flow(motion.flow_at_lift(stations.centre[k]), stations, k)[:2]
        return section_load(aerofoil, air, stations, k, u, w, along=along, yaw=self.yaw, centre=centre), []


class Theodorsen(Unsteady):
    """Unsteady incompressible flow: the lag of the shed wake by two states per station, and the apparent mass.

        dy_i/dt = b_i (2 V / c) (w - y_i),     w_e = w / 2 + 0.165 y_1 + 0.335 y_2
        circulatory: the aerofoil's steady loads in the flow (u, w_e), at the quarter chord
        normal to the chord, pi rho b^2 w_m', and the moment of `apparent_mass`

    w: velocity normal to the chord at three quarters of it, w_m at mid-chord, u along it. The quarter chord is the
       `centre` of the stations; their `control` is not used.

    The lags are those of R. T. Jones, within 0.015 of Theodorsen's function. See
    `samara.elements.aero.aerofoils.unsteady_aerofoil.theodorsen` for thin aerofoils, to which this reduces with a
    `ThinAerofoil` at small angles. Changes of the air velocity in time (inflow, uniform gusts) are included in w, but
    not in w_m'.

    Gusts that differ from place to place (`Front`, `Standing`, `Dryden`) are evaluated along the chord, see `met_gust`:
    their w_c is added to w, and w_n bypasses the lag. A section then follows Sears's function in a harmonic gust, to
    the accuracy of Jones's lags, and Kuessner's function on entering a front.
    """

    yaw: str = option(default="none", choices=YAWS)

    def station_states(self) -> dict[str, State]:
        return {f"lag_{i}": State(1, unit="m/s", scale=1.0, description="lagged downwash") for i in (1, 2)}

    def load(self, motion, states, aerofoil, air, stations, k):
        chord, quarter = stations.chord[k], stations.centre[k]
        u, w, along = section_flow(motion.smooth(quarter - 0.5 * chord), stations, k)
        u_gust, lagging, at_once = _gust_met(motion, stations, k)
        V = np.sqrt((u + u_gust) ** 2 + (w + lagging) ** 2 + STILL_AIR_SPEED_2)
        rates, effective = lagged_downwash([s.value for s in states], w + lagging, V, chord)
        effective = effective + at_once
        u_ahead, w_ahead, _ = section_flow(motion.flow_at_lift(quarter, smooth=True), stations, k)
        centre = u_ahead + u_gust, w_ahead - (w - effective)  # the wake blows on the quarter chord too
        u = u + u_gust
        _, middle, _ = section_flow(motion.acceleration(quarter - 0.25 * chord), stations, k)
        spin, spin_rate = (section_flow(vector, stations, k)[2] for vector in (motion.spin, motion.spin_rate))
        normal, moment = apparent_mass(air.density, chord, middle, spin, spin_rate, u)
        more = normal * stations.length[k], moment * stations.length[k]
        return section_load(aerofoil, air, stations, k, u, effective, None, along, self.yaw, more, centre), list(rates)


def _gust_met(motion: SectionMotion, stations: Stations, k: int) -> tuple[Any, Any, Any]:
    """Gusts along the chord of station k: along it, on average, and the circulatory and the other downwash [m/s]."""
    middle, half = stations.centre[k] - 0.25 * stations.chord[k], 0.5 * stations.chord[k]
    gusts = [motion.gust(middle - x * half) for x in gust_points()]
    if gusts[0] is None:
        return 0.0, 0.0, 0.0
    flows = [section_flow(gust, stations, k) for gust in gusts]
    return sum(flow[0] for flow in flows) / len(flows), *met_gust([flow[1] for flow in flows])


class DynamicStall(Unsteady):
    """The Leishman-Beddoes model at every station: twelve states each; see `LeishmanBeddoes`.

    model: a `LeishmanBeddoes`, that of the NACA 0012 by default. Angle of attack and speed are those at the quarter
    chord, the stations' `centre`; their `control` is not used, nor is the aerofoil below 30 degrees: the section is
    that of the model's constants. Beyond, outside the validity of the model (reversed flow), it is blended over 15
    degrees into the steady loads of the aerofoil, with its own angle limited to +-45 degrees. The speed is regularised
    by adding 1 m/s in quadrature, since the model divides by it. Gusts are those at the quarter chord, with the lags of
    the motion.
    """

    model: LeishmanBeddoes = record(default=LeishmanBeddoes())
    yaw: str = option(default="none", choices=YAWS)

    def station_states(self) -> dict[str, State]:
        # at rest: attached flow at zero angle; separation as the constants have it there
        start = self.model.steady(0.0, 0.0, 100.0, 1.0, 340.0)
        return {
            f"flow_{i}": State(1, value=float(v), unit="1", scale=1.0 if i == 11 else 0.1) for i, v in enumerate(start)
        }

    def load(self, motion, states, aerofoil, air, stations, k):
        u, w, along = section_flow(motion.velocity(stations.centre[k]), stations, k)
        alpha, speed = arctan2(w, u + SLIGHT_SPEED), np.sqrt(u * u + w * w + SLOW**2)
        seen = fmin(fmax(alpha, -END - GIVING_WAY), END + GIVING_WAY)
        values = [s.value for s in states]
        spin = section_flow(motion.spin, stations, k)[2]
        rates, *found = self.model(values, seen, spin, speed, stations.chord[k], air.sound)
        s = fmin(fmax((absolute(alpha) - END) / GIVING_WAY, 0.0), 1.0)
        away = s * s * (3.0 - 2.0 * s)
        steady = aerofoil.coefficients(alpha, speed / air.sound)
        mixed = [(1.0 - away) * a + away * b for a, b in zip(found, steady, strict=True)]
        centre = None if motion.at_lift is None else section_flow(motion.flow_at_lift(stations.centre[k]), stations, k)
        return section_load(
            aerofoil, air, stations, k, u, w, mixed, along, self.yaw, centre=centre and centre[:2]
        ), list(rates)
