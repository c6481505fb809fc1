"""Relief valve."""

from __future__ import annotations

from samara.elements.hydraulic.valves.valve import PressedValve


class ReliefValve(PressedValve):
    """Opens from a to b where their pressures differ by more than `opening` (the cracking pressure) [Pa].

    Its equations are those of `PressedValve`. Between `opening` and `full` the pressure climbs with the flow: the
    override of the valve.
    """

    def examine(self) -> None:
        super().examine()
        if not float(self.opening) > 0.0:
            raise ValueError(f"opening must be positive, got {float(self.opening):g} Pa: it would stand open")
