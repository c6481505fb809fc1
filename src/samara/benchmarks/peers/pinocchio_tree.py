"""The trees of the benchmark in Pinocchio: articulated bodies, called from Python, and in batches inside it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pinocchio as pin

from samara.benchmarks.cases.trees import TreeSpec
from samara.model import Placement

VERSION = pin.__version__


def build(spec: TreeSpec) -> pin.Model:
    """The tree with its fastest kinds of joints: about coordinate axes."""
    model = pin.Model()
    model.gravity.linear = np.array(spec.gravity)
    joints: list[int] = []
    for link in spec.links:
        parent, carried = (0, Placement()) if link.parent < 0 else (joints[link.parent], spec.links[link.parent].far)
        if link.free:
            at, node, joint = Placement(), Placement(), pin.JointModelFreeFlyer()
        else:
            at, node, joint = carried.inverse() @ link.near, link.far.inverse(), pin.JointModelRZ()
        joints.append(model.addJoint(parent, joint, _se3(at), link.name))
        model.appendBodyToJoint(joints[-1], pin.Inertia(link.mass, link.com, link.inertia), _se3(node))
    return model


def _se3(place: Placement) -> pin.SE3:
    return pin.SE3(np.array(place.rotation), np.array(place.position))


class PinocchioTree:
    """Forward dynamics of a tree for a batch of states in the description's coordinates."""

    def __init__(self, spec: TreeSpec, states: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
        self.spec, self.model = spec, build(spec)
        self.data = self.model.createData()
        self._speeds = states[1]
        self._turns = [pin.Quaternion(*_base(spec, q)).toRotationMatrix() for q in states[0]]
        made = [self._own(R, *state) for R, *state in zip(self._turns, *states, strict=True)]
        self.q, self.v, self.efforts = (np.array(values) for values in zip(*made, strict=True))

    def _own(self, R: np.ndarray, q: np.ndarray, s: np.ndarray, efforts: np.ndarray) -> tuple[np.ndarray, ...]:
        """Its coordinates, speeds and efforts: those of the base are in its own axes, quaternions end in w."""
        q, s, efforts = q.copy(), s.copy(), efforts.copy()
        at = _first_free(self.spec)
        if at is not None:
            q[at[0] + 3 : at[0] + 7] = np.roll(q[at[0] + 3 : at[0] + 7], -1)
            for values in (s, efforts):
                values[at[1] : at[1] + 3] = R.T @ values[at[1] : at[1] + 3]
        return q, s, efforts

    def accelerations(self) -> np.ndarray:
        """Rates of the description's speeds, shape (states, speeds), by single calls."""
        found = np.array(
            [pin.aba(self.model, self.data, *state) for state in zip(self.q, self.v, self.efforts, strict=True)]
        )
        at = _first_free(self.spec)
        if at is not None:
            i = at[1]
            for R, v, a in zip(self._turns, self.v, found, strict=True):
                a[i : i + 3] = R @ (a[i : i + 3] + np.cross(v[i + 3 : i + 6], v[i : i + 3]))
        return found

    def from_python(self) -> Callable[[], np.ndarray]:
        """One call of `pin.aba` as a user makes it."""
        model, data, q, v, efforts = self.model, self.data, self.q[0], self.v[0], self.efforts[0]
        return lambda: pin.aba(model, data, q, v, efforts)

    def binding(self) -> Callable[[], np.ndarray]:
        """The same call for a single hinge, whose dynamics take next to nothing: the way from Python and back."""
        model = pin.Model()
        model.appendBodyToJoint(
            model.addJoint(0, pin.JointModelRZ(), pin.SE3.Identity(), "hinge"), pin.Inertia.Random(), pin.SE3.Identity()
        )
        data, one = model.createData(), np.zeros(1)
        return lambda: pin.aba(model, data, one, one, one)

    def loop(self, count: int) -> Callable[[], None]:
        """Evaluates the batch repeatedly inside the library, on one thread."""
        pool = pin.ModelPool(self.model, 1)
        q, v, efforts = (np.asfortranarray(np.tile(values, (count, 1)).T) for values in (self.q, self.v, self.efforts))
        result = np.zeros_like(v)
        return lambda: pin.abaInParallel(1, pool, q, v, efforts, result)


def _first_free(spec: TreeSpec) -> tuple[int, int] | None:
    """Where coordinates and speeds of the base that floats begin; there is one at most, the first body."""
    return (0, 0) if spec.links[0].free else None


def _base(spec: TreeSpec, q: np.ndarray) -> np.ndarray:
    return q[3:7] if spec.links[0].free else np.array([1.0, 0.0, 0.0, 0.0])


TREE = PinocchioTree
