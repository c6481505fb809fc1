"""Springs, dampers and their laws under the contract."""

import numpy as np
from row import Row, placement, vector

from samara import (
    ActuatorLength,
    Axial,
    ContactLaw,
    CubicLaw,
    Damper,
    DamperLaw,
    DamperTableLaw,
    DrivenLaw,
    FloresLaw,
    FrictionLaw,
    HuntCrossleyLaw,
    LankaraniNikraveshLaw,
    LinearLaw,
    OneSidedLaw,
    Rod,
    Spring,
    StopLaw,
    Strut,
    TableLaw,
    Torsion,
)
from samara.model import Parameter, Ramp
from samara.tracing import Curve


def rod(law):
    """A factory of rods between points anywhere on the nodes, with a law made of random numbers."""
    return lambda nodes, rng, turn: Rod(
        *nodes, place_a=vector(rng, 0.3), place_b=vector(rng, 0.3), law=law(rng), length=rng.uniform(0.2, 1.5)
    )


def on_axis(cls, law):
    """A factory of laws about or along the z axis of frames anywhere on the nodes."""
    return lambda nodes, rng, turn: cls(
        *nodes, place_a=placement(rng), place_b=placement(rng), law=law(rng), rest=rng.uniform(-2.0, 2.0)
    )


def linear(rng):
    return LinearLaw(rng.uniform(10.0, 90.0), damping=rng.uniform(0.0, 9.0), preload=rng.uniform(-5.0, 5.0))


def cubic(rng):
    return CubicLaw(rng.uniform(10.0, 90.0), rng.uniform(-30.0, 30.0), damping=rng.uniform(0.0, 9.0))


def points(rng, lowest):
    """Four values of increasing x from here on, of any y: few, for differences across a kink say nothing."""
    return lowest + np.cumsum(rng.uniform(0.4, 1.0, 4)), rng.uniform(-50.0, 50.0, 4)


def one_sided(side, onset):
    def law(rng):
        inner = LinearLaw(rng.uniform(10.0, 90.0), damping=rng.uniform(0.0, 9.0))
        return OneSidedLaw(inner, gap=rng.uniform(-0.3, 0.3), side=side, onset=onset)

    return law


def damper_table(rng):
    rates = np.array([-5.0, -1.0, 0.0, 2.0, 6.0])
    return DamperTableLaw(Curve(rates, rates * rng.uniform(0.5, 2.0, 5), "smooth", "linear"))


def stop(contact):
    """Stops of this contact around a free range."""
    return lambda rng: StopLaw(contact(rng), lower=rng.uniform(-0.4, -0.1), upper=rng.uniform(0.1, 0.4))


def flores(rng):
    return FloresLaw(rng.uniform(50.0, 90.0), restitution=rng.uniform(0.3, 0.9), speed=rng.uniform(1.0, 3.0))


def hunt_crossley(rng):
    return HuntCrossleyLaw(rng.uniform(50.0, 90.0), restitution=rng.uniform(0.0, 0.9), speed=2.0, exponent=2.0)


ROWS = [
    Row(
        "Spring",
        lambda nodes, rng, turn: Spring(
            *nodes,
            place_a=placement(rng),
            place_b=placement(rng),
            stiffness=Parameter(f"stiffness {nodes[0].name}", rng.uniform(10.0, 90.0)),
            damping=rng.uniform(0.0, 9.0),
            length=rng.uniform(0.0, 1.5),
            preload=rng.uniform(-5.0, 5.0),
        ),
        bad={
            "stiffness must be a number that is not negative": lambda nodes: Spring(*nodes, stiffness=-1.0),
            "damping must be a number that is not negative": lambda nodes: Spring(*nodes, stiffness=1.0, damping=-1.0),
            "length must be a number that is not negative": lambda nodes: Spring(*nodes, stiffness=1.0, length=-1.0),
            "preload must be a finite number": lambda nodes: Spring(*nodes, stiffness=1.0, preload=np.nan),
            "its ends coincide": lambda nodes: Spring(*nodes, stiffness=1.0, length=1.0, place_a=(1, 0, 0)),
            "give ends=(point, point)": lambda nodes: Spring(*nodes, stiffness=1.0, at=(0, 0, 0)),
        },
    ),
    Row(
        "Damper",
        lambda nodes, rng, turn: Damper(
            *nodes, place_b=vector(rng, 0.3), damping=rng.uniform(0.0, 9.0), quadratic=rng.uniform(0.0, 9.0)
        ),
        bad={
            "damping must be a number that is not negative": lambda nodes: Damper(*nodes, damping=-1.0),
            "quadratic must be a number that is not negative": lambda nodes: Damper(
                *nodes, damping=1.0, quadratic=-1.0
            ),
        },
    ),
    Row(
        "Rod, linear",
        rod(linear),
        bad={
            "law must be a Law such as": lambda nodes: Rod(*nodes, law=3.0),
            "law: LinearLaw: damping": lambda nodes: Rod(*nodes, law=LinearLaw(1.0, damping=-1.0)),
        },
    ),
    Row("Rod, cubic", rod(cubic)),
    Row("Rod, table", rod(lambda rng: TableLaw(Curve(*points(rng, -1.0)), damping=rng.uniform(0.0, 9.0)))),
    Row("Rod, smooth table", rod(lambda rng: TableLaw(Curve(*points(rng, -1.0), "smooth", "linear")))),
    Row("Rod, spline table", rod(lambda rng: TableLaw(Curve(*points(rng, 0.1), "spline")))),
    Row("Rod, stop", rod(one_sided("compression", 0.0))),
    Row("Rod, smooth stop", rod(one_sided("compression", 0.5))),
    Row("Rod, cable", rod(one_sided("tension", 0.0))),
    Row("Rod, smooth cable", rod(one_sided("tension", 0.5))),
    Row(
        "Rod, damper table",
        rod(damper_table),
        bad={
            "generates energy": lambda nodes: Rod(*nodes, law=DamperTableLaw(Curve([-1.0, 1.0], [1.0, 1.0]))),
            "curve must be a Curve": lambda nodes: Rod(*nodes, law=DamperTableLaw([1.0])),
        },
    ),
    Row(
        "Rod, sum", rod(lambda rng: linear(rng) + cubic(rng) + DamperLaw(rng.uniform(0.0, 9.0), rng.uniform(0.0, 9.0)))
    ),
    Row(
        "Torsion",
        on_axis(Torsion, linear),
        bad={
            "law must be a Law such as": lambda nodes: Torsion(*nodes, law=None),
            "rest must be a finite number": lambda nodes: Torsion(*nodes, law=LinearLaw(1.0), rest="up"),
            "not both": lambda nodes: Torsion(*nodes, law=LinearLaw(1.0), axis=(0, 0, 1), place_a=(0, 0, 1)),
        },
    ),
    Row("Torsion, cubic", on_axis(Torsion, cubic)),
    Row("Axial", on_axis(Axial, linear), bad={"law must be a Law such as": lambda nodes: Axial(*nodes, law=None)}),
    Row("Axial, smooth stop", on_axis(Axial, one_sided("compression", 0.5))),
    Row(
        "Axial, stops of Flores",
        on_axis(Axial, stop(flores)),
        bad={
            "restitution must be positive": lambda nodes: Axial(*nodes, law=FloresLaw(1.0, 0.0, 1.0)),
            "restitution must not be more than 1": lambda nodes: Axial(*nodes, law=FloresLaw(1.0, 1.5, 1.0)),
            "speed must be a positive number": lambda nodes: Axial(*nodes, law=FloresLaw(1.0, 0.5, 0.0)),
            "stiffness must be a positive number": lambda nodes: Axial(*nodes, law=FloresLaw(-1.0, 0.5, 1.0)),
            "exponent must be at least 1": lambda nodes: Axial(*nodes, law=FloresLaw(1.0, 0.5, 1.0, 0.5)),
        },
    ),
    Row(
        "Torsion, stops of Hunt and Crossley",
        on_axis(Torsion, stop(hunt_crossley)),
        bad={
            "upper (-1) is below lower (1)": lambda nodes: Torsion(*nodes, law=StopLaw(LinearLaw(1.0), 1.0, -1.0)),
            "law must be a Law such as": lambda nodes: Torsion(*nodes, law=StopLaw(3.0, 1.0, -1.0)),
            "restitution must be a number that is not negative": lambda nodes: Torsion(
                *nodes, law=HuntCrossleyLaw(1.0, -0.5, 1.0)
            ),
        },
    ),
    Row(
        "Torsion, stops of Lankarani and Nikravesh",
        on_axis(Torsion, stop(lambda rng: LankaraniNikraveshLaw(rng.uniform(50.0, 90.0), rng.uniform(0.0, 0.9), 2.0))),
        bad={"restitution must not be more": lambda nodes: Torsion(*nodes, law=LankaraniNikraveshLaw(1.0, 1.5, 1.0))},
    ),
    Row("Rod, contact", rod(lambda rng: ContactLaw(rng.uniform(50.0, 90.0), damping=rng.uniform(0.0, 0.9)))),
    Row(
        "Torsion, friction",
        on_axis(Torsion, lambda rng: FrictionLaw(rng.uniform(1.0, 9.0), 20.0, breakaway=12.0, stribeck=3.0)),
        bad={
            "must not be less than sliding": lambda nodes: Torsion(*nodes, law=FrictionLaw(2.0, 0.1, breakaway=1.0)),
            "transition must be a positive number": lambda nodes: Torsion(*nodes, law=FrictionLaw(2.0, 0.0)),
        },
    ),
    Row(
        "Torsion, clutch",
        on_axis(Torsion, lambda rng: DrivenLaw(DamperLaw(rng.uniform(1.0, 9.0)), lambda t: 0.4 + t)),
        bad={
            "must not store energy": lambda nodes: Torsion(*nodes, law=DrivenLaw(LinearLaw(1.0), 1.0)),
            "law must be a Law such as": lambda nodes: Torsion(*nodes, law=DrivenLaw(1.0, 1.0)),
            "is not a drive": lambda nodes: Torsion(*nodes, law=DrivenLaw(DamperLaw(1.0), "on")),
        },
    ),
    Row(
        "Strut",
        lambda nodes, rng, turn: Strut(
            *nodes,
            place_a=vector(rng, 0.2),
            stiffness=rng.uniform(10.0, 90.0),
            damping=rng.uniform(1.0, 9.0),
            length=ActuatorLength((Ramp(0.2), Ramp(0.3), Ramp(-0.1)), 0.3, 0.1, rng.uniform(0.3, 1.5)),
        ),
        bad={
            "stiffness must be a number that is not negative": lambda nodes: Strut(*nodes, stiffness=-1.0),
            "damping must be a number that is not negative": lambda nodes: Strut(*nodes, stiffness=1.0, damping=-1.0),
            "length": lambda nodes: Strut(*nodes, stiffness=1.0, length="long"),
            "reach must be a positive number": lambda nodes: Strut(
                *nodes, stiffness=1.0, length=ActuatorLength((Ramp(0.2),) * 3, 0.3, 0.1, -1.0)
            ),
        },
    ),
]
