"""Check valve."""

from __future__ import annotations

from samara.elements.hydraulic.valves.valve import PressedValve
from samara.model import number


class CheckValve(PressedValve):
    """Passes liquid from a to b only, apart from leakage.

    The equations are those of `PressedValve`: it starts to open at the pressure drop `opening`, 0 by default, and is
    fully open at `full` [Pa]. It closes with the lag `time`; backflow until then is physical in fast reversals.
    """

    opening: float = number(default=0.0, unit="Pa", nonnegative=True)
    full: float = number(default=1e5, unit="Pa", positive=True)
