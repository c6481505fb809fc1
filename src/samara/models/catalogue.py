"""The ready models, by name."""

from __future__ import annotations

from samara.models.articulated_rotors import puma, puma_hydraulic, puma_sailing, puma_vibration
from samara.models.beams import bathe45, hydraulic_beam, princeton, rollup, rotating_beam, spin_up
from samara.models.helicopters import bo105, coaxial, helicopter, landing, quadrotor, tandem, uh60, xcell
from samara.models.mechanisms import andrews, chain, double_pendulum, four_bar, gimbal, pendulum, spinning_top
from samara.models.registry import ReadyModel, look_up
from samara.models.robots import robot
from samara.models.rotors import air_resonance, hammond, rotor4, tm4760, xv15
from samara.models.tiltrotors import propeller_pylon, soft_in_plane, tiltrotor, tiltrotor_gusts, wrats

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
        uh60.UH60,
        bo105.BO105,
        coaxial.COAXIAL,
        tandem.TANDEM,
        quadrotor.QUADROTOR,
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
        xv15.XV15,
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
