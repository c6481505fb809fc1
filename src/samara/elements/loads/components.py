"""Base of loads given by driven components."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.families import Load
from samara.model import setting, vector
from samara.model.quantities.placement import as_vector
from samara.model.schema.drives import as_drives


class Components(Load):
    """A load given by three driven components, or by a driven magnitude and a fixed direction."""

    #: name of the field with the components
    _components = "force"

    magnitude: Any = setting(default=None)
    direction: Any = setting(default=None)

    def prepare(self) -> None:
        given = getattr(self, self._components)
        if (given is None) == (self.magnitude is None) or (self.magnitude is None) != (self.direction is None):
            raise ValueError(f"give either {self._components}=(x, y, z), or a magnitude with a direction")
        if given is None:
            d = as_vector(self.direction, "direction")
            if not np.any(d):
                raise ValueError("direction must not be zero")
            (magnitude,) = as_drives((self.magnitude,), self.specs()[self._components].unit, "magnitude")
            setattr(self, self._components, tuple(magnitude * float(c) if c else 0.0 for c in d / np.linalg.norm(d)))


class AtPoint(Components):
    """The same at a point of the node, given in its axes (`point`) or in the world, in the reference pose (`at`)."""

    point: Any = vector(default=(0.0, 0.0, 0.0), unit="m")
    at: Any = setting(default=None)

    def prepare(self) -> None:
        super().prepare()
        if self.at is not None:
            if np.any(np.asarray(self.point)):
                raise ValueError("give either at in the world, or point in the node's axes, not both")
            self.point = self.n.place.inverse().point(as_vector(self.at, "at"))
