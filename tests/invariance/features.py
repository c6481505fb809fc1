"""One small machine for each feature, all on the same companion, for the matrix of features and ways to run.

A machine is tied by a spring to a double pendulum, the companion: so it is never alone, and a partition has a part for
each with one node between them. Every model has a parameter that its feature depends on, `TUNED`, and an input that
pushes the companion, `PUSH`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import samara as sm
from samara import PID
from samara.model import Model, Node
from samara.rotations import rotation_z

TUNED, PUSH = "tuned", "push"
Z = {"axis": (0, 0, 1)}


@dataclass(frozen=True)
class Feature:
    """A machine by its name, run for `steps` of `step` [s]; driven: whether it can be told to stand still."""

    name: str
    add: Callable[..., tuple[Node, Node]]
    step: float = 1e-3
    steps: int = 40
    driven: bool = False

    @property
    def end(self) -> float:
        """[s]"""
        return self.steps * self.step

    @property
    def text(self) -> str:
        """What the machine is, in a sentence."""
        return " ".join((self.add.__doc__ or "").split())

    def build(self, still: bool = False) -> Model:
        """The machine and its companion; still: with what is driven held where it starts."""
        model = Model(self.name, gravity=(0, 0, -9.81))
        tip, carrier = self.add(model, still=True) if still and self.driven else self.add(model)
        _add_companion(model, tip, carrier)
        return model

    def parts(self, model: Model) -> dict[str, list[str]]:
        """The elements of machine and companion."""
        names = list(model.elements)
        beside = [name for name in names if name.startswith("companion.")]
        return {"machine": [name for name in names if name not in beside], "companion": beside}


def _add_companion(model: Model, tip: Node, carrier: Node) -> None:
    start = tip.position + np.array([0.3, 0.2, -0.2])
    flying = {"velocity": carrier.velocity, "angular_velocity": carrier.angular_velocity}
    near = model.node("near", start, **flying)
    far = model.node("far", start + np.array([0.1, 0, -0.3]), **flying)
    for node, name, mass in ((near, "near", 0.4), (far, "far", 0.2)):
        model.add(f"companion.{name}", sm.Body(node, mass=mass, inertia=(2e-3, 3e-3, 2e-3)))
    hinge = {"at": start + np.array([0, 0, 0.3]), "axis": (0, 1, 0)}
    model.add("companion.upper", sm.Revolute(carrier, near, **hinge))
    model.add("companion.damper", sm.Torsion(carrier, near, law=sm.DamperLaw(0.05), **hinge))
    model.add("companion.lower", sm.Revolute(near, far, at=start, axis=(0, 1, 0)))
    model.add("companion.push", sm.Force(near, force=(sm.Input(label(model, PUSH), 0.0, unit="N"), 0, 0)))
    model.add("machine.tie", sm.Rod(tip, near, place_a=(0.05, 0.03, 0), law=sm.LinearLaw(50.0, damping=0.5)))


class Side:
    """A model as one of several machines in it sees it: whatever it names bears its name."""

    def __init__(self, model: Model, name: str) -> None:
        self.__dict__.update(model=model, name=name, ground=model.ground)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self.model, name, value)

    def __getattr__(self, what: str) -> Callable:
        return lambda name, *given, **named: getattr(self.model, what)(f"{self.name}.{name}", *given, **named)


def tuned(model: Model | Side, value: float, unit: str = "", **limits: float) -> sm.Parameter:
    """The parameter of a machine."""
    return sm.Parameter(label(model, TUNED), value, unit, **limits)


def label(model: Model | Side, name: str) -> str:
    """The name that something has in the model."""
    return f"{model.name}.{name}" if isinstance(model, Side) else name


def beside(*features: Feature) -> Model:
    """Several machines in one model, which know nothing of each other."""
    model = Model(" beside ".join(f.name for f in features), gravity=(0, 0, -9.81))
    for feature in features:
        side = Side(model, feature.name.replace(" ", "_"))
        tip, carrier = feature.add(side)
        _add_companion(side, tip, carrier)
    return model


def _wheel(model: Model, name: str, **start) -> Node:
    node = model.node(name, **start)
    model.add(f"machine.{name}", sm.Body(node, mass=1.0, inertia=(0.02, 0.02, 0.03)))
    model.add(f"machine.{name}_bearing", sm.Revolute(model.ground, node, at=node.position, **Z))
    return node


def contact(model: Model) -> tuple[Node, Node]:
    """A ball that hits the floor after some 6 ms, once in 20 ms, and rubs there."""
    ball = model.node("ball", position=(0, 0, 0.102), velocity=(0.5, 0, -0.3))
    model.add("machine.ball", sm.Body(ball, mass=2.0, inertia=(0.008,) * 3))
    restitution = tuned(model, 0.8, lower=0.0, upper=1.0)
    floor = sm.Contact(
        model.ground, ball, place_a=(0, 0, 0), shape=sm.BallShape(0.1), restitution=restitution, friction=0.3
    )
    model.add("machine.floor", floor)
    return ball, model.ground


def friction(model: Model) -> tuple[Node, Node]:
    """A slider whose guide rubs by the reaction in it."""
    slider = model.node("slider", velocity=(0.4, 0, 0))
    model.add("machine.slider", sm.Body(slider, mass=3.0, inertia=(0.1, 0.1, 0.1)))
    rub = sm.Friction(tuned(model, 0.3))
    model.add("machine.guide", sm.Prismatic(model.ground, slider, axis=(1, 0, 0), friction=rub))
    return slider, model.ground


def hydraulics(model: Model) -> tuple[Node, Node]:
    """A cylinder behind a servo valve."""
    oil = sm.LinearFluid(reference_density=870.0, bulk_modulus=1.7e9, viscosity=0.07, vapour_pressure=100.0)
    load = model.node("load", position=(0, 0, 1))
    model.add("machine.load", sm.Body(load, mass=50.0, inertia=(1, 1, 1)))
    model.add("machine.guide", sm.Prismatic(model.ground, load, axis=(0, 0, 1)))
    supply, back, a, b = (model.pressure(name, value) for name, value in SUPPLY.items())
    model.add("machine.pump", sm.PressureSource(supply, fluid=oil, pressure=1e7))
    model.add("machine.tank", sm.Tank(back, fluid=oil, pressure=1e6))
    sizes = {"area_1": 1e-3, "volume_1": 3e-4, "leakage": 1e-9}
    model.add("machine.cylinder", sm.LinearActuator(model.ground, load, a, p2=b, fluid=oil, **sizes))
    command = sm.Constant(tuned(model, 0.2))
    valve = sm.ServoValve(supply, back, a, b, fluid=oil, area=4e-6, frequency=600.0, command=command)
    model.add("machine.valve", valve)
    stiff = sm.LinearLaw(1e6, damping=1e4)
    model.add("machine.spring", sm.Axial(model.ground, load, at=load.position, axis=(0, 0, 1), law=stiff))
    return load, model.ground


SUPPLY = {"supply": 1e7, "back": 1e6, "a": 5.75e6, "b": 5.25e6}


def electrics(model: Model) -> tuple[Node, Node]:
    """A motor behind a winding and a smoothing capacitor."""
    arm = _wheel(model, "arm")
    e, a, b = (model.potential(name) for name in ("e", "a", "b"))
    model.add("machine.earth", sm.Earth(e))
    model.add("machine.source", sm.VoltageSource(a, e, voltage=12.0))
    model.add("machine.cable", sm.Resistor(a, b, resistance=tuned(model, 0.5, "Ohm")))
    model.add("machine.smoothing", sm.Capacitor(b, e, capacitance=5e-2))
    gear = sm.MotorGear(ratio=10.0, friction=0.02)
    motor = sm.Motor(model.ground, arm, b, e, constant=0.05, resistance=1.0, inductance=1e-2, gear=gear)
    model.add("machine.motor", motor)
    model.add("machine.spring", sm.Torsion(model.ground, arm, law=sm.LinearLaw(20.0, damping=0.1), **Z))
    return arm, model.ground


def sampled_laws(model: Model) -> tuple[Node, Node]:
    """A wheel under a discrete law that is compiled, eight steps to a sample."""
    wheel = _wheel(model, "wheel")
    sensor = model.add("machine.sensor", sm.MotionSensor(model.ground, wheel, quantum=1e-4, **Z))
    law = PID(proportional=4.0, integral=1.0, derivative=0.2, step=8e-3, lag=0.02, lower=-3.0, upper=3.0, c=0.0)
    target = sm.Constant(tuned(model, 0.5, "rad"))
    torque = model.add("machine.law", sm.SampledBlock([target, sensor.output], law=law, unit="N m")).output
    model.add("machine.motor", sm.ServoMotor(model.ground, wheel, torque, **Z))
    return wheel, model.ground


def locks(model: Model) -> tuple[Node, Node]:
    """Two wheels, one of which turns, until a lock joins them in mid-run."""
    first, second = (
        _wheel(model, "first", angular_velocity=(0, 0, 20.0)),
        _wheel(model, "second", position=(0, 0, 0.2)),
    )
    engaged = sm.Step(1.0, time=0.0205)
    model.add("machine.lock", sm.Lock(first, second, engaged=engaged, time=5e-3, **Z))
    damping = tuned(model, 0.02, "N m s/rad")
    model.add("machine.drag", sm.Torsion(model.ground, first, law=sm.DamperLaw(damping), **Z))
    return second, model.ground


def prescribed_motion(model: Model, still: bool = False) -> tuple[Node, Node]:
    """A turntable that shakes as told, with an arm on it that turns as told."""
    shake = sm.Constant(tuned(model, 0.01, "m")) * sm.Sine(1.0, 60.0)
    told = sm.Motion() if still else sm.Motion(position=(shake, 0, 0), rotation=(0, 0, _slow))
    table = model.prescribed("table", told)
    arm = model.node("arm", position=(0.3, 0, 0))
    model.add("machine.arm", sm.Body(arm, mass=1.0, inertia=(0.01, 0.02, 0.02)))
    hinge = {"at": (0, 0, 0), "axis": (0, 1, 0)}
    model.add("machine.hinge", sm.Revolute(table, arm, **hinge))
    model.add("machine.drive", sm.PrescribedAngle(table, arm, angle=0.0 if still else sm.Sine(0.2, 40.0), **hinge))
    return arm, model.ground


def _slow(t):
    return 2.0 * t


def beams(model: Model) -> tuple[Node, Node]:
    """A cantilever of two beams with distributed mass."""
    stiff = tuned(model, 900.0, "N/m")
    section = sm.DampedSection(sm.isotropic(E=70e9, area=1e-4, inertia_y=1e-9, inertia_z=3e-9, torsion=1e-9), 2e-4)
    root = model.node("root")
    model.add("machine.clamp", sm.Clamp(model.ground, root))
    row = [root, *(model.node(f"n{k}", (0.25 * k, 0, 0)) for k in (1, 2))]
    mass = sm.SectionMass(0.3, inertia=(1e-5, 4e-6, 8e-6))
    for k in (1, 2):
        model.add(f"machine.beam{k}", sm.Beam2(row[k - 1], row[k], section=section, balance="energy"))
        model.add(f"machine.mass{k}", sm.BeamMass2(row[k - 1], row[k], section=mass))
    model.add("machine.end", sm.Body(row[-1], mass=0.3, inertia=(1e-3, 1e-3, 1e-3)))
    law = sm.LinearLaw(stiff)
    model.add("machine.prop", sm.Axial(model.ground, row[1], at=row[1].position, axis=(0, 0, 1), law=law))
    return row[-1], model.ground


@functools.cache
def _reduction() -> sm.Reduction:
    x = np.linspace(0.0, 0.5, 5)
    shapes = np.zeros((5, 6, 1))
    shapes[:, 2, 0] = x**2 * (1.5 - x) / 0.25
    shapes[:, 4, 0] = -(3.0 * x - 3.0 * x**2) / 0.25
    masses = 0.1 * np.array([0.5, 1, 1, 1, 0.5])
    places = np.column_stack([x, 0 * x, 0 * x])
    names = ["", "", "", "", "tip"]
    return sm.Reduction.from_arrays(places, shapes, masses, stiffness=[300.0], damping=[0.5], names=names)


def modal_bodies(model: Model) -> tuple[Node, Node]:
    """A rod of one mode on a hinge, with something at its tip."""
    foot = model.node("foot", angular_velocity=(0, 0, 1.0))
    model.add("machine.drum", sm.Body(foot, mass=0.5, inertia=(0.01, 0.01, 0.01)))
    model.add("machine.bearing", sm.Revolute(model.ground, foot, **Z))
    law = sm.LinearLaw(tuned(model, 5.0, "N m/rad"), damping=0.05)
    model.add("machine.spring", sm.Torsion(model.ground, foot, law=law, **Z))
    rod = model.add("machine.rod", sm.ModalBody(foot, reduction=_reduction()))
    top = model.node("top", (0.5, 0, 0), velocity=(0, 0.5, 0), angular_velocity=(0, 0, 1.0))
    model.add("machine.joint", sm.ModalInterface(foot, top, body=rod, point="tip"))
    model.add("machine.payload", sm.Body(top, mass=0.1, inertia=(1e-4, 1e-4, 1e-4)))
    return top, model.ground


def rotors(model: Model, still: bool = False) -> tuple[Node, Node]:
    """Two blades on flap hinges at a driven hub, in air, with dynamic inflow; the mast gives way."""
    mast = model.node("mast", position=(0, 0, 1))
    model.add("machine.mast", sm.Body(mast, mass=5.0, inertia=(0.5, 0.5, 0.5)))
    model.add("machine.slide", sm.Prismatic(model.ground, mast, at=mast.position, axis=(1, 0, 0)))
    spring = {"at": mast.position, "axis": (1, 0, 0), "law": sm.LinearLaw(2000.0, damping=20.0)}
    model.add("machine.support", sm.Axial(model.ground, mast, **spring))
    speed, radius, top = 60.0, 1.0, np.array([0, 0, 1.0])
    spin = np.array([0, 0, speed])
    hub = model.node("hub", position=top, angular_velocity=spin)
    model.add("machine.hub", sm.Body(hub, mass=0.5, inertia=(0.01, 0.01, 0.01)))
    model.add("machine.bearing", sm.Revolute(mast, hub, at=top, **Z))
    model.add("machine.drive", sm.PrescribedAngle(mast, hub, angle=0.0 if still else sm.Ramp(speed), at=top, **Z))
    names = ("machine.blade_1", "machine.blade_2")
    disk = {"radius": radius, "speed": speed, "inflow": sm.PittPeters(), "solidity": 0.04, "start": 2.0}
    rotor = model.add("machine.rotor", sm.Rotor(mast, hub, blades=[label(model, name) for name in names], **disk))
    pitch = tuned(model, 0.1, "rad")
    section = sm.ThinAerofoil(slope=5.7, alpha_0=pitch, cd_0=0.01)
    for k, name in enumerate(names):
        R = rotation_z(k * np.pi)
        blade = model.node(f"blade_{k + 1}", top, R, angular_velocity=spin)
        model.add(f"{name}.mass", sm.Body(blade, mass=0.6, com=(0.5, 0, 0), inertia=(1e-3, 0.05, 0.05)))
        flap = {"at": top, "axis": R @ (0, -1, 0), "axis_x": R @ (1, 0, 0)}
        model.add(f"{name}.flap", sm.Revolute(hub, blade, start={}, **flap))
        stations = sm.Stations.gauss(0.2, radius, 3, 0.06)
        model.add(f"{name}.air", sm.AeroBody(blade, stations=stations, aerofoil=section, rotor=rotor))
    return mast, model.ground


def flight(model: Model) -> tuple[Node, Node]:
    """A glider with an elastic tail and a slung load, in a gust."""
    v, air = (25.0, 0, 0), sm.Air(density=1.2, gusts=sm.SineGust(amplitude=(0, 0, 1.0), frequency=30.0))
    body = model.node("body", position=(0, 0, 100.0), velocity=v)
    model.add("machine.body", sm.Body(body, mass=10.0, inertia=(1, 2, 2)))
    tail = model.node("tail", position=(-1.5, 0, 100.0), velocity=v)
    model.add("machine.tail", sm.Body(tail, mass=0.5, inertia=(0.01, 0.01, 0.01)))
    hinge = {"at": (-0.5, 0, 100.0), "axis": (0, 1, 0)}
    model.add("machine.hinge", sm.Revolute(body, tail, **hinge))
    stiff = tuned(model, 200.0, "N m/rad")
    model.add("machine.boom", sm.Torsion(body, tail, law=sm.LinearLaw(stiff, damping=0.5), **hinge))
    section = sm.ThinAerofoil(slope=5.7, alpha_0=-0.05, cd_0=0.01)
    wing = {"aerofoil": section, "air": air}
    across = sm.Placement((0, 0, 0), rotation_z(-0.5 * np.pi))
    for name, node, span in (("wing", body, 1.5), ("fin", tail, 0.4)):
        stations = sm.Stations.gauss(-span, span, 4, 0.2)
        model.add(f"machine.{name}", sm.AeroBody(node, place=across, stations=stations, **wing))
    return tail, body


def penalty_contact(model: Model) -> tuple[Node, Node]:
    """A ball that meets the floor by a force law, and rubs there."""
    ball = model.node("ball", position=(0, 0, 0.1005), velocity=(0.5, 0, -0.3))
    model.add("machine.ball", sm.Body(ball, mass=2.0, inertia=(0.008,) * 3))
    law = sm.HuntCrossleyLaw(tuned(model, 3e6), restitution=0.8, speed=0.3)
    rough = {"shape": sm.BallShape(0.1), "friction": 0.3, "transition": 1e-2}
    model.add("machine.floor", sm.PenaltyContact(model.ground, ball, place_a=(0, 0, 0), law=law, **rough))
    return ball, model.ground


def stops(model: Model) -> tuple[Node, Node]:
    """An arm that falls on the end of its hinge's travel."""
    arm = model.node("arm", position=(0.3, 0, 0))
    model.add("machine.arm", sm.Body(arm, mass=1.0, inertia=(0.01, 0.02, 0.02)))
    hinge = {"at": (0, 0, 0), "axis": (0, -1, 0)}
    model.add("machine.hinge", sm.Revolute(model.ground, arm, start={"angle_rate": -1.0}, **hinge))
    end = {"limit": -0.01, "side": "lower", "restitution": tuned(model, 0.8, lower=0.0, upper=1.0)}
    model.add("machine.stop", sm.AngleStop(model.ground, arm, **end, **hinge))
    return arm, model.ground


def bristles(model: Model) -> tuple[Node, Node]:
    """An arm whose hinge has friction with memory."""
    arm = model.node("arm", position=(0.3, 0, 0), velocity=(0, 0.3, 0), angular_velocity=(0, 0, 1.0))
    model.add("machine.arm", sm.Body(arm, mass=1.0, inertia=(0.01, 0.02, 0.02)))
    rub = sm.LuGre(tuned(model, 0.3), stiffness=1e3, damping=5.0, stribeck=0.05)
    model.add("machine.hinge", sm.Revolute(model.ground, arm, at=(0, 0, 0), friction=rub, radius=0.02, **Z))
    return arm, model.ground


def laws_in_python(model: Model) -> tuple[Node, Node]:
    """A wheel under a function that is called eight steps apart."""
    wheel = _wheel(model, "wheel")
    sensor = model.add("machine.sensor", sm.MotionSensor(model.ground, wheel, **Z))
    target = sm.Constant(tuned(model, 0.5, "rad"))
    block = sm.SampledBlock([target, sensor.output], law=_proportional, step=8e-3, unit="N m")
    model.add("machine.motor", sm.ServoMotor(model.ground, wheel, model.add("machine.law", block).output, **Z))
    return wheel, model.ground


def _proportional(target, angle):
    return 4.0 * (target - angle)


def drive_trains(model: Model) -> tuple[Node, Node]:
    """A motor's wheel drives a gear, a freewheel and, by a clutch that slips, a third wheel."""
    first, second, third = (_wheel(model, name, position=(0, 0, z)) for name, z in zip("abc", (0, 0.1, 0.2)))
    model.add("machine.motor", sm.RotaryActuator(model.ground, first, torque=sm.Constant(tuned(model, 3.0)), **Z))
    fourth = _wheel(model, "d", position=(0.2, 0, 0))
    model.add("machine.gear", sm.Gear(first, fourth, model.ground, ratio=-2.0))
    model.add("machine.freewheel", sm.Freewheel(first, second, stiffness=200.0, damping=1.0, **Z))
    model.add("machine.clutch", sm.Clutch(second, third, engaged=0.5, capacity=2.0, transition=0.5, **Z))
    return third, model.ground


def redundant_joints(model: Model) -> tuple[Node, Node]:
    """A door on two hinges, which share its weight by least squares."""
    model.redundant = "least-squares"
    leaf = model.node("leaf", position=(0.3, 0, 0), velocity=(0, 0.3, 0), angular_velocity=(0, 0, 1))
    model.add("machine.leaf", sm.Body(leaf, mass=5.0, inertia=(0.4, 0.5, 0.2)))
    for name, z in (("lower", -0.4), ("upper", 0.4)):
        model.add(f"machine.{name}", sm.Revolute(model.ground, leaf, at=(0, 0, z), **Z))
    law = sm.LinearLaw(tuned(model, 5.0, "N m/rad"))
    model.add("machine.closer", sm.Torsion(model.ground, leaf, law=law, **Z))
    return leaf, model.ground


FEATURES = {
    feature.name: feature
    for feature in (
        Feature("contact", contact, step=5e-4),
        Feature("friction", friction),
        Feature("hydraulics", hydraulics, step=2e-4),
        Feature("electrics", electrics),
        Feature("sampled laws", sampled_laws),
        Feature("locks", locks),
        Feature("prescribed motion", prescribed_motion, driven=True),
        Feature("beams", beams),
        Feature("modal bodies", modal_bodies),
        Feature("rotors", rotors, driven=True),
        Feature("flight", flight),
        Feature("penalty contact", penalty_contact, step=2e-4),
        Feature("stops", stops, step=5e-4),
        Feature("bristles", bristles),
        Feature("laws in Python", laws_in_python),
        Feature("drive trains", drive_trains),
        Feature("redundant joints", redundant_joints),
    )
}
