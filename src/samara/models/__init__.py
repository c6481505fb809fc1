"""Ready models: machines with their data and sources, built and run by name.

    from samara import models

    models.names()                                  the names
    models.find("pendulum").arguments               what may be chosen, with units
    models.find("pendulum").make(length=2.0)        a Model
    models.find("pendulum").run(length=2.0)         its Results

One machine a file. The planar ones live in the x-y plane, with gravity along -y; in the others z points up.
"""

from __future__ import annotations

from samara.models import (
    air_resonance,
    andrews,
    bathe45,
    chain,
    double_pendulum,
    four_bar,
    gimbal,
    hammond,
    helicopter,
    hydraulic_beam,
    landing,
    pendulum,
    princeton,
    propeller_pylon,
    puma,
    puma_hydraulic,
    puma_sailing,
    puma_vibration,
    robot,
    rollup,
    rotating_beam,
    rotor4,
    soft_in_plane,
    spin_up,
    spinning_top,
    tiltrotor,
    tiltrotor_gusts,
    tm4760,
    wrats,
    xcell,
)
from samara.models.registry import Argument, Quantity, ReadyModel, load_steps, look_up, make_integrator, set_parameters

READY: dict[str, ReadyModel] = {
    model.name: model
    for model in (
        pendulum.PENDULUM,
        double_pendulum.DOUBLE_PENDULUM,
        four_bar.FOUR_BAR,
        andrews.ANDREWS,
        spinning_top.SPINNING_TOP,
        chain.CHAIN,
        rotor4.ROTOR4,
        puma.PUMA,
        puma_hydraulic.PUMA_HYDRAULIC,
        puma_sailing.PUMA_SAILING,
        puma_vibration.PUMA_VIBRATION,
        helicopter.HELICOPTER,
        landing.LANDING,
        xcell.XCELL,
        gimbal.GIMBAL,
        robot.ROBOT,
        princeton.PRINCETON,
        bathe45.BATHE45,
        rollup.ROLLUP,
        rotating_beam.ROTATING_BEAM,
        tm4760.TM4760,
        spin_up.SPIN_UP,
        hydraulic_beam.HYDRAULIC_BEAM,
        tiltrotor.TILTROTOR,
        tiltrotor_gusts.TILTROTOR_GUSTS,
        wrats.WRATS,
        hammond.HAMMOND,
        propeller_pylon.PROPELLER_PYLON,
        air_resonance.AIR_RESONANCE,
        soft_in_plane.SOFT_IN_PLANE,
    )
}


def names() -> list[str]:
    """Names of the ready models."""
    return list(READY)


def find(name: str) -> ReadyModel:
    """The ready model of that name."""
    return look_up(READY, name, "ready model")


__all__ = [
    "READY",
    "Argument",
    "Quantity",
    "ReadyModel",
    "find",
    "load_steps",
    "make_integrator",
    "names",
    "set_parameters",
]
