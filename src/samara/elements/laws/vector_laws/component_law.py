"""One law per component."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from samara.elements.laws.free import FreeLaw
from samara.elements.laws.law import Law
from samara.elements.laws.vector_laws.vector_law import VectorLaw
from samara.model import ModelError, records


class ComponentLaw(VectorLaw):
    """A one-dimensional law for each component, without coupling: effort_k = law_k(q_k, rate_k).

    components: 3 or 6 laws, displacements first; None leaves a component free. A tabulated lag damper with a cubic flap
    spring: ``ComponentLaw((None, CubicLaw(k, k3), DamperTableLaw(curve)))``.
    """

    components: Sequence[Law | Any] = records()

    def __post_init__(self) -> None:
        if isinstance(self.components, (tuple, list)):
            self.components = tuple(FreeLaw() if law is None else law for law in self.components)

    @property
    def size(self) -> int:  # type: ignore[override]
        return len(self.components)

    def validate(self) -> None:
        if not isinstance(self.components, (tuple, list)) or len(self.components) not in (3, 6):
            raise ModelError("ComponentLaw: components must be 3 or 6 laws (None: free)")
        for law in self.components:
            if not isinstance(law, Law):
                raise ModelError(f"ComponentLaw: components must be laws such as LinearLaw(stiffness), got {law!r}")
        super().validate()

    def elastic(self, q):
        return np.array([law.elastic(x) for law, x in zip(self.components, q, strict=True)])

    def potential(self, q):
        return sum(law.potential(x) for law, x in zip(self.components, q, strict=True))

    def viscous(self, q, rate):
        return np.array([law.viscous(x, r) for law, x, r in zip(self.components, q, rate, strict=True)])

    def __call__(self, q, rate):
        return np.array([law(x, r) for law, x, r in zip(self.components, q, rate, strict=True)])

    def dissipation(self, q, rate):
        return sum(law.dissipation(x, r) for law, x, r in zip(self.components, q, rate, strict=True))
