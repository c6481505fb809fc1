"""What elements say of a run after it: where their theory was asked for more than it knows."""

from __future__ import annotations

import warnings

from samara.model import Model
from samara.results import Results


def warn_of_doubts(model: Model, results: Results, stacklevel: int) -> None:
    """A warning for each doubt of an element, from what was recorded of it."""
    for element in model.elements.values():
        for doubt in element.doubts(results):
            warnings.warn(f"model {model.name!r}: {element.name!r}: {doubt}", stacklevel=stacklevel)
