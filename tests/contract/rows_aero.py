"""Aerodynamic elements under the contract."""

import numpy as np
from row import Row, placement

from samara import (
    AeroBeam3,
    AeroBody,
    Air,
    Annular,
    Drag,
    DynamicStall,
    FilteredMomentum,
    FreeWake,
    FrozenWake,
    KirchhoffAerofoil,
    Lag,
    Momentum,
    NoInflow,
    PetersHe,
    PittPeters,
    QuasiSteady,
    Rotor,
    Stations,
    TailRotor,
    Theodorsen,
    ThinAerofoil,
    naca0012,
)
from samara.model import Placement
from samara.rotations import exp_so3

GRADIENTS = ("glauert", "coleman", "drees", "payne", "white-blake", "pitt-peters", "howlett")
INFLOWS = {
    "none": NoInflow,
    "uniform": Momentum,
    "at once": lambda: Momentum(dynamic=False),
    **{kind: lambda kind=kind: Momentum(kind) for kind in GRADIENTS},
    "Pitt-Peters": PittPeters,
    "filtered": lambda: FilteredMomentum(frequency=7.0, damping=0.8, gradient="coleman", factor=1.1),
    "rings": lambda: Annular(radii=(0.1, 0.2, 0.6)),
    "rings, gradient": lambda: Annular(radii=(0.1, 0.6), gradient="drees", losses="tip", descent="buhl", factor=1.1),
    "rings at once": lambda: Annular(radii=(0.1, 0.6), losses="none", descent="none", dynamic=False),
    "Peters-He": lambda: PetersHe((2, 1, 1)),
    "Peters-He as printed": lambda: PetersHe((1, 1), momentum=False, descent="buhl"),
}
#: Rings such that every station lies between them, wherever the blade stands.
AROUND = (0.001, 0.95)
STEADY = QuasiSteady()
THIN = ThinAerofoil(slope=5.7, cd_0=0.01, stall=4.0)


def air(rng, turn):
    return Air(density=rng.uniform(0.9, 1.3), wind=turn(rng.uniform(-5.0, 5.0, 3)))


def rotor(inflow, **more):
    def make(nodes, rng, turn):
        return Rotor(
            *nodes[:2],
            disk=placement(rng),
            radius=rng.uniform(5.0, 6.0),  # the blades stand anywhere near by
            speed=rng.choice([-1.0, 1.0]) * rng.uniform(5.0, 9.0),
            air=air(rng, turn),
            inflow=inflow(),
            solidity=0.1,
            blades=[nodes[0].name],  # stands for a blade: rings ask for their number
            **more,
        )

    return make


def stations(rng, start=0.2, end=1.5, count=3):
    centre, control = rng.uniform(0.01, 0.05), -rng.uniform(0.01, 0.1)
    return Stations.gauss(start, end, count, lambda x: 0.3 - 0.05 * x, lambda x: 0.2 - 0.1 * x, centre, control)


def swept(rng, start=0.2, end=1.5, count=2):
    return Stations.gauss(start, end, count, lambda x: 0.3 - 0.05 * x, 0.2, 0.03, -0.05, sweep=rng.uniform(0.2, 0.4))


def wing(aerofoil, unsteady=QuasiSteady, count=3, stations=stations):
    def make(nodes, rng, turn):
        place, along = placement(rng), stations(rng, count=count)
        return AeroBody(
            nodes[0], place=place, stations=along, aerofoil=aerofoil, air=air(rng, turn), unsteady=unsteady()
        )

    return make


def blade(unsteady, inflow=PittPeters, **more):
    def make(nodes, rng, turn):
        support = rotor(inflow, **more)(nodes, rng, turn)
        place, along = placement(rng), stations(rng)
        return support, AeroBody(
            nodes[2], place=place, stations=along, aerofoil=THIN, rotor=support, unsteady=unsteady()
        )

    return make


def frozen():
    """A far wake of two harmonics that has been frozen: the same numbers each time."""
    series = np.random.default_rng(3).normal(size=(4, 3, 5))
    return FrozenWake(radii=(0.1, 0.4, 0.6, 0.9), series=series, reference=0.5)


def in_vortices(nodes, rng, turn, inflow=None):
    """A rotor in a free wake, whose stations must lie along its blades: its disk is where its hub is."""
    return Rotor(
        *nodes[:2],
        disk=nodes[0].local(nodes[1].place),
        radius=2.0,
        speed=rng.choice([-1.0, 1.0]) * rng.uniform(5.0, 9.0),
        air=air(rng, turn),
        inflow=inflow or FreeWake(step=0.01),
        solidity=0.1,
        blades=[nodes[0].name],
    )


def in_frozen_wake(nodes, rng, turn):
    return in_vortices(nodes, rng, turn, frozen())


def blade_in_vortices(unsteady, rotor=in_vortices):
    def make(nodes, rng, turn):
        support = rotor(nodes, rng, turn)
        place, along = nodes[2].local(nodes[1].place), stations(rng, count=4)
        more = {"aerofoil": THIN, "unsteady": unsteady()}
        return support, AeroBody(nodes[2], place=place, stations=along, rotor=support, **more)

    return make


def beam_in_vortices(nodes, rng, turn):
    support, along = in_vortices(nodes, rng, turn), stations(rng, -1.0, 1.0, count=4)
    along.length = 0.8 * along.length
    places = {
        f"place_{letter}": nodes[2 + k].local(nodes[1].place @ Placement((0.3 + 0.8 * k, 0.0, 0.0)))
        for k, letter in enumerate("abc")
    }
    return support, AeroBeam3(*nodes[2:], **places, stations=along, aerofoil=THIN, rotor=support)


def blade_on_its_hub(nodes, rotor):
    """One that fits a rotor in a free wake."""
    return AeroBody(rotor.hub, stations=stations(np.random.default_rng(1), count=4), aerofoil=THIN, rotor=rotor)


def swept_beam(nodes, rng, turn):
    return beam(nodes, rng, turn, QuasiSteady("drag"), swept)


def drag(nodes, rng, turn):
    """In the wind; with more than one node also in the wake of a rotor on the first, which may carry it itself."""
    support = rotor(PittPeters)(nodes, rng, turn) if len(nodes) > 1 else None
    more = {"rotor": support, "factor": 1.3} if support else {"air": air(rng, turn)}
    carrier = nodes[0] if len(nodes) < 3 else nodes[2]
    body = Drag(carrier, place=placement(rng), area=rng.uniform(0.5, 3.0, 3), **more)
    return (support, body) if support else body


def tail_rotor(nodes, rng, turn):
    servo = Lag(command=0.1, time=0.3, start=0.2)
    places = {"place": placement(rng), "shaft": placement(rng)}
    numbers = {"radius": rng.uniform(0.8, 1.2), "chord": 0.2, "slope": 5.0, "cd_0": 0.02}
    return servo, TailRotor(*nodes, servo.output, ratio=-4.0, air=air(rng, turn), **places, **numbers)


def blade_too(nodes, drag):
    return on_the_hub(nodes, drag.rotor)


def beam_in(inflow):
    return lambda nodes, rng, turn: beam(nodes, rng, turn, inflow=inflow)


def lagging_beam(nodes, rng, turn):
    return beam(nodes, rng, turn, Theodorsen())


def beam(nodes, rng, turn, unsteady=STEADY, stations=stations, inflow=PittPeters):
    places = {
        f"place_{letter}": nodes[-3 + k].local(Placement((0.8 * k, 0.05 * k**2, 0.0), exp_so3([0.1 * k, 0.0, 0.1 * k])))
        for k, letter in enumerate("abc")
    }
    along = stations(rng, -1.0, 1.0)
    if len(nodes) == 3:
        return AeroBeam3(*nodes, **places, stations=along, aerofoil=THIN, air=air(rng, turn), unsteady=unsteady)
    support = rotor(inflow)(nodes, rng, turn)
    return support, AeroBeam3(*nodes[2:], **places, stations=along, aerofoil=THIN, rotor=support, unsteady=unsteady)


def on_the_hub(nodes, rotor):
    """A blade, which every rotor must have."""
    return AeroBody(rotor.hub, stations=stations(np.random.default_rng(1)), aerofoil=THIN, rotor=rotor)


def graded_rings():
    return Annular(AROUND, gradient="coleman")


def wrong_rotor(nodes):
    return AeroBody(nodes[0], stations=stations(np.random.default_rng(1)), aerofoil=THIN, rotor=3.0)


ROWS = [
    *(
        Row(
            f"Rotor {name}",
            rotor(inflow),
            then=on_the_hub,
            bad={"speed must not be zero": lambda nodes: Rotor(*nodes, radius=1.0, speed=0.0)}
            if name == "none"
            else {},
        )
        for name, inflow in INFLOWS.items()
    ),
    Row("Rotor over ground", rotor(Momentum, ground=True, height=-8.0), then=on_the_hub, fixed=True),
    Row(
        "Rotor in vortices",
        in_vortices,
        then=blade_on_its_hub,
        bad={
            "must be a positive number": lambda nodes: Rotor(*nodes, radius=1.0, speed=3.0, inflow=FreeWake(step=-1.0))
        },
    ),
    Row("Rotor in a frozen wake", in_frozen_wake, then=blade_on_its_hub),
    Row("AeroBody blade in a frozen wake", blade_in_vortices(QuasiSteady, in_frozen_wake), nodes=3, outside=True),
    Row("AeroBody blade in vortices", blade_in_vortices(QuasiSteady), nodes=3, outside=True),
    Row("AeroBody lagging blade in vortices", blade_in_vortices(Theodorsen), nodes=3, outside=True),
    Row("AeroBeam3 blade in vortices", beam_in_vortices, nodes=5, outside=True, near=0.2),
    Row("AeroBody thin", wing(THIN), nodes=1, bad={"rotor": wrong_rotor}),
    Row("AeroBody by formula", wing(KirchhoffAerofoil()), nodes=1),
    Row("AeroBody by table", wing(naca0012()), nodes=1, step=1e-4),
    Row("AeroBody lagging", wing(THIN, Theodorsen), nodes=1),
    Row("AeroBody in yawed flow", wing(THIN, lambda: QuasiSteady("section"), 2), nodes=1),
    Row("AeroBody swept", wing(THIN, lambda: QuasiSteady("drag"), 2, swept), nodes=1),
    Row("AeroBody swept and lagging", wing(THIN, lambda: Theodorsen("drag"), 2, swept), nodes=1),
    Row("AeroBody in dynamic stall", wing(naca0012(), DynamicStall, 1), nodes=1, speed=40.0, step=1e-5),
    Row("AeroBody lagging blade", blade(Theodorsen), nodes=3, outside=True),
    Row("AeroBody blade", blade(QuasiSteady), nodes=3, outside=True),
    Row("AeroBody blade in a wake that turns", blade(QuasiSteady, swirl=True), nodes=3, outside=True),
    Row("AeroBody blade in rings", blade(QuasiSteady, lambda: Annular(AROUND)), nodes=3, outside=True),
    Row("AeroBody blade in shapes", blade(QuasiSteady, lambda: PetersHe((2, 1))), nodes=3, outside=True),
    Row("AeroBody lagging blade in rings", blade(Theodorsen, graded_rings), nodes=3, outside=True),
    Row("Drag", drag, nodes=1, bad={"area must not be": lambda nodes: Drag(*nodes, area=(-1.0, 0.0, 0.0))}),
    Row("Drag in the wake", drag, nodes=3, then=blade_too, outside=True),
    Row("Drag that carries the rotor", drag, nodes=2, then=blade_too, outside=True),
    Row(
        "TailRotor",
        tail_rotor,
        outside=True,
        bad={"is not a state": lambda nodes: TailRotor(*nodes, 1.0, ratio=4.0, radius=1.0, chord=0.1)},
    ),
    Row("AeroBeam3 wing", beam, nodes=3, outside=True, near=0.2),
    Row("AeroBeam3 swept", swept_beam, nodes=5, outside=True, near=0.2),
    Row("AeroBeam3 lagging", lagging_beam, nodes=5, outside=True, near=0.2),
    Row("AeroBeam3 blade", beam, nodes=5, outside=True, near=0.2),
    Row("AeroBeam3 blade in rings", beam_in(graded_rings), nodes=5, outside=True, near=0.2),
    Row("AeroBeam3 blade in shapes", beam_in(lambda: PetersHe((2, 1))), nodes=5, outside=True, near=0.2),
]
