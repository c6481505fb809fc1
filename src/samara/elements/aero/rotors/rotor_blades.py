"""Interface of the elements that belong to a rotor, and their assignment to its blades."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from samara.elements.aero.inflow.wakes import Blown
from samara.model import setting
from samara.model.declarations.declared_rotor import belongs

#: Azimuth within which surfaces that bear no blade's name are one blade [rad]: a swept tip is hardly off its blade.
SAME_BLADE = 0.15


class OnRotor(Blown):
    """An element that may belong to a rotor: a blade or a piece of one, or a body in its wake.

    rotor: the `Rotor` that model.add(...) returned, or None.
    """

    rotor: Any = setting(default=None)

    def rings(self) -> tuple[np.ndarray, np.ndarray]:
        """Radius and width of the ring that each station stands for, by the radius of the rotor; none for a body."""
        return np.zeros(0), np.zeros(0)

    def chords(self) -> np.ndarray:
        """Chord at each station [m]; none for a body."""
        return np.zeros(0)

    def span_ends(self) -> list[np.ndarray]:
        """Both ends of the span in the world, as described [m]; none where they are not known."""
        return []

    def station_points(self) -> np.ndarray:
        """Where the stations are in the world, as described [m], shape (stations, 3)."""
        return np.zeros((0, 3))


def pieces_of_blades(
    surfaces: Sequence[OnRotor], blades: Sequence[str], seen: Callable[[Any], np.ndarray]
) -> dict[str, list[OnRotor]]:
    """The surfaces of each blade: by their names, or by where they point if none of them bears a blade's name.

    seen: a point of the world in axes of the disk [m]. Raises ValueError for a surface that is of no blade, and where
    surfaces point in more or fewer directions than there are blades.
    """
    owners = [next((name for name in blades if belongs(surface.name, name)), None) for surface in surfaces]
    named = ", ".join(map(repr, blades))
    if not any(owners):
        groups = _by_azimuth(surfaces, seen)
        if len(groups) != len(blades):
            raise ValueError(
                f"its surfaces ({_names(surfaces)}) point in {len(groups)} directions, and its {len(blades)} blades "
                f"({named}) are no names of theirs: begin each with its blade's, such as {blades[0] + '.air'!r}, or "
                "correct blades=[...]"
            )
        return dict(zip(blades, groups, strict=True))
    found: dict[str, list[OnRotor]] = {name: [] for name in blades}
    for owner, surface in zip(owners, surfaces, strict=True):
        if owner is None:
            raise ValueError(f"{surface.name!r} has this rotor but belongs to none of its blades ({named})")
        found[owner].append(surface)
    return found


def _by_azimuth(surfaces: Sequence[OnRotor], seen: Callable[[Any], np.ndarray]) -> list[list[OnRotor]]:
    """Surfaces that point in one direction from the shaft, together."""
    sums = [np.sum([seen(point) for point in surface.station_points()], axis=0) for surface in surfaces]
    angles = np.array([np.arctan2(total[1], total[0]) for total in sums])
    groups: list[tuple[float, list[OnRotor]]] = []
    for angle, surface in zip(angles, surfaces, strict=True):
        for first, group in groups:
            if abs(np.angle(np.exp(1j * (angle - first)))) < SAME_BLADE:
                group.append(surface)
                break
        else:
            groups.append((float(angle), [surface]))
    return [group for _, group in groups]


def _names(surfaces: Sequence[OnRotor]) -> str:
    names = [repr(surface.name) for surface in surfaces]
    return ", ".join(names if len(names) < 5 else [*names[:3], "..."])
