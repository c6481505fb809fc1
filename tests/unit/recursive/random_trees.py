"""Random trees, as models of ours and as models of Pinocchio, from one description."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samara import Body, Clamp, Cylindrical, Model, Placement, Prismatic, Revolute, Spherical, Universal
from samara.rotations import exp_so3

JOINTS = {
    "revolute": Revolute,
    "prismatic": Prismatic,
    "cylindrical": Cylindrical,
    "universal": Universal,
    "spherical": Spherical,
    "clamp": Clamp,
}
GRAVITY = (0.3, -1.2, -9.5)


@dataclass
class Member:
    """A body, the joint it hangs on, and the frames of that."""

    parent: int  # -1: the ground
    kind: str  # of JOINTS, or "free"
    near: Placement
    far: Placement
    mass: float
    com: np.ndarray
    inertia: np.ndarray
    turned: bool  # whether the joint is described from the outside in


def placement(rng: np.random.Generator) -> Placement:
    """Anywhere."""
    return Placement(rng.normal(size=3) * 0.4, exp_so3(rng.normal(size=3)))


def random_tree(
    rng: np.random.Generator, size: int, free: bool, kinds: tuple[str, ...] = tuple(JOINTS)
) -> list[Member]:
    """A tree of that many bodies; free: whether its first one floats."""
    members: list[Member] = []
    branch: list[int] = []  # Pinocchio wants a branch to be complete before the next begins
    for k in range(size):
        points = rng.normal(size=(6, 3)) * 0.2  # the inertia of six points is that of a body
        centred = points - points.mean(axis=0)
        inertia = sum(np.dot(x, x) * np.eye(3) - np.outer(x, x) for x in centred) * 0.3
        branch = branch[: int(rng.integers(int(free and k > 0), len(branch) + 1))]
        parent = branch[-1] if branch else -1
        branch.append(k)
        kind = "free" if free and k == 0 else str(rng.choice(kinds))
        if kind == "clamp" and parent < 0:
            kind = "revolute"
        members.append(
            Member(
                parent,
                kind,
                placement(rng),
                placement(rng),
                rng.uniform(0.5, 3.0),
                points.mean(axis=0),
                inertia,
                bool(rng.random() < 0.3) and kind != "free",
            )
        )
    return members


def samara_model(members: list[Member]) -> Model:
    """Nodes are where all coordinates are zero."""
    model = Model("random-tree", gravity=GRAVITY)
    nodes = []
    for k, member in enumerate(members):
        mother = model.ground if member.parent < 0 else nodes[member.parent]
        place = Placement() if member.kind == "free" else mother.place @ member.near @ member.far.inverse()
        node = model.node(f"body_{k}", place.position, rotation=place.rotation)
        model.add(f"mass_{k}", Body(node, mass=member.mass, com=member.com, inertia=member.inertia))
        if member.kind != "free":
            joint = JOINTS[member.kind]
            frames = {"place_a": member.near, "place_b": member.far}
            if member.turned:
                frames = {"place_a": member.far, "place_b": member.near}
            model.add(f"joint_{k}", joint(*((node, mother) if member.turned else (mother, node)), **frames))
        nodes.append(node)
    return model


class PinocchioTwin:
    """The same tree in Pinocchio, and its numbers from ours."""

    def __init__(self, members: list[Member], names: list[str], speed_names: list[str]) -> None:
        import pinocchio as pin

        self.pin, self.members = pin, members
        self.model = pin.Model()
        self.model.gravity.linear = np.array(GRAVITY)
        self.names, self.speed_names = names, speed_names
        joints: list[int] = []
        frames = []  # pose of each body's node in the frame of its joint
        for k, member in enumerate(members):
            mother, carried = (
                (0, pin.SE3.Identity()) if member.parent < 0 else (joints[member.parent], frames[member.parent])
            )
            at = carried * _se3(pin, member.near)
            node = _se3(pin, member.far.inverse())
            if member.kind == "clamp":
                joints.append(mother)
                frames.append(at * node)
            else:
                if member.kind == "free":
                    at, node = pin.SE3.Identity(), pin.SE3.Identity()
                joints.append(self.model.addJoint(mother, self._joint(member), at, f"joint_{k}"))
                frames.append(node)
            inertia = pin.Inertia(member.mass, member.com, member.inertia)
            self.model.appendBodyToJoint(joints[-1], inertia, frames[-1])
        self.data = self.model.createData()
        self.joints, self.frames = joints, frames

    def _joint(self, member: Member):
        pin = self.pin
        if member.kind == "revolute":
            return pin.JointModelRZ()
        if member.kind == "prismatic":
            return pin.JointModelPZ()
        if member.kind == "spherical":
            return pin.JointModelSpherical()
        if member.kind == "free":
            return pin.JointModelFreeFlyer()
        parts = {"cylindrical": (pin.JointModelPZ, pin.JointModelRZ), "universal": (pin.JointModelRX, pin.JointModelRY)}
        joint = pin.JointModelComposite()
        for part in parts[member.kind][:: -1 if member.turned else 1]:
            joint.addJoint(part())
        return joint

    def coordinates(self, q: np.ndarray) -> np.ndarray:
        """Its q from ours."""
        given = dict(zip(self.names, q, strict=True))
        found = self.pin.neutral(self.model)
        for k, member in enumerate(self.members):
            if member.kind == "clamp":
                continue
            i = self.model.idx_qs[self.joints[k]]
            if member.kind == "free":
                found[i : i + 3] = [given[f"body_{k}.position.{c}"] for c in "xyz"]
                found[i + 3 : i + 7] = [given[f"body_{k}.rotation.{c}"] for c in "xyzw"]
            elif member.kind == "spherical":
                found[i : i + 4] = [given[f"joint_{k}.rotation.{c}"] for c in "xyzw"]
            else:
                own = [(-1.0 if member.turned else 1.0) * given[f"joint_{k}.{c}"] for c in self._scalars(member)]
                found[i : i + len(own)] = own
        return found

    @staticmethod
    def _scalars(member: Member) -> list[str]:
        names = {
            "revolute": ["angle"],
            "prismatic": ["displacement"],
            "cylindrical": ["displacement", "angle"],
            "universal": ["angle_a", "angle_b"],
        }[member.kind]
        return names[::-1] if member.turned else names

    def speed_map(self, q: np.ndarray) -> np.ndarray:
        """The matrix A of its speeds v = A s from ours, at a configuration."""
        where = {name: k for k, name in enumerate(self.speed_names)}
        A = np.zeros((self.model.nv, len(where)))
        given = dict(zip(self.names, q, strict=True))
        for k, member in enumerate(self.members):
            if member.kind == "clamp":
                continue
            i = self.model.idx_vs[self.joints[k]]
            if member.kind == "free":
                w, x, y, z = (given[f"body_{k}.rotation.{c}"] for c in "wxyz")
                R = self.pin.Quaternion(w, x, y, z).toRotationMatrix()
                A[i : i + 3, [where[f"body_{k}.position.{c}_rate"] for c in "xyz"]] = R.T
                A[i + 3 : i + 6, [where[f"body_{k}.angular_velocity.{c}"] for c in "xyz"]] = np.eye(3)
            elif member.kind == "spherical":
                A[i : i + 3, [where[f"joint_{k}.angular_velocity.{c}"] for c in "xyz"]] = np.eye(3)
            else:
                for j, c in enumerate(self._scalars(member)):
                    A[i + j, where[f"joint_{k}.{c}_rate"]] = -1.0 if member.turned else 1.0
        return A

    def speed_map_rate(self, q: np.ndarray, s: np.ndarray) -> np.ndarray:
        """A_dot s: a velocity that is constant in world axes turns in body axes."""
        v = self.speed_map(q) @ s
        found = np.zeros(self.model.nv)
        for k, member in enumerate(self.members):
            if member.kind == "free":
                i = self.model.idx_vs[self.joints[k]]
                found[i : i + 3] = -np.cross(v[i + 3 : i + 6], v[i : i + 3])
        return found


def _se3(pin, place: Placement):
    return pin.SE3(np.array(place.rotation), np.array(place.position))
