"""Base of elements along a beam: a row of nodes, sections placed in them, one record of properties per part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from samara.model import Drawn, EnergyBooks, Extended, Grip, Node, Placement, as_placement, node, placement, setting


class AlongBeam(Drawn, Extended, EnergyBooks):
    """Base of elements along a beam: sections placed in nodes a, b, ... (x along the beam), in this order.

    place_a, place_b: section centre and axes in each node.

    A subclass lists its nodes and the records (`section_1`, ...) of its parts; `section` sets all of them.
    """

    grip = Grip.SOLID

    a: Node = node(kw_only=False)
    b: Node = node(kw_only=False)
    place_a: Placement | Any = placement(default=None)
    place_b: Placement | Any = placement(default=None)
    section: Any = setting(default=None)

    # ---- what a subclass says
    def along(self) -> list[str]:
        """Names of the node fields from one end to the other."""
        raise NotImplementedError

    def section_names(self) -> list[str]:
        """Names of the records, from one end to the other."""
        raise NotImplementedError

    # ---- description
    def prepare(self) -> None:
        self._share_section()
        self._check_order([w.position for w in self.worlds()])

    def worlds(self) -> list[Placement]:
        """Sections along the beam in the world, in the reference pose."""
        found = []
        for name in self.along():
            place = as_placement(getattr(self, f"place_{name}"), f"place_{name}")
            found.append(getattr(self, name).place @ place)
        return found

    def polyline(self) -> list[tuple[Node, np.ndarray]]:
        """From section to section along the beam."""
        return [(getattr(self, name), getattr(self, f"place_{name}").position) for name in self.along()]

    def _share_section(self) -> None:
        given = [getattr(self, name) is not None for name in self.section_names()]
        if self.section is not None and any(given):
            raise ValueError("give either section, or one for each part, not both")
        if self.section is None and not all(given):
            raise ValueError(f"needs its section: give section, or {' and '.join(self.section_names())}")
        for name in self.section_names() if self.section is not None else ():
            setattr(self, name, self.section)

    def _check_order(self, points: list[np.ndarray]) -> None:
        span = points[-1] - points[0]
        total = float(span @ span)
        reach = max(1e-300, *(float(np.abs(p).max()) for p in points))
        if total <= (1e-12 * reach) ** 2:
            raise ValueError("has no length: its nodes must be at different positions along the beam")
        for point in points[1:-1]:
            # beyond the middle half the parabola through the three points turns back on itself
            where = float((point - points[0]) @ span) / total
            if not 0.25 < where < 0.75:
                raise ValueError(
                    f"has its nodes out of order: b must be about half way from a to c, but is at {where:.3g} of it"
                )

    def _check_axis(self, cosine: float, least: float) -> None:
        """Refuses a section whose x axis points away from the line; cosine of the angle between them."""
        if cosine <= least:
            off = np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))
            raise ValueError(
                "has its nodes out of order, or its sections turned: their x axes must point along the beam from a to "
                f"{self.along()[-1]}, and lie {off:.0f} degrees off; turn the nodes or give place_a, place_b, ..."
            )

    # ---- placements that are known to be trivial are no numbers of the kernel
    def _placed(self) -> tuple[str, ...]:
        """For each node along the beam: nothing, "point" or "pose"."""
        kinds = []
        for name in self.along():
            place = getattr(self, f"place_{name}")
            turned, moved = not np.array_equal(place.rotation, np.eye(3)), np.any(place.position)
            kinds.append("pose" if turned else "point" if moved else "")
        # fewer kinds of kernels: all as the most general one
        most = max(kinds, key=["", "point", "pose"].index)
        return (most,) * len(kinds)

    def structure(self) -> tuple:
        return (*super().structure(), *self._placed())

    def rebuild(self, leaves: Iterator) -> Any:
        twin, kinds = super().rebuild(leaves), self._placed()
        for name, kind in zip(self.along(), kinds, strict=True):
            place = getattr(twin, f"place_{name}")
            setattr(twin, f"_at_{name}", (place.position if kind else None, place.rotation if kind == "pose" else None))
        return twin

    # ---- equations
    def _named(self, frames) -> dict:
        """Frames of the nodes by the names of their fields, along the beam."""
        nodes = self.nodes()
        return {name: frames[nodes.index(getattr(self, name))] for name in self.along()}

    def _ordered(self, wrenches: list) -> list:
        """Wrenches on the nodes along the beam, in the order of `nodes`."""
        by_node = {id(getattr(self, name)): wrench for name, wrench in zip(self.along(), wrenches, strict=True)}
        return [by_node[id(n)] for n in self.nodes()]
