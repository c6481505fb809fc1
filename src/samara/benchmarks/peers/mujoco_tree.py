"""The trees of the benchmark in MuJoCo: forward dynamics in a native loop, and runs by its own loop over steps."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from numba import njit

from samara.benchmarks.cases.trees import TreeSpec
from samara.rotations import quaternion_from_rotation

VERSION = mujoco.__version__


def build(spec: TreeSpec, integrator: str = "Euler", step: float = 1e-3) -> mujoco.MjModel:
    """The tree as nested bodies, with what it does not need (contact, constraints, sensors, actuators) switched off."""
    model = mujoco.MjSpec()
    model.option.timestep = step
    model.option.gravity = np.array(spec.gravity)
    model.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
    off = mujoco.mjtDisableBit
    model.option.disableflags = (
        off.mjDSBL_CONSTRAINT | off.mjDSBL_CONTACT | off.mjDSBL_SENSOR | off.mjDSBL_ACTUATION | off.mjDSBL_AUTORESET
    )
    bodies: list[mujoco.MjsBody] = []
    for link in spec.links:
        parent = model.worldbody if link.parent < 0 else bodies[link.parent]
        place = link.at_zero
        body = parent.add_body(name=link.name, pos=place.position, quat=quaternion_from_rotation(place.rotation))
        J = link.inertia
        body.mass, body.ipos, body.explicitinertial = link.mass, link.com, True
        if np.count_nonzero(J - np.diag(np.diagonal(J))):
            body.fullinertia = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
        else:
            body.inertia = np.diagonal(J)
        if link.free:
            body.add_joint(type=mujoco.mjtJoint.mjJNT_FREE)
        else:
            joint = body.add_joint(
                type=mujoco.mjtJoint.mjJNT_HINGE, axis=link.far.rotation[:, 2], pos=link.far.position
            )
            joint.stiffness, joint.damping = _law(joint.stiffness, link.stiffness), _law(joint.damping, link.damping)
        bodies.append(body)
    return model.compile()


def _law(old: Any, value: float) -> Any:
    """A linear law: one number, or, since version 4, the first coefficient of a polynomial."""
    return value if np.ndim(old) == 0 else np.array([value] + [0.0] * (np.size(old) - 1))


@njit(nogil=True)
def _forward_often(function, model, data, inputs, batch, count):
    q, v, efforts = inputs
    for _ in range(count):
        for k in range(len(batch[0])):
            q[:], v[:], efforts[:] = batch[0][k], batch[1][k], batch[2][k]
            function(model, data)


class MujocoTree:
    """Forward dynamics of a tree for a batch of states in the description's coordinates, which are MuJoCo's own."""

    def __init__(self, spec: TreeSpec, states: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
        self.states, self.model = states, build(spec)
        self.data = mujoco.MjData(self.model)

    def _set(self, k: int) -> None:
        self.data.qpos[:], self.data.qvel[:], self.data.qfrc_applied[:] = (values[k] for values in self.states)

    def accelerations(self) -> np.ndarray:
        """Rates of the speeds, shape (states, speeds), by single calls."""
        found = []
        for k in range(len(self.states[0])):
            self._set(k)
            mujoco.mj_forward(self.model, self.data)
            found.append(self.data.qacc.copy())
        return np.array(found)

    def from_python(self) -> Callable[[], None]:
        """One call of `mj_forward` as a user makes it."""
        self._set(0)
        return partial(mujoco.mj_forward, self.model, self.data)

    def loop(self, count: int) -> Callable[[], None]:
        """Evaluates the batch repeatedly, calling the library's function from native code."""
        function = _library().mj_forward
        function.argtypes, function.restype = [ctypes.c_int64, ctypes.c_int64], None
        inputs = (self.data.qpos, self.data.qvel, self.data.qfrc_applied)
        return partial(_forward_often, function, self.model._address, self.data._address, inputs, self.states, count)


def _library() -> ctypes.CDLL:
    """The library that the package itself has loaded."""
    (path,) = Path(mujoco.__file__).parent.glob("*mujoco*.so.*")
    return ctypes.CDLL(str(path))


class MujocoRun:
    """A tree in motion; the loop over the steps is in C."""

    def __init__(self, spec: TreeSpec, integrator: str) -> None:
        self.spec, self.model = spec, build(spec, integrator)
        self.data = mujoco.MjData(self.model)

    def fresh(self) -> None:
        """Returns to the initial state."""
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:], self.data.qvel[:] = self.spec.start()

    def advance(self, step: float, steps: int) -> None:
        """Takes this many steps [s]."""
        self.model.opt.timestep = step
        mujoco.mj_step(self.model, self.data, nstep=steps)

    @property
    def coordinates(self) -> np.ndarray:
        """Current q."""
        return self.data.qpos.copy()


TREE = MujocoTree
