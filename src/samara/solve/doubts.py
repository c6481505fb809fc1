"""What elements say of a run after it: where their theory was asked for more than it knows."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

from samara.model import Drive, Element, Model
from samara.results import Results

#: Steps in the shortest wave of a drive below which it is not followed.
FEWEST_STEPS = 5


def warn_of_doubts(model: Model, results: Results, stacklevel: int) -> None:
    """A warning for each doubt of an element, from what was recorded of it."""
    step = results.attrs.options.get("step")
    for element in model.elements.values():
        for doubt in (*element.doubts(results), *_unresolved(element, step)):
            warnings.warn(f"model {model.name!r}: {element.name!r}: {doubt}", stacklevel=stacklevel)


def _unresolved(element: Element, step: Any) -> Iterator[str]:
    """Drives with waves that fixed steps do not follow."""
    for drive in (leaf for leaf in element.objects() if isinstance(leaf, Drive)):
        wave = drive.shortest_wave()
        if step is not None and wave < FEWEST_STEPS * step:
            yield (
                f"what drives it has waves of {wave:.3g} s, which steps of {step:.3g} s do not follow: take steps of "
                f"{0.1 * wave:.3g} s, or leave such waves out"
            )
            return
