"""Ideal gimbal."""

from __future__ import annotations

from samara.elements.families import Joint
from samara.rotations import dot, log_so3_below_pi


class GimbalRotation(Joint):
    """Transmits rotation at constant velocity between two shafts (the z axes) at any tilt: an ideal homokinetic
    coupling.

        x_A . y_B = y_A . x_B

    The real-time paper writes the relative rotation as exp(theta e2) exp(phi e1) exp(theta e2), with theta and phi as
    unknowns of five equations (6 to 12). Conjugation by half a turn about e3 inverts that product, so its rotation
    vector is perpendicular to e3, and vice versa: the two angles can be eliminated, which leaves one equation.
    Positions are free: add a `Spherical` for a gimbal that also carries forces, or use `Gimbal`.
    Limit: tilt below half a turn.
    Source: Morandini, Masarati, Mantegazza, 31st European Rotorcraft Forum, 2005, equations 6-12.
    """

    returning = True

    def constraint(self, a, b):
        return [0.5 * (dot(a.x, b.y) - dot(a.y, b.x))]

    def motion(self, a, b):
        tilt = log_so3_below_pi(a.R.T @ b.R)
        return {"tilt_x": (tilt[0], "rad"), "tilt_y": (tilt[1], "rad")}


class Gimbal(GimbalRotation):
    """Ideal gimbal that also joins the origins of the two frames: four equations, two tilts remain free."""

    def constraint(self, a, b):
        return [*b.see(a.p), *super().constraint(a, b)]
