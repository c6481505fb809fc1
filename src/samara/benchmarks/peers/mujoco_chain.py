"""The benchmark chain in MuJoCo: minimal coordinates, explicit steps, all of it in C."""

import mujoco
import numpy as np

from samara.benchmarks.cases.chain import ChainSpec
from samara.benchmarks.peers.peer_run import PeerRun
from samara.benchmarks.rows import cpu_time_per_call

NOTES = {
    "RK4": (
        "minimal coordinates, explicit RK4 (4 evaluations per step): no constraint equations in a tree; "
        "closed loops would be soft constraints; no stiff part at this step"
    ),
    "implicitfast": (
        "minimal coordinates, semi-implicit Euler of order 1, implicit in damping only (none here): "
        "the usual setting for control and learning; closed loops would be soft constraints"
    ),
}


def build(spec: ChainSpec, step: float, integrator: str) -> mujoco.MjModel:
    """The chain as nested bodies, with what it does not need (contact, limits, sensors) switched off."""
    model = mujoco.MjSpec()
    model.option.timestep = step
    model.option.gravity = np.array(spec.gravity)
    model.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
    off = mujoco.mjtDisableBit
    model.option.disableflags = off.mjDSBL_CONSTRAINT | off.mjDSBL_CONTACT | off.mjDSBL_SENSOR | off.mjDSBL_ACTUATION
    parent = model.worldbody
    for k in range(spec.links):
        parent = parent.add_body(name=f"link{k}", pos=[spec.length if k > 0 else 0.0, 0.0, 0.0])
        parent.mass, parent.ipos, parent.inertia, parent.explicitinertial = (
            spec.mass,
            spec.centre,
            spec.inertia,
            True,
        )
        parent.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=spec.axis(k))
    return model.compile()


def run(
    spec: ChainSpec,
    step: float | None = None,
    duration: float | None = None,
    integrator: str = "RK4",
    repeats: int = 5,
) -> PeerRun:
    """Step the chain with `integrator`, "RK4" or "implicitfast"; the loop over the steps is in C."""
    if integrator not in NOTES:
        raise ValueError(f"integrator must be one of {', '.join(NOTES)}, got {integrator!r}")
    h = spec.step if step is None else step
    steps = spec.steps(h, duration)
    model = build(spec, h, integrator)
    data = mujoco.MjData(model)

    timing = cpu_time_per_call(
        lambda _: mujoco.mj_step(model, data, nstep=steps),
        setup=lambda: mujoco.mj_resetData(model, data),
        repeats=repeats,
        warmup=0,
    ).scaled(1e6 / steps)
    mujoco.mj_kinematics(model, data)
    R_WL = data.xmat[1:].reshape(-1, 3, 3)
    ends = data.xpos[1:] + spec.length * R_WL[:, :, 0]
    return PeerRun(f"mujoco {integrator}", mujoco.__version__, timing.median, ends[-1], NOTES[integrator], ends)
