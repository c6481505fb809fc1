"""Ideal gimbal."""

from __future__ import annotations

from samara.elements.families import Joint
from samara.rotations import dot, log_so3_below_pi


class GimbalRotation(Joint):
    """Transmits rotation at constant speed between shafts (the z axes) at any tilt: an ideal homokinetic coupling.

        x_A . y_B = y_A . x_B

    The real-time paper writes the relative rotation as exp(theta e2) exp(phi e1) exp(theta e2), with theta and phi as
    unknowns of five equations (6 to 12). Half a turn about e3 turns that product into its inverse, so its rotation
    vector is across e3, and the other way round: the two angles drop out and one equation is left. Positions are free:
    add a `Spherical` for a gimbal that also carries forces, or use `Gimbal`.
    Limit: a tilt of half a turn.
    Source: Morandini, Masarati, Mantegazza, 31st European Rotorcraft Forum, 2005, equations 6-12.
    """

    returning = True

    def constraint(self, a, b):
        return [0.5 * (dot(a.x, b.y) - dot(a.y, b.x))]

    def motion(self, a, b):
        tilt = log_so3_below_pi(a.R.T @ b.R)
        return {"tilt_x": (tilt[0], "rad"), "tilt_y": (tilt[1], "rad")}


class Gimbal(GimbalRotation):
    """Ideal gimbal that also holds the two frames' origins together: four equations, two tilts are left free."""

    def constraint(self, a, b):
        return [*b.see(a.p), *super().constraint(a, b)]
