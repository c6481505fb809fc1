"""Andrews' squeezing mechanism: seven bodies in three closed loops, a test of solvers for constrained motion.

Sources: the Test Set for IVP Solvers, problem "andrews" (Mazzia and Magherini, University of Bari), which also gives
the solution at 0.03 s; Hairer and Wanner, Solving Ordinary Differential Equations II, section VII.7. Other codes
(MBDyn, the IFToMM library) use another place of point D and other centres of mass: their results differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from samara.elements.bodies.body import Body
from samara.elements.joints.point_constraints.in_line import InLine
from samara.elements.joints.revolute import Revolute
from samara.elements.loads.couple import Couple
from samara.elements.springs.spring import Spring
from samara.method.timeline import Timeline
from samara.model import Model, Node, Parameter
from samara.models.registry import Quantity, ReadyModel, checked
from samara.results import Results


@dataclass(frozen=True)
class Bar:
    """A body of the mechanism: mass [kg], moment of inertia about the centre of mass [kg m^2], centre of mass [m].

    Its axes turn with its angle, and its origin is the hinge nearer to the ground. Moments across the plane do not
    enter the motion: those of a flat plate stand in for them.
    """

    mass: float
    inertia: float
    com: tuple[float, float]

    @property
    def moments(self) -> tuple[float, float, float]:
        return 0.5 * self.inertia, 0.5 * self.inertia, self.inertia


# Fixed points, and points of the bodies in their own axes [m].
A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)
RR, D, SS, SC, SD, E, ZT, ZF, U = 0.007, 0.028, 0.035, 0.018, 0.020, 0.020, 0.040, 0.020, 0.040
BARS = {
    "K1": Bar(0.04325, 2.194e-6, (0.00092, 0.0)),
    "K2": Bar(0.00365, 4.410e-7, (-0.0115, 0.0)),
    "K3": Bar(0.02373, 5.255e-6, (0.01043, -0.01874)),
    "K4": Bar(0.00706, 5.667e-7, (0.0, -(0.020 - 0.01421))),
    "K5": Bar(0.07050, 1.169e-5, (0.02308, 0.00916)),
    "K6": Bar(0.00706, 5.667e-7, (0.020 - 0.01421, 0.0)),
    "K7": Bar(0.05498, 1.912e-5, (-0.00449, -0.01228)),
}
#: The seven angles of the test set, the hinges that measure them, and their values at the start [rad].
ANGLES = {
    "beta": ("hinge_O", -0.0617138900142764496),
    "Theta": ("hinge_F", 0.0),
    "gamma": ("hinge_B", 0.455279819163070380),
    "Phi": ("hinge_H", 0.222668390165885885),
    "delta": ("hinge_A5", 0.487364979543842550),
    "Omega": ("hinge_G", -0.222668390165885885),
    "epsilon": ("hinge_A7", 1.23054744454982119),
}
#: The joints that close the loops at E, each with the body that it pulls.
CLOSURES = {"closure_K3": "K3", "closure_K4": "K4", "closure_K6": "K6"}


@checked("andrews")
def build(
    torque: Annotated[float, Quantity("N m", "driving couple on K1")] = 0.033,
    stiffness: Annotated[float, Quantity("N/m", "stiffness of the spring from C to D", lower=0.0)] = 4530.0,
    free_length: Annotated[float, Quantity("m", "natural length of the spring", positive=True)] = 0.07785,
) -> Model:
    """Seven bodies, seven hinges in a tree, and three points of K3, K4 and K6 on the axis of K2 at E.

        O -K1- F -K2- E        B -K3- E        A -K5- H -K4- E        A -K7- G -K6- E

    beta, gamma, delta and epsilon are the angles of K1, K3, K5 and K7; Theta, Phi and Omega those of K2, K4 and K6
    against the body before them.
    """
    model = Model("andrews")
    k1, k2, k3, k4, k5, k6, k7 = (_bar(model, name) for name in BARS)  # the hinges say where they start
    angles = dict(ANGLES.values())
    hinges = {
        "hinge_O": (model.ground, (0.0, 0.0), k1),
        "hinge_F": (k1, (RR, 0.0), k2),
        "hinge_B": (model.ground, B, k3),
        "hinge_A5": (model.ground, A, k5),
        "hinge_H": (k5, (ZT, 0.0), k4),
        "hinge_A7": (model.ground, A, k7),
        "hinge_G": (k7, (0.0, -U), k6),
    }
    for name, (inner, point, outer) in hinges.items():
        model.add(name, Revolute(inner, outer, place_a=(*point, 0.0), start={"angle": angles[name]}))
    ends = {"K3": (k3, (0.0, -SS)), "K4": (k4, (0.0, -E)), "K6": (k6, (ZF, 0.0))}
    for name, body in CLOSURES.items():
        node, point = ends[body]
        model.add(name, InLine(k2, node, place_a=(-D, 0.0, 0.0), place_b=(*point, 0.0)))
    model.add("motor", Couple(k1, couple=(0.0, 0.0, Parameter("torque", torque, "N m"))))
    model.add(
        "spring",
        Spring(
            model.ground,
            k3,
            place_a=(*C, 0.0),
            place_b=(SD, -SC, 0.0),
            stiffness=Parameter("stiffness", stiffness, "N/m", lower=0.0),
            length=free_length,
        ),
    )
    return model


def _bar(model: Model, name: str) -> Node:
    bar, node = BARS[name], model.node(name)
    model.add(f"{name}_body", Body(node, mass=bar.mass, inertia=bar.moments, com=(*bar.com, 0.0)))
    return node


def angles(results: Results) -> np.ndarray:
    """The seven angles of the test set at every sample, counted on through full turns, shape (n, 7) [rad]."""
    return np.column_stack([np.unwrap([start, *results[f"{hinge}.angle"]])[1:] for hinge, start in ANGLES.values()])


def rates(results: Results) -> np.ndarray:
    """Their rates, shape (n, 7) [rad/s]."""
    return np.column_stack([results[f"{hinge}.angle_rate"] for hinge, _ in ANGLES.values()])


def closure_forces(results: Results) -> np.ndarray:
    """The six multipliers of the test set, shape (n, 6) [N].

    Its equations are M q'' = f - G^T lambda with the closures written as "E on K2 minus E on K3 (K4, K6)": lambda is
    therefore the force, in world axes, that K2 exerts on K3, K4 and K6 at E.
    """
    forces = []
    for joint, body in CLOSURES.items():
        R_WK = results[f"{body}.rotation"].reshape(-1, 3, 3)
        forces.append(np.einsum("nij,nj->ni", R_WK, results[f"{joint}.force"])[:, :2])
    return np.hstack(forces)


ANDREWS = ReadyModel(
    "andrews",
    build,
    "Andrews' squeezer: seven bodies and three closed loops, driven by a couple",
    source="Test Set for IVP Solvers, problem andrews; Hairer and Wanner II, VII.7",
    timeline=Timeline(end=0.03, step=5e-6),
    plot=("hinge_B.angle", "hinge_H.angle", "hinge_A5.angle", "hinge_A7.angle", "hinge_O.angle_rate", "spring.effort"),
)
