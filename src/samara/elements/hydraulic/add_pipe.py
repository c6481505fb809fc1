"""A pipe in which waves travel."""

from __future__ import annotations

import math

from samara.elements.hydraulic.fluid import Fluid
from samara.elements.hydraulic.inertial_pipe import InertialPipe
from samara.elements.hydraulic.volume import Volume
from samara.model import HYDRAULIC, Junction, Model, ModelError
from samara.model.arguments import positive, whole


def add_pipe(
    model: Model,
    name: str,
    a: Junction,
    b: Junction,
    *,
    fluid: Fluid,
    length: float,
    radius: float,
    pieces: int = 10,
    compliance: float = 0.0,
    start: float = 0.0,
) -> list[Junction]:
    """A pipe from junction a to b in which pressure waves travel: `pieces` columns of liquid and volumes in turn.

    Each piece is an `InertialPipe`; its liquid is stored half at either end, in a `Volume` at each junction. Waves
    travel at c = sqrt(K / rho), 1 / K = 1 / bulk modulus + compliance; those of wave length l are slow by the part
    (pi d / l)^2 / 6, d the length of a piece, and those shorter than pi d do not pass. Between a reservoir and a closed
    end the n pieces sound at the period 4 L / c x / sin x, x = pi / (4 n). Friction is that of a `Pipe`, as if steady:
    it damps waves less than the true profile would.

    length, radius [m]; compliance: of the walls, D / (E t) [1/Pa]; start: mass flow at the start [kg/s]. Returns the
    junctions from a to b; those between are ``name.p1`` ..., which start with the pressure between those of a and b.
    The pieces are ``name.piece1`` ..., the volumes ``name.volume0`` ...
    """
    if not isinstance(fluid, Fluid) or not fluid.compressible:
        raise ModelError(f"add_pipe {name!r}: waves need a compressible fluid such as LinearFluid, got {fluid!r}")
    pieces = whole(f"add_pipe {name!r}: pieces", pieces)
    length, radius = (positive(f"add_pipe {name!r}: {n}", x) for n, x in (("length", length), ("radius", radius)))
    for end in (a, b):
        if not isinstance(end, Junction) or end.domain is not HYDRAULIC:
            raise ModelError(f"add_pipe {name!r}: {end!r} is not what model.pressure(...) returned")
    part = [k / pieces for k in range(1, pieces)]
    inner = [model.pressure(f"{name}.p{k}", a.value + x * (b.value - a.value)) for k, x in enumerate(part, 1)]
    line = [a, *inner, b]
    total = math.pi * radius**2 * length
    for k, junction in enumerate(line):
        share = (0.5 if k in (0, pieces) else 1.0) / pieces
        model.add(f"{name}.volume{k}", Volume(junction, fluid=fluid, volume=share * total, compliance=compliance))
    for k in range(pieces):
        ends = line[k], line[k + 1]
        model.add(
            f"{name}.piece{k + 1}", InertialPipe(*ends, fluid=fluid, length=length / pieces, radius=radius, start=start)
        )
    return line
