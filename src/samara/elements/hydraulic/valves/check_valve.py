"""Check valve."""

from __future__ import annotations

from samara.elements.hydraulic.valves.valve import PressedValve
from samara.model import number


class CheckValve(PressedValve):
    """Lets liquid pass from a to b alone; the other way only its leak.

    Its equations are those of `PressedValve`: it begins to open at the drop `opening`, 0 if nothing is said, and is
    open at `full` [Pa]. It shuts with the lag `time`; what flows back until then is real in quick reversals.
    """

    opening: float = number(default=0.0, unit="Pa", nonnegative=True)
    full: float = number(default=1e5, unit="Pa", positive=True)
