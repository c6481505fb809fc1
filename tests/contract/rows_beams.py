"""Beams under the contract, with all their kinds of sections."""

import numpy as np
from row import Row, inertia, vector

from samara import Beam2, Beam3, BeamMass2, BeamMass3, DampedSection, Section, SectionMass, ViscousSection
from samara.model import Parameter, Placement
from samara.rotations import exp_so3

STIFF = (90.0, 40.0, 50.0, 5.0, 7.0, 9.0)

#: how close they come: tests/unit/elements/beams/test_power.py
WHY = (
    "finite volumes: forces at the cuts balance the pieces between them, a sum that is no derivative of the strain "
    "energy at the cuts; power and energy agree as elements are made shorter"
)


def full(rng) -> np.ndarray:
    """A positive definite matrix that couples everything."""
    A = rng.uniform(-1.0, 1.0, (6, 6))
    return 5.0 * (A @ A.T) + np.diag(STIFF)


def diagonal(rng) -> np.ndarray:
    return np.array(STIFF) * rng.uniform(0.5, 1.5, 6)


def blocks(rng) -> np.ndarray:
    """Stretch coupled with bending, shear with twist: centres off the axis."""
    D = full(rng)
    stretch = np.array([1, 0, 0, 0, 1, 1], bool)
    return D * np.equal.outer(stretch, stretch)


def elastic(make):
    return lambda rng: Section(make(rng))


def damped(rng):
    return DampedSection(full(rng), damping=rng.uniform(0.01, 0.1))


def viscous(rng):
    return ViscousSection(diagonal(rng), viscosity=0.1 * blocks(rng))


def trapeze(rng):
    """Tension stiffens it in torsion."""
    return Section(full(rng), polar_radius=rng.uniform(0.2, 0.6))


def damped_trapeze(rng):
    return DampedSection(full(rng), damping=rng.uniform(0.01, 0.1), polar_radius=rng.uniform(0.2, 0.6))


def viscous_trapeze(rng):
    return ViscousSection(diagonal(rng), viscosity=0.1 * blocks(rng), polar_radius=rng.uniform(0.2, 0.6))


def with_parameter(rng):
    values = list(diagonal(rng))
    return Section([*values[:3], Parameter(f"GJ_{values[3]:.9g}", values[3]), *values[4:]])


def beam(cls, section, share=False, balance="volumes"):
    """A factory of curved and twisted beams of about 1 m, whose nodes lie anywhere; one section, or one a cut."""

    def make(nodes, rng, turn):
        places = {}
        middle = (len(nodes) - 1) / 2
        for k, (letter, n) in enumerate(zip("abc", nodes, strict=False)):
            xi = (k - middle) / middle
            point = np.array([0.5 * xi, 0, 0]) + vector(rng, 0.05)
            places[f"place_{letter}"] = n.local(Placement(point, exp_so3(0.3 * xi * np.ones(3))))
        if share:
            return cls(*nodes, section=section(rng), **places, balance=balance)
        return cls(*nodes, **{f"section_{k + 1}": section(rng) for k in range(cls.count)}, **places, balance=balance)

    return make


def move(node, place):
    """Gives a node another reference pose."""
    object.__setattr__(node, "place", place)
    node.begin(place)


def plain(cls, section, balance="volumes"):
    """A factory of beams straight from node to node, moved there: no placement at all in the equations."""

    def make(nodes, rng, turn):
        start = nodes[0].place
        for k, n in enumerate(nodes[1:], 1):
            move(n, start @ Placement((0.5 * k, 0.0, 0.0), exp_so3(vector(rng, 0.2))))
        return cls(*nodes, section=section(rng), balance=balance)

    return make


def row(name, make, cls, **more):
    return Row(name, make, nodes=cls.count + 1, near=0.3, unbalanced=WHY, **more)


def energy_row(name, make, cls, **more):
    return Row(name, make, nodes=cls.count + 1, near=0.3, **more)


def offset_mass(rng):
    return SectionMass(rng.uniform(1.0, 9.0), inertia=inertia(rng, 0.1), com=vector(rng, 0.2))


def mass(cls, share=False, placed=True):
    """A factory of masses along curved and twisted lines of about 1 m; one section, or one a node."""

    def make(nodes, rng, turn):
        places = {}
        middle = (len(nodes) - 1) / 2
        for k, (letter, n) in enumerate(zip("abc", nodes, strict=False)):
            xi = (k - middle) / middle
            at = Placement(np.array([0.5 * xi, 0, 0]) + vector(rng, 0.05), exp_so3(0.3 * xi * np.ones(3)))
            if placed:
                places[f"place_{letter}"] = n.local(at)
            else:
                move(n, at)
        if share:
            section = SectionMass(Parameter(f"mass_{rng.uniform():.12g}", 3.0), inertia=(0.3, 0.1, 0.2))
            return cls(*nodes, section=section, gravity=turn((1.0, 2.0, -9.0)), **places)
        sections = {f"section_{k + 1}": offset_mass(rng) for k in range(len(nodes))}
        return cls(*nodes, **sections, gravity=(*turn((1.0, 2.0, -9.0)),), **places)

    return make


def mass_row(name, make, count, **more):
    return Row(name, make, nodes=count, near=0.3, **more)


def bad_mass(cls, count):
    good = SectionMass(1.0, inertia=(2.0, 1.0, 1.0))
    return {
        "mass must be a positive number": lambda n: cls(*n, section=SectionMass(0.0, inertia=(2, 1, 1))),
        "inertia must be positive definite": lambda n: cls(*n, section=SectionMass(1.0, inertia=(2, 1, 0))),
        "inertia must be symmetric": lambda n: cls(*n, section=SectionMass(1.0, inertia=np.eye(3) + np.eye(3, k=1))),
        "com must have shape": lambda n: cls(*n, section=SectionMass(1.0, inertia=(2, 1, 1), com=(0.0, 1.0))),
        "gravity must have 3 components": lambda n: cls(*n, section=good, gravity=9.81),
        "has no length": lambda n: cls(
            *n, section=good, **{f"place_{letter}": (-float(k), 0, 0) for k, letter in enumerate("abc"[:count])}
        ),
        "nodes out of order": lambda n: cls(*n[::-1], section=good),
        "needs its section": lambda n: cls(*n),
        "not both": lambda n: cls(*n, section=good, section_1=good),
        "does not take": lambda n: cls(*n, section=3.0),
    }


def bad(cls):
    ends = (0, 1, 2)[: cls.count + 1]
    skew = np.diag(STIFF) + 60.0 * (np.eye(6, k=1) + np.eye(6, k=-1))
    return {
        "stiffness is not positive definite": lambda n: cls(*n, section=Section(skew)),
        "stiffness must be symmetric": lambda n: cls(*n, section=Section(np.diag(STIFF) + np.eye(6, k=1))),
        "stiffness must have shape": lambda n: cls(*n, section=Section((1.0, 2.0))),
        "damping must be a number that is not negative": lambda n: cls(*n, section=DampedSection(STIFF, damping=-1.0)),
        "viscosity has a negative eigenvalue": lambda n: cls(
            *n, section=ViscousSection(STIFF, viscosity=(1, 1, -1, 1, 1, 1))
        ),
        "has no length": lambda n: cls(
            *n, section=Section(STIFF), **{f"place_{letter}": (-float(k), 0, 0) for letter, k in zip("abc", ends)}
        ),
        "nodes out of order": lambda n: cls(*n[::-1], section=Section(STIFF)),
        "polar_radius must be a number that is not negative": lambda n: cls(
            *n, section=Section(STIFF, polar_radius=-0.1)
        ),
        "needs its section": lambda n: cls(*n),
        "not both": lambda n: cls(*n, section=Section(STIFF), section_1=Section(STIFF)),
        "does not take": lambda n: cls(*n, section=STIFF),
    }


ROWS = [
    row("Beam3, full section", beam(Beam3, elastic(full)), Beam3, bad=bad(Beam3)),
    row("Beam3, nothing placed", plain(Beam3, elastic(diagonal)), Beam3),
    row("Beam3, coupled in blocks", beam(Beam3, elastic(blocks), share=True), Beam3, bad={
        "b must be about half way": lambda n: Beam3(n[1], n[0], n[2], section=Section(STIFF)),
    }),
    row("Beam3, damped in proportion", beam(Beam3, damped), Beam3),
    row("Beam3, viscous", plain(Beam3, viscous), Beam3),
    row("Beam2, full section", beam(Beam2, elastic(full)), Beam2, bad=bad(Beam2)),
    row("Beam2, nothing placed", plain(Beam2, with_parameter), Beam2),
    row("Beam2, viscous", beam(Beam2, viscous), Beam2),
    energy_row("Beam3 by energy, full section", beam(Beam3, elastic(full), balance="energy"), Beam3, bad={
        "balance must be one of energy, volumes": lambda n: Beam3(*n, section=Section(STIFF), balance="forces"),
    }),
    energy_row("Beam3 by energy, nothing placed", plain(Beam3, elastic(diagonal), balance="energy"), Beam3),
    energy_row("Beam3 by energy, damped in proportion", beam(Beam3, damped, balance="energy"), Beam3),
    row("Beam3, trapeze effect", beam(Beam3, trapeze), Beam3),
    energy_row("Beam3 by energy, trapeze effect, damped", beam(Beam3, damped_trapeze, balance="energy"), Beam3),
    energy_row("Beam2 by energy, trapeze effect, viscous", beam(Beam2, viscous_trapeze, balance="energy"), Beam2),
    energy_row("Beam2 by energy, viscous", beam(Beam2, viscous, balance="energy"), Beam2),
    energy_row("Beam2 by energy, nothing placed", plain(Beam2, elastic(full), balance="energy"), Beam2),
    mass_row("BeamMass3, a section at each node", mass(BeamMass3), 3, bad=bad_mass(BeamMass3, 3)),
    mass_row("BeamMass3, sections alike", mass(BeamMass3, share=True), 3, bad={
        "b must be about half way": lambda n: BeamMass3(n[1], n[0], n[2], section=SectionMass(1.0, inertia=(2, 1, 1))),
    }),
    mass_row("BeamMass3, nothing placed", mass(BeamMass3, placed=False), 3),
    mass_row("BeamMass2, a section at each node", mass(BeamMass2), 2, bad=bad_mass(BeamMass2, 2)),
    mass_row("BeamMass2, sections alike, nothing placed", mass(BeamMass2, share=True, placed=False), 2),
]  # fmt: skip
