"""Accumulator."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.hydraulic.storage.storage import HydraulicStorage
from samara.model import Output, number
from samara.tracing import fmax, fmin

#: What the seat gives beside the gas at the precharge: a small part, so that little liquid is kept below it.
SEAT = 1e-4
#: Part of the gas down to which it follows its law; further on the pressure rises along the tangent.
SMALLEST = 1e-2


class Accumulator(HydraulicStorage):
    """A vessel in which liquid compresses a gas behind a bladder.

        p V_g^n = precharge gas^n,     m = rho(p) (V_d + V),     V = gas - V_g = gas (1 - (precharge / p)^(1/n))
        energy: m h - p (V_d + V) + integral of p dV, the work on the gas

    above the precharge; below it the bladder rests on its seat, whose compliance is SEAT times that of the gas at the
    precharge, and the small remaining volume V_d holds the pressure. At lift-off, dV/dp rises linearly until it meets
    the gas law at precharge (1 + corner); from there on V is exact.

    gas: volume of the gas at the precharge [m^3]; precharge [Pa, absolute]; exponent: n, 1 for slow changes, 1.4
    and more for fast changes in nitrogen (1 is taken as 1 + 1e-6); dead: liquid under the bladder, V_d, as a fraction
    of `gas`; corner: as a fraction of the precharge. n: the junction. fluid: a `Fluid`. When the gas is compressed to
    the fraction SMALLEST, the pressure continues along the tangent of the law, and the run warns.
    """

    gas: float = number(unit="m^3", positive=True)
    precharge: float = number(unit="Pa", positive=True)
    exponent: float = number(default=1.4, positive=True)
    dead: float = number(default=0.01, positive=True)
    corner: float = number(default=0.02, positive=True)

    def examine(self) -> None:
        super().examine()
        if float(self.exponent) < 1.0:
            raise ValueError(f"exponent must be 1 or more, got {float(self.exponent):g}")
        if not self.fluid.compressible:
            raise ValueError("below its precharge it stores nothing of an incompressible fluid: take a LinearFluid")

    def _power(self) -> Any:
        return fmax(self.exponent, 1.0 + 1e-6)

    def _gas_law(self, p: Any) -> tuple[Any, Any]:
        """V and dV/dp at a pressure above the precharge."""
        left = self.gas * (self.precharge / p) ** (1.0 / self._power())
        return self.gas - left, left / (self._power() * p)

    def _seat(self) -> Any:
        """dV/dp below the precharge [m^3/Pa]."""
        return SEAT * self.gas / (self._power() * self.precharge)

    def _lift_off(self) -> tuple[Any, Any, Any, Any]:
        """Pressures at which the bladder starts to lift off and is free; V there, and the rise of dV/dp."""
        free = self.precharge * (1.0 + self.corner)
        volume, slope = self._gas_law(free)
        return free - 2.0 * volume / (slope + self._seat()), free, volume, slope - self._seat()

    def _last(self) -> tuple[Any, Any]:
        """The highest pressure of the gas law, and dV/dp beyond it."""
        last = self.precharge * (1.0 / SMALLEST) ** self._power()
        return last, SMALLEST * self.gas / (self._power() * last)

    def taken(self, p: Any) -> Any:
        """V, the liquid volume above the bladder's seat [m^3]."""
        begin, free, volume, rise = self._lift_off()
        lifting = fmin(fmax(p - begin, 0.0), free - begin)
        lifted = self._seat() * (fmin(p, free) - begin) + 0.5 * rise * lifting**2 / (free - begin)
        last, slope = self._last()
        squeezed = self._gas_law(fmin(fmax(p, free), last))[0] + slope * fmax(p - last, 0.0)
        return lifted + squeezed - volume

    def pressure(self, taken: Any) -> Any:
        """The inverse: p as a function of V [Pa]."""
        begin, free, volume, rise = self._lift_off()
        seat, width = self._seat(), free - begin
        lifted = fmin(fmax(taken, 0.0), volume)
        # of the quadratic equation for what p is above where it begins
        lifting = 2.0 * lifted / (seat + (seat**2 + 2.0 * rise * lifted / width) ** 0.5)
        gas = self.gas - fmax(taken, volume)
        least = fmax(gas, SMALLEST * self.gas)
        squeezed = self.precharge * (self.gas / least) ** self._power()
        beyond = (least - gas) / self._last()[1]
        return begin + fmin(taken, 0.0) / seat + lifting + (squeezed - free) + beyond

    def work(self, p: Any) -> Any:
        """The integral of p dV from the start of lift-off [J]."""
        begin, free, _, rise = self._lift_off()
        rests = fmin(p, free)
        lifting = fmin(fmax(p - begin, 0.0), free - begin)
        lifted = rise / (free - begin) * lifting**2 * (lifting / 3.0 + 0.5 * begin)
        n = self._power()
        energy = self.precharge * self.gas / (n - 1.0)
        part = (n - 1.0) / n
        last, slope = self._last()
        gas = fmin(fmax(p, free), last)
        above = energy * ((gas / self.precharge) ** part - (free / self.precharge) ** part)
        beyond = 0.5 * slope * (fmax(p, last) ** 2 - last**2)
        return 0.5 * self._seat() * (rests**2 - begin**2) + lifted + above + beyond

    def content(self, n):
        return self.fluid.density(n.value) * (self.dead * self.gas + self.taken(n.value))

    def gap(self, n, kept):
        taken = kept / self.fluid.density(n.value) - self.dead * self.gas
        give = self.gas / (self._power() * self.precharge)  # of the gas, so that the gap is in kg
        return self.fluid.density(self.precharge) * give * (self.pressure(taken) - n.value)

    def stored(self, n):
        return self.fluid.held_energy(n.value, self.dead * self.gas + self.taken(n.value)) + self.work(n.value)

    def doubts(self, results: Any) -> list[str]:
        found, name = super().doubts(results), f"{self.name}.gas_volume"
        if name in results.channels and float(np.min(results[name])) < SMALLEST * float(self.gas):
            found.append(
                f"its gas was pressed to less than {100.0 * SMALLEST:g} % of its volume, beyond its law: from there on "
                "the pressure is wrong; give it more gas, or lead the liquid off by a ReliefValve"
            )
        return found

    def formulate(self, site):
        made = super().formulate(site)
        gas = self.gas - self.taken(site.states[0].value)
        made.outputs.append(Output("gas_volume", "m^3", gas))
        return made
