"""Relief valve."""

from __future__ import annotations

from samara.elements.hydraulic.valves.valve import PressedValve


class ReliefValve(PressedValve):
    """Opens from a to b when the pressure drop exceeds `opening` (the cracking pressure) [Pa].

    The equations are those of `PressedValve`. Between `opening` and `full` the pressure rises with the flow: the
    pressure override of the valve.
    """

    def examine(self) -> None:
        super().examine()
        if not float(self.opening) > 0.0:
            raise ValueError(f"opening must be positive, got {float(self.opening):g} Pa: it would stand open")
