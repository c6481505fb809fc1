"""Options of ready rotors by name: inflow, unsteady sections, air."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from samara.elements.aero.inflow.annular import Annular
from samara.elements.aero.inflow.inflow import GRADIENTS, Inflow, Momentum, NoInflow, PittPeters
from samara.elements.aero.inflow.peters_he import PetersHe
from samara.elements.aero.surfaces.station_flow import DynamicStall, QuasiSteady, Theodorsen, Unsteady
from samara.elements.aero.wind.air import Air
from samara.elements.aero.wind.gusts import Gust
from samara.model import ModelError
from samara.models.quantity import Quantity

#: Inflow models by name; those of momentum theory take a gradient.
INFLOWS: Mapping[str, Callable[..., Inflow]] = {
    "momentum": Momentum,
    "annular": Annular,
    "pitt-peters": PittPeters,
    "peters-he": PetersHe,
    "none": NoInflow,
}
#: Sections in unsteady flow by name; each takes what flow along the span does.
SECTIONS: Mapping[str, Callable[..., Unsteady]] = {
    "quasi-steady": QuasiSteady,
    "theodorsen": Theodorsen,
    "dynamic-stall": lambda yaw: DynamicStall(yaw=yaw),
}
ATMOSPHERES = ("given", "standard")
#: Arguments of builders: the inflow of a rotor, see `inflow_of`, and gusts.
InflowOption = Annotated[str | Inflow, Quantity("", "model of the wake", choices=tuple(INFLOWS))]
GustsOption = Annotated[Gust | Sequence[Gust], Quantity("m/s", "gusts on top of the wind")]


def one_of(what: str, name: Any, known: Any) -> None:
    """Rejects a word that is not among the known ones; `what` names machine and argument: "puma: tip"."""
    if name not in known:
        raise ModelError(f"{what} must be one of {', '.join(known)}, got {name!r}")


def inflow_of(machine: str, inflow: str | Inflow, gradient: str = "uniform") -> Inflow:
    """An inflow model from its name and gradient; a record is returned unchanged."""
    one_of(f"{machine}: gradient", gradient, GRADIENTS)
    if isinstance(inflow, Inflow):
        if gradient != "uniform":
            raise ModelError(
                f"{machine}: an inflow object carries its own gradient: pass {gradient!r} to {inflow!r} instead"
            )
        return inflow
    one_of(f"{machine}: inflow", inflow, INFLOWS)
    made = INFLOWS[inflow]
    if gradient == "uniform":
        return made()
    if "gradient" not in getattr(made, "field_names", frozenset)():
        raise ModelError(
            f"{machine}: inflow {inflow!r} has no gradient option, got {gradient!r}: leave it at 'uniform'"
        )
    return made(gradient=gradient)


def unsteady_of(machine: str, unsteady: str | Unsteady, yaw: str = "none") -> Unsteady:
    """A model of unsteady section flow from its name and the treatment of spanwise flow; a record stays as it is."""
    if isinstance(unsteady, Unsteady):
        if yaw != "none":
            raise ModelError(
                f"{machine}: an unsteady-section object carries its own yaw option: pass "
                f"yaw={yaw!r} to {unsteady!r} instead"
            )
        return unsteady
    one_of(f"{machine}: unsteady", unsteady, SECTIONS)
    return SECTIONS[unsteady](yaw=yaw)


def air_of(
    machine: str, atmosphere: str, altitude: float, density: float, sound: float, wind: Any, gusts: Any = ()
) -> Air:
    """The air of a machine: given density and speed of sound, or the standard day at an altitude [m]."""
    one_of(f"{machine}: atmosphere", atmosphere, ATMOSPHERES)
    if atmosphere == "given":
        if altitude:
            raise ModelError(f"{machine}: altitude = {altitude:g} m has no effect unless atmosphere is 'standard'")
        return Air(density, sound, wind=wind, gusts=gusts)
    try:
        return Air.standard(altitude, wind=wind, gusts=gusts)
    except ValueError as error:
        raise ModelError(f"{machine}: {error}") from None
