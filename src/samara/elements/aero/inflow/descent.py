"""Flow through a disk or a ring of it that climbs, hovers, descends or turns as a windmill.

Momentum theory has T = 2 rho A u |V + u| with V the speed of climb, which holds in climb, and again where the disk
sinks faster than 2 v_h, v_h the induced velocity in hover: as a windmill. Between them, in the vortex-ring state and
the turbulent-wake state, its flow |V + u| would vanish, and a solution slides onto the wrong branch. With s = V / u and

    T = 2 rho A u |u| m(s),     m = |1 + s| outside of the bridge

measurements are single-valued in s, and so is a bridge of m. Then u |u| m grows with u everywhere: a thrust has one
induced velocity, in any state.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.tracing import fmax, fmin, select

#: Ways over the bridge.
DESCENTS = ("measured", "buhl", "none")
#: Where each ends, in s; all begin in hover, s = 0.
ENDS = {"measured": -2.0, "buhl": -2.5, "none": 0.0}
#: Descent, over the induced velocity of hover, between which a slow rotor is in its vortex ring; and how fast it may be
#: across the shaft in the same measure. Sources: as of "measured"; W. Johnson, Model for vortex ring state influence on
#: rotorcraft flight dynamics, NASA TP-2005-213477.
RING, RING_EDGEWISE = (0.45, 1.5), 1.0
#: Induced velocity of hover over tip speed beyond which a disk is no rotor at work: its blades stand nearly still.
AT_WORK = 0.25
#: Part of a run in the ring that is worth a warning.
MUCH_OF_A_RUN = 0.05
#: Square of a velocity that is no more than none [m^2/s^2].
NOTHING = 1e-12
#: Of the mean of measurements, see `mass_flow`.
MEASURED = (-0.1938, -0.5385, -0.2015)


def axial_flow(
    climb: Any, induced: Any, *, still: float, descent: str = "measured", loss: Any = 1.0
) -> tuple[Any, Any]:
    """(V, dV/du) with T = 2 rho A V u [m/s, 1], from the speed of climb and the induced velocity u.

    still: speed [m/s] below which an induced velocity counts as none. descent: one of `DESCENTS`. loss: factor on the
    momentum that a ring near a tip or root takes up (Prandtl), 1 for none.
    """
    V = np.sqrt((climb + induced) ** 2 + still**2)
    plain = loss * V, loss * (climb + induced) / V
    if descent == "none":
        return plain
    size = np.sqrt(induced**2 + still**2)
    s = climb * induced / (induced**2 + NOTHING)
    inside = (s < 0.0) & (s > ENDS[descent])
    m, slope = mass_flow(fmin(fmax(s, ENDS[descent]), 0.0), descent, loss)
    return select(inside, size * m, plain[0]), select(inside, induced / size * (m - s * slope), plain[1])


def mass_flow(s: Any, descent: str = "measured", loss: Any = 1.0) -> tuple[Any, Any]:
    """(m, dm/ds) on the bridge, s from its end to 0.

    "measured": the mean of measurements in vertical descent,

        v / v_h = 1 - 1.125 x - 1.372 x^2 - 1.718 x^3 - 0.655 x^4,     x = V / v_h from -2 to 0

    as a polynomial that meets momentum theory at both ends with its slopes, and the mean to 0.08 in v / v_h at equal s.
    Measurements scatter by 0.2 and more there. Source: J. G. Leishman, Principles of Helicopter Aerodynamics, 2nd
    edition, section 2.13. With a loss F it is F times that.

    "buhl": rings of a highly loaded windmill, C_T = 8/9 + (4 F - 40/9) a + (50/9 - 4 F) a^2 with a = -1/s from 0.4 to
    1, which meets 4 F a (1 - a) at 0.4; from there to hover a cubic with the slopes of both. Source: M. L. Buhl, A new
    empirical relationship between thrust coefficient and induction factor for the turbulent windmill state, NREL
    TP-500-36834 (2005).
    """
    t = 1.0 + s
    if descent == "measured":
        c0, c1, c2 = MEASURED
        dip, hollow = c0 + t * (c1 + t * c2), 1.0 - t * t
        slope = t + hollow * (hollow * (c1 + 2.0 * c2 * t) - 4.0 * t * dip)
        return loss * (0.5 * (1.0 + t * t) + hollow * hollow * dip), loss * slope
    windmill = 2.0 / 9.0 * s * s - (loss - 10.0 / 9.0) * s + 25.0 / 18.0 - loss
    # from m = 1/2 at s = -1 with the windmill's slope, to m = F with the slope F of a climb
    b = 2.0 / 3.0 - loss
    c, d = 3.0 * (loss - 0.5) - 2.0 * b - loss, b + loss - 2.0 * (loss - 0.5)
    low = s < -1.0
    m = select(low, windmill, 0.5 + t * (b + t * (c + t * d)))
    return m, select(low, 4.0 / 9.0 * s - loss + 10.0 / 9.0, b + t * (2.0 * c + 3.0 * d * t))


def in_vortex_ring(climb: Any, edgewise_2: Any, hover_2: Any, tip: Any) -> Any:
    """1 inside the vortex ring, else 0: from the speed along the thrust, squares of the speed across it and of the
    induced velocity in hover, and the speed of the tips [m/s]."""
    works = hover_2 < (AT_WORK * tip) ** 2
    sinks = works & (climb < 0.0) & (climb**2 > RING[0] ** 2 * hover_2) & (climb**2 < RING[1] ** 2 * hover_2)
    return select(sinks & (edgewise_2 < RING_EDGEWISE**2 * hover_2), 1.0, 0.0)


def ring_doubt(time: Any, inside: Any) -> list[str]:
    """A sentence on a run that was in the ring for a while, from samples of `in_vortex_ring`."""
    there = np.asarray(inside) > 0.5
    if not there.any() or there.mean() < MUCH_OF_A_RUN:
        return []
    first, last = np.asarray(time)[there][[0, -1]]
    doubt = (
        f"in the vortex-ring state for {100.0 * there.mean():.0f} % of the run, between {first:.4g} and {last:.4g} s: "
        "induced velocities there are a mean of measurements that scatter by 0.2 of that in hover, without the "
        "fluctuations; descend faster or slower, or with forward speed"
    )
    return [doubt]
