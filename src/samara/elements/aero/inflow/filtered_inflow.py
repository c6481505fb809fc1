"""Momentum-theory inflow with a second-order lag."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.aero.inflow.inflow import GRADIENTS, STILL_AIR_SPEED, Disk, Inflow, gradient_balances
from samara.model import number, option
from samara.tracing import fmax

#: Steps of Newton's method on the equation of momentum, from a first guess that is exact in hover and in fast flight.
STEPS = 4
#: Least slope of that equation, of the speed at the disk: it keeps the steps short where a disk sinks into its wake.
LEAST_SLOPE = 0.5


class FilteredMomentum(Inflow):
    """Momentum-theory inflow followed by a second-order filter.

        u'' + 2 damping frequency u' + frequency^2 u = frequency^2 u_hat
        u_hat = factor ground v,     2 rho A v sqrt(V_x^2 + V_y^2 + (V_z + v)^2) = T

    V: velocity of the disk's centre relative to the air in the disk's axes, including climb and forward speed [m/s]; T:
    thrust [N], rho: density, A: area of the disk. u_hat depends on T and V only, so the transfer function from u_hat to
    u is frequency^2 / (s^2 + 2 damping frequency s + frequency^2), and the steady u obeys momentum theory. Blade
    elements determine T from u, T determines u_hat, and the filter u: there is no algebraic loop.

    frequency [rad/s]; damping: damping ratio. gradient, factor: as in `Momentum`. The equation is solved by four Newton
    iterations, to rounding error in hover, climb and forward flight. Limit: momentum theory does not hold in descent,
    up to twice the induced velocity of hover; u_hat need not satisfy its equation there (in slow descent it does), but
    stays finite and continuous.

    Source: V. D. Palacios Uyaguari, E. Olguin Diaz, Non-inertial modeling and efficient simulation of a miniature R/C
    helicopter using the Body Decomposition Approach, section IV and figure 5, which mentions a delayed second-order
    filter without giving its two parameters.
    """

    frequency: float = number(unit="rad/s", positive=True)
    damping: float = number(default=1.0, positive=True)
    gradient: str = option(default="uniform", choices=GRADIENTS)
    factor: float = number(default=1.0, positive=True)

    def flows(self) -> dict[str, int]:
        return {"u": 2, "g_x": 0, "g_y": 0}

    def balances(self, disk: Disk) -> list:
        w, u = self.frequency, disk.u
        load = disk.thrust / (2.0 * disk.density * disk.area)
        ideal = momentum_velocity(load, disk.speed[0] ** 2 + disk.speed[1] ** 2, disk.speed[2])
        target = self.factor * disk.ground * ideal
        filtered = (u.acceleration + 2.0 * self.damping * w * u.rate) / w**2 + u.value - target
        return [filtered, *gradient_balances(self.gradient, disk)]


def momentum_velocity(load: Any, edgewise_2: Any, climb: Any) -> Any:
    """u with u sqrt(edgewise^2 + (climb + u)^2) = load [m/s].

    load: thrust by 2 rho A [m^2/s^2]; edgewise_2: square of the speed in the plane of the disk [m^2/s^2]; climb: speed
    along the thrust [m/s]. A speed of 0.05 m/s is added by squares, so that there is a slope at rest.
    """
    still = STILL_AIR_SPEED**2
    speed_2 = edgewise_2 + climb**2 + still
    # sqrt(load) in hover, load / speed in fast flight
    u = load / np.sqrt(np.sqrt(load**2 + speed_2**2))
    for _ in range(STEPS):
        through = climb + u
        flow = np.sqrt(edgewise_2 + through**2 + still)
        slope = fmax(flow + u * through / flow, LEAST_SLOPE * flow)
        u = u - (u * flow - load) / slope
    return u
