"""Base class of liquids for hydraulic elements."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from samara.model import KeywordRecord, ModelError, Parameter, number

#: Absolute pressure of the air at sea level [Pa] and a usual temperature [K].
ATMOSPHERE, ROOM = 101325.0, 293.15


class Fluid(KeywordRecord):
    """A liquid: density and enthalpy by pressure, viscosity by temperature.

        rho(p) = rho_T0(p) / (1 + expansion (T - T0)),     h(p) = integral dp / rho
        mu = viscosity exp(-thinning (T - T0))             (Reynolds' law)

    All of the liquid has one temperature T, a number or a `Parameter`, unaffected by compression. h is the energy that
    a unit mass carries in from pressure p [J/kg]: a volume V of mass m stores m h - p V, and a flow w from p_a to p_b
    loses w (h(p_a) - h(p_b)). The energy balance is then exact.

    viscosity: dynamic, mu at T0 [Pa s]. reference_pressure [Pa, absolute]: at which h is zero and compressible liquids
    have their reference density. temperature: T [K]; reference_temperature: T0 [K]; expansion: volumetric coefficient
    [1/K]; thinning: of the viscosity [1/K], about 0.02 to 0.05 for mineral oil. vapour_pressure [Pa, absolute]: at
    which it boils. Subclasses define `cold_density` and `cold_drop`.
    """

    #: whether its density changes with pressure, so that a volume stores mass
    compressible: ClassVar[bool] = True

    viscosity: float = number(unit="Pa s", positive=True)
    vapour_pressure: float = number(default=0.0, unit="Pa", nonnegative=True, plain=True)
    reference_pressure: float = number(default=ATMOSPHERE, unit="Pa", nonnegative=True)
    temperature: float = number(default=ROOM, unit="K", positive=True)
    reference_temperature: float = number(default=ROOM, unit="K", positive=True)
    expansion: float = number(default=0.0, unit="1/K", nonnegative=True)
    thinning: float = number(default=0.0, unit="1/K", nonnegative=True)

    def validate(self) -> None:
        super().validate()
        swollen = 1.0 + float(self.expansion) * (float(self.temperature) - float(self.reference_temperature))
        if swollen <= 0.0:
            raise ModelError(
                f"{type(self).__name__}: at temperature {float(self.temperature):g} K nothing would be left of its "
                f"volume: expansion {float(self.expansion):g} 1/K is only meant for moderate changes"
            )

    def now(self) -> Any:
        """The same with parameters replaced by their present values."""
        leaves = self.leaves()
        if not any(isinstance(leaf, Parameter) for leaf in leaves):
            return self
        return self.rebuild(iter([float(leaf) if isinstance(leaf, Parameter) else leaf for leaf in leaves]))

    def swelling(self) -> Any:
        """Ratio of the volume at the temperature to that at the reference temperature."""
        fluid = self.now()
        return 1.0 + fluid.expansion * (fluid.temperature - fluid.reference_temperature)

    def density(self, p: Any) -> Any:
        """rho at the absolute pressure p [kg/m^3]."""
        return self.now().cold_density(p) / self.swelling()

    def enthalpy(self, p: Any) -> Any:
        """h, the integral of dp / rho from the reference pressure to p [J/kg]."""
        return self.enthalpy_drop(p, self.now().reference_pressure)

    def enthalpy_drop(self, p: Any, q: Any) -> Any:
        """h(p) - h(q), exact to rounding even for nearly equal pressures [J/kg]."""
        return self.now().cold_drop(p, q) * self.swelling()

    def shear_viscosity(self) -> Any:
        """mu at the temperature [Pa s]."""
        fluid = self.now()
        return fluid.viscosity * np.exp(-fluid.thinning * (fluid.temperature - fluid.reference_temperature))

    def known(self) -> tuple[float, float]:
        """Pressure range in which the data are known [Pa]."""
        return -np.inf, np.inf

    def cold_density(self, p: Any) -> Any:
        """rho at the reference temperature [kg/m^3]."""
        raise ModelError(f"{type(self).__name__}: define a method cold_density(p)")

    def cold_drop(self, p: Any, q: Any) -> Any:
        """h(p) - h(q) at the reference temperature [J/kg]."""
        raise ModelError(f"{type(self).__name__}: define a method cold_drop(p, q)")

    def held_energy(self, p: Any, volume: Any) -> Any:
        """m h - p V of the liquid in a volume V [m^3] at the pressure p [J]."""
        return (self.density(p) * self.enthalpy(p) - p) * volume
