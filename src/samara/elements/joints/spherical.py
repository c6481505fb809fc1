"""Spherical joint."""

from __future__ import annotations

from samara.elements.families import Joint


class Spherical(Joint):
    """Two points stay together: p_BA = 0. Three rotations are left free."""

    def constraint(self, a, b):
        return [*b.see(a.p)]
