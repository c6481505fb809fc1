"""Flexible beam raised by a hydraulic cylinder."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from samara.elements.beams.add_beam import add_beam
from samara.elements.beams.span import Span
from samara.elements.bodies.body import Body
from samara.elements.hydraulic.cylinders.linear_actuator import LinearActuator
from samara.elements.hydraulic.cylinders.seal_friction import SealFriction
from samara.elements.hydraulic.fluids.linear_fluid import LinearFluid
from samara.elements.hydraulic.pipes.add_pipe import add_pipe
from samara.elements.hydraulic.pipes.orifice import Orifice
from samara.elements.hydraulic.sources.flow_source import FlowSource
from samara.elements.hydraulic.storage.tank import Tank
from samara.elements.joints.revolute import Revolute
from samara.method.timeline import Timeline
from samara.model import ArgumentError, Model, Node, Tabulated
from samara.models.registry import Quantity, ReadyModel, checked
from samara.tracing import Curve

# Makinen, Ellman and Piche, 1997, as set up in the example "actuator" of MBDyn
LENGTH, MASS, ROTARY = 2.0, 13.0, 1.7e-3  # m, kg/m, kg m
EA, GA, EI, DAMPING = 3.36e8, 1.47e8, 8960.0, 1.8e-3  # N, N, N m^2, s
TIP_MASS = 20.0  # kg
ATTACHED, SLOPE = 0.25, np.radians(45.0)  # a part of the length, rad
DENSITY, VISCOSITY, BULK_MODULUS = 870.0, 8e-5 * 870.0, 870.0 * 1400.0**2  # kg/m^3, Pa s, Pa
PIPE_LENGTH, PIPE_RADIUS = 20.0, 6e-3  # m
ORIFICE = {"diameter": 6e-3, "discharge": 0.6, "transition": 1000.0}
AREA, VOLUME = 0.01, 1e-3  # m^2, m^3
#: Stand-in: of the other chamber, at the start [m^3].
OTHER_VOLUME = 3e-3
PORTS = ("tank_port", "inlet", "valve_port", "chamber")
FRICTION = {"static": 100.0, "critical": 5e-4, "viscous": 2500.0}  # N, m, N s/m
#: Stand-in: of the tank and of all lines at the start [Pa, absolute]; the source does not tell. Below 0.5 MPa the
#: column of liquid that comes to rest would tear.
CHARGE = 1e6
#: What is pumped in rises to this in a second, and falls to nothing in another [m^3/s].
PEAK_FLOW = 2e-3


def make_fluid() -> LinearFluid:
    """The oil."""
    numbers = {"bulk_modulus": BULK_MODULUS, "viscosity": VISCOSITY, "reference_pressure": CHARGE}
    return LinearFluid(reference_density=DENSITY, **numbers)


@checked("hydraulic-beam")
def build(
    pieces: Annotated[int, Quantity("", "columns of liquid in the pipe", positive=True)] = 10,
    elements: Annotated[int, Quantity("", "three-node beams, a multiple of two", positive=True)] = 4,
    peak_flow: Annotated[float, Quantity("m^3/s", "pumped in after a second", positive=True)] = PEAK_FLOW,
) -> Model:
    """A beam of 2 m on a pin at its root, with a mass of 20 kg at its tip, in a plane without gravity.

    A cylinder pushes on it at a quarter of its length, at 45 degrees. A pump delivers a triangular flow pulse of
    2e-3 m^3 in 2 s into a pipe of 20 m, followed by an orifice and the cylinder. The source does not specify the
    position of the cylinder, the chamber on the other side of its piston, or the initial pressure: here the cylinder
    stands vertically below the pin, the other chamber is open to the tank, and the tank is at 1 MPa. Out of plane,
    where nothing moves, the beam is as stiff as in plane.
    """
    model, fluid = Model("hydraulic-beam"), make_fluid()
    beam = _add_beam(model, elements)
    tank, inlet, valve, chamber = (model.pressure(name, CHARGE) for name in PORTS)
    model.add("tank", Tank(tank, fluid=fluid, pressure=CHARGE))
    flow = Tabulated(Curve([0.0, 1.0, 2.0], [0.0, peak_flow, 0.0]))
    model.add("pump", FlowSource(tank, inlet, fluid=fluid, amount=flow, by="volume"))
    size, radius = PIPE_LENGTH, PIPE_RADIUS
    add_pipe(model, "pipe", inlet, valve, fluid=fluid, length=size, radius=radius, pieces=pieces)
    model.add("orifice", Orifice(valve, chamber, fluid=fluid, **ORIFICE))
    pushed = beam[len(beam) // 4]
    foot = pushed.position - ATTACHED * LENGTH * np.array([1.0, np.tan(SLOPE), 0.0])
    ends = (foot, pushed.position)
    cylinder = LinearActuator(
        model.ground, pushed, chamber, p2=tank, fluid=fluid, ends=ends,
        area_1=AREA, volume_1=VOLUME, volume_2=OTHER_VOLUME,
    )  # fmt: skip
    model.add("cylinder", cylinder)
    model.add("seal", SealFriction(model.ground, pushed, ends=ends, **FRICTION))
    return model


def _add_beam(model: Model, elements: int) -> list[Node]:
    """The beam with its pin and the mass at its tip; its nodes from the root on."""
    if elements % 2:
        raise ArgumentError(f"hydraulic-beam: elements must be even, for a node where the cylinder pushes: {elements}")
    root = model.node("root")
    model.add("pin", Revolute(model.ground, root, axis=(0, 0, 1)))
    span = Span(
        station=[0.0, LENGTH], mass=MASS, EA=EA, GA_y=GA, GA_z=GA, GJ=EI, EI_y=EI, EI_z=EI,
        inertia_y=ROTARY, inertia_z=ROTARY,
    )  # fmt: skip
    beam = add_beam(model, "beam", span, root=root, elements=elements, damping=DAMPING)
    model.add("load", Body(beam[-1], mass=TIP_MASS, inertia=(1e-2, 1e-2, 1e-2)))
    return beam


HYDRAULIC_BEAM = ReadyModel(
    "hydraulic-beam",
    build,
    "flexible beam raised by a cylinder behind a long pipe and an orifice",
    source=(
        "Makinen, Ellman, Piche, Dynamic simulations of flexible hydraulic-driven multibody systems using finite "
        "strain beam theory, 1997, with the numbers of the example 'actuator' of MBDyn"
    ),
    timeline=Timeline(end=5.0, step=1e-3),
    plot=("cylinder.stroke", "chamber.value"),
)
