"""Tabulated liquid."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.hydraulic.fluids.fluid import Fluid
from samara.elements.laws.table import CurveIntegral
from samara.model import ModelError, record, table
from samara.tracing import Curve


class TableFluid(Fluid):
    """A liquid whose specific volume is tabulated over absolute pressure.

        rho_T0 = 1 / specific_volume(p),     h = integral of specific_volume, exact

    specific_volume: a decreasing `Curve` of specific volume [m^3/kg] over pressure [Pa]; its extrapolation should be
    "linear", since a constant volume would be incompressible. A run warns when it leaves the table.
    `TableFluid.of` takes densities. integral: of the curve, filled in automatically.
    """

    specific_volume: Curve = table(unit="m^3/kg")
    integral: CurveIntegral = record(default=None)  # follows from the curve

    @classmethod
    def of(cls, pressure: Any, density: Any, **others: Any) -> TableFluid:
        """From densities [kg/m^3] at pressures [Pa]; the specific volume is linear in between."""
        try:
            rho = np.asarray(density, float)
            if rho.size and not np.all(rho > 0.0):
                raise ValueError(f"density must be positive, got {rho.min():g} kg/m^3")
            curve = Curve(pressure, 1.0 / rho, outside="linear")
        except (ValueError, TypeError) as error:
            raise ModelError(f"{cls.__name__}.of: {error}") from None
        return cls(specific_volume=curve, **others)

    def __post_init__(self) -> None:
        if isinstance(self.specific_volume, Curve):
            self._check_volumes()
            self.integral = CurveIntegral.of(self.specific_volume)

    def validate(self) -> None:
        super().validate()
        self._check_volumes()

    def _check_volumes(self) -> None:
        volumes = self.specific_volume.y
        if np.any(volumes <= 0.0) or np.any(np.diff(volumes) >= 0.0):
            raise ModelError(
                "TableFluid: specific_volume must be positive and fall as the pressure grows: density rises"
            )
        if self.specific_volume.outside != "linear":
            raise ModelError(
                'TableFluid: specific_volume must go on beyond its points: give its Curve outside="linear"'
            )

    def known(self):
        return float(self.specific_volume.x[0]), float(self.specific_volume.x[-1])

    def cold_density(self, p):
        return 1.0 / self.specific_volume(p)

    def cold_drop(self, p, q):
        return self.integral(p) - self.integral(q)
