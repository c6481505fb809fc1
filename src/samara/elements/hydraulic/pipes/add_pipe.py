"""Pipe with pressure waves."""

from __future__ import annotations

import math

from samara.arguments import finite, not_negative, positive, whole
from samara.elements.hydraulic.fluids.filling import check_liquid
from samara.elements.hydraulic.fluids.fluid import Fluid
from samara.elements.hydraulic.pipes.inertial_pipe import InertialPipe
from samara.elements.hydraulic.storage.volume import Volume
from samara.model import HYDRAULIC, Junction, Model, ModelError, Parameter


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
    """A pipe from junction a to b with pressure waves: a chain of `pieces` liquid columns and volumes.

    Each piece is an `InertialPipe`; half of its liquid is stored at either end, in a `Volume` at each junction. Waves
    travel at c = sqrt(K / rho), 1 / K = 1 / bulk modulus + compliance; those of wavelength l are too slow by the
    fraction (pi d / l)^2 / 6, with d the length of a piece, and those shorter than pi d do not propagate. Between a
    reservoir and a closed end, n pieces oscillate with the period 4 L / c x / sin x, x = pi / (4 n). Friction is the
    steady friction of a `Pipe`: it damps waves less than the true velocity profile would.

    length, radius [m]; compliance: of the walls, D / (E t) [1/Pa]; start: initial mass flow [kg/s]. Returns the
    junctions from a to b; those in between are ``name.p1`` ..., with initial pressures interpolated between a and b.
    The pieces are ``name.piece1`` ..., the volumes ``name.volume0`` ...
    """
    who = f"add_pipe {name!r}"
    if not isinstance(model, Model):
        raise ModelError(f"{who}: model must be a Model, got {model!r}")
    if not isinstance(fluid, Fluid) or not fluid.compressible:
        raise ModelError(f"{who}: waves need a compressible fluid such as LinearFluid, got {fluid!r}")
    try:
        fluid.validate()
    except ModelError as error:
        raise ModelError(f"{who}: {error}") from None
    pieces, start = whole(f"{who}: pieces", pieces), finite(f"{who}: start", start)
    length, radius = (positive(f"{who}: {n}", x) for n, x in (("length", length), ("radius", radius)))
    if not isinstance(compliance, Parameter):
        compliance = not_negative(f"{who}: compliance", compliance)
    _check_ends(model, name, a, b, fluid)
    _check_names(model, name, pieces)
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


def _check_ends(model: Model, name: str, a: Junction, b: Junction, fluid: Fluid) -> None:
    """Rejects ends that a pipe cannot connect."""
    for which, end in (("a", a), ("b", b)):
        if not isinstance(end, Junction) or end.domain is not HYDRAULIC:
            raise ModelError(f"add_pipe {name!r}: {which}: {end!r} is not what model.pressure(...) returned")
        if model.states.get(end.name) is not end:
            raise ModelError(f"add_pipe {name!r}: {which}: {end.name!r} does not belong to model {model.name!r}")
        check_liquid(end, fluid, name)
    if a is b:
        raise ModelError(f"add_pipe {name!r}: both ends are at junction {a.name!r}: give it two")


def _check_names(model: Model, name: str, pieces: int) -> None:
    """Rejects a name that is taken by any part of the pipe, before anything is added."""
    if not isinstance(name, str):
        raise ModelError(f"add_pipe: name must be a string, got {name!r}")
    for part, count in (("p", pieces), ("piece", pieces + 1)):
        for k in range(1, count):
            model.claim(f"{name}.{part}{k}")
    for k in range(pieces + 1):
        model.claim(f"{name}.volume{k}")
