"""Tiltrotor in a gusty wind tunnel, with swashplate inputs for an external controller."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from samara.elements.aero.wind.dryden import Dryden
from samara.elements.aero.wind.gusts import DrivenGust, Gust
from samara.elements.control.blocks.lag import Lag
from samara.method.method import Method
from samara.method.timeline import Timeline
from samara.model import Drive, Input, Model, Sine, option, record, vector
from samara.models.registry import Quantity, ReadyModel, checked
from samara.models.tiltrotors import tiltrotor

GUSTS = ("none", "turbulence", "harmonic")
#: Inputs of the swashplate [rad], added to what the governor and the start give.
INPUTS = ("added", "theta1c", "theta1s")
INTENSITY = 1.0  # m/s, root mean square of each component
SCALE = 2.0  # m, length of the turbulence, all components
SHORTEST, PERIOD = 0.5, 1000.0  # m: 100 Hz, and 20 s until it repeats, at 50 m/s
HERTZ = (4.0, 6.5)  # of the harmonic gust along the wind and upward
VANE_AHEAD, VANE_LAG = 0.5, 0.002  # m before the hub, s

STAND_IN = (
    f"{tiltrotor.STAND_IN}; gusts, vane and the swashplate's inputs are made up: the source only says that such a "
    "control was tried"
)


class GustAt(Drive):
    """A component of a gust at a place, in world axes [m/s].

    gust: of the air; place: [m]; axis: 0, 1, 2.
    """

    gust: Gust = record()
    place: Any = vector(unit="m")
    axis: int = option(choices=(0, 1, 2))

    def __call__(self, t):
        return self.gust.velocity(np.asarray(self.place), t)[self.axis]


@checked("tiltrotor-gusts")
def build(
    gust: Annotated[str, Quantity("", "turbulence of Dryden's spectrum, two waves, or none", choices=GUSTS)] = "none",
    intensity: Annotated[float, Quantity("m/s", "root mean square of a component of the gust", lower=0.0)] = INTENSITY,
    seed: Annotated[int, Quantity("", "of the turbulence", lower=0.0)] = 0,
    wind: Annotated[float, Quantity("m/s", "airstream along the shaft", positive=True)] = tiltrotor.WIND,
    wing_stiffness: Annotated[float, Quantity("1", "factor on the stiffness of the wing", positive=True)] = 1.0,
) -> Model:
    """The tiltrotor on its wing, shaken by gusts, with inputs by which a controller moves its swashplate.

    Inputs [rad]: ``added`` collective pitch, ``theta1c``, ``theta1s`` cyclic pitch; the governor of the speed stays in
    the model. The wing's response is that of its modes, ``wing.q1.value`` .. ``wing.q4.value`` [m]: what strain gauges
    at its root would tell. A vane half a metre before the hub measures the gust along the wind and upward, behind a lag
    of 2 ms: ``vane_x.output.value``, ``vane_z.output.value`` [m/s].

    Turbulence: of 1 m/s and a length of 2 m, so that the modes of the wing are shaken; frozen, carried by the wind.
    Harmonic: waves along the wind (4 Hz) and upward (6.5 Hz), of that root mean square, the same everywhere.

    Source of the machine and of the idea: Morandini, Masarati and Mantegazza, 31st European Rotorcraft Forum, 2005. All
    else is a stand-in, see `STAND_IN`.
    """
    blown, vanes = _gust(gust, intensity, seed, wind)
    model = tiltrotor.build(
        wind=wind, gust=blown or 0.0, wing_stiffness=wing_stiffness,
        collective_deg=Input(INPUTS[0], unit="rad"), theta1c_deg=Input(INPUTS[1], unit="rad"),
        theta1s_deg=Input(INPUTS[2], unit="rad"),
    )  # fmt: skip
    model.name, model.stand_in = "tiltrotor-gusts", STAND_IN
    for name, drive in zip(("vane_x", "vane_z"), vanes, strict=True):
        model.add(name, Lag(command=drive, time=VANE_LAG, unit="m/s"))
    return model


def _gust(kind: str, intensity: float, seed: int, wind: float) -> tuple[Gust | None, tuple[Drive | float, ...]]:
    """The gust, and what of it blows at the vane along x and z."""
    if kind == "none" or intensity == 0.0:
        return None, (0.0, 0.0)
    if kind == "harmonic":
        along, up = (Sine(np.sqrt(2.0) * intensity, 2 * np.pi * hertz) for hertz in HERTZ)
        return DrivenGust((along, 0.0, up)), (along, up)
    field = Dryden(
        (intensity,) * 3, (SCALE,) * 3, speed=wind, seed=seed, shortest=SHORTEST, period=PERIOD
    )  # fmt: skip
    place = (-tiltrotor.MAST - VANE_AHEAD, 0.0, 0.0)
    return field, (GustAt(field, place, 0), GustAt(field, place, 2))


TILTROTOR_GUSTS = ReadyModel(
    "tiltrotor-gusts",
    build,
    "the tiltrotor in a gusty airstream, its swashplate open to a controller that quiets the wing",
    source="Morandini, Masarati and Mantegazza, 31st European Rotorcraft Forum, 2005; most numbers are stand-ins",
    timeline=Timeline(end=5.0, step=1.0 / tiltrotor.RATE),
    method=Method(tolerance=1e-9),
    plot=("wing.q1.value", "wing.q2.value", "wing.q3.value", "rotor.speed"),
)
