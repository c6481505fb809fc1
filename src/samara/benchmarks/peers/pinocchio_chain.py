"""The benchmark chain in Pinocchio: minimal coordinates, articulated bodies, classical Runge-Kutta."""

from collections.abc import Callable

import numpy as np
import pinocchio as pin

from samara.benchmarks.cases.chain import ChainSpec, Vector
from samara.benchmarks.peers.peer_run import PeerRun
from samara.benchmarks.rows import interleave

NOTE = (
    "minimal coordinates, explicit RK4 (4 evaluations of ABA a step): trees only, "
    "no closed loop without constraints, no stiff part at this step; "
)
BATCH = 256
"""States in one call of the batch: enough to make the call itself cheap and to be seen by the clock."""


def build(spec: ChainSpec) -> pin.Model:
    """The chain as a Pinocchio model: joint k turns about y or z at the inner end of link k."""
    model = pin.Model()
    model.gravity.linear = np.array(spec.gravity)
    inertia = pin.Inertia(spec.mass, spec.centre, np.diag(spec.inertia))
    parent = 0
    for k in range(spec.links):
        joint = pin.JointModelRY() if k % 2 == 0 else pin.JointModelRZ()
        offset = np.array([spec.length if k > 0 else 0.0, 0.0, 0.0])
        parent = model.addJoint(parent, joint, pin.SE3(np.eye(3), offset), f"hinge {k}")
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    return model


def accelerations(spec: ChainSpec) -> Callable[[Vector, Vector], Vector]:
    """v_dot(q, v) by Pinocchio's articulated body algorithm, for the cross-check of the reference."""
    model = build(spec)
    data = model.createData()
    torque = np.zeros(spec.links)
    return lambda q, v: pin.aba(model, data, q, v, torque).copy()


def run(spec: ChainSpec, step: float | None = None, duration: float | None = None, repeats: int = 5) -> PeerRun:
    """Integrate the chain by RK4 with a fixed step.

    The loop is Python, which is no fault of Pinocchio. So `us_per_step` is four times the cost of one ABA,
    measured inside the library: a batch of states in one call on one thread. It leaves out the additions of
    RK4 and flatters slightly. `wrapping_us` is what the Python loop cost on top.
    """
    h = spec.step if step is None else step
    steps = spec.steps(h, duration)
    model = build(spec)
    data = model.createData()
    torque = np.zeros(spec.links)
    final = np.zeros((2, spec.links))

    def slope(q: Vector, v: Vector) -> Vector:
        return pin.aba(model, data, q, v, torque).copy()

    def integrate() -> None:
        q, v = np.zeros(spec.links), np.zeros(spec.links)
        for _ in range(steps):
            a1 = slope(q, v)
            v2 = v + (0.5 * h) * a1
            a2 = slope(q + (0.5 * h) * v, v2)
            v3 = v + (0.5 * h) * a2
            a3 = slope(q + (0.5 * h) * v2, v3)
            v4 = v + h * a3
            a4 = slope(q + h * v3, v4)
            q = q + (h / 6.0) * (v + 2.0 * v2 + 2.0 * v3 + v4)
            v = v + (h / 6.0) * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
        final[0], final[1] = q, v

    timings = interleave({"loop": integrate, "batch": _batch_of_aba(model)}, repeats=repeats)
    loop = timings["loop"].median * 1e6 / steps
    inside = 4.0 * timings["batch"].median * 1e6 / BATCH
    pin.forwardKinematics(model, data, final[0])
    ends = np.array([data.oMi[k + 1].act(np.array([spec.length, 0.0, 0.0])) for k in range(spec.links)])
    note = NOTE + f"time is 4 ABA measured inside the library, the Python loop took {loop:.0f} us per step"
    return PeerRun("pinocchio", pin.__version__, inside, ends[-1], note, ends, wrapping_us=max(0.0, loop - inside))


def _batch_of_aba(model: pin.Model) -> Callable[[], object]:
    """A call that evaluates ABA for BATCH states inside the library, on one thread."""
    pool = pin.ModelPool(model, 1)
    rng = np.random.default_rng(1)
    q, v = (np.asfortranarray(rng.standard_normal((model.nv, BATCH))) for _ in range(2))
    torque, result = np.zeros_like(v), np.zeros_like(v)
    return lambda: pin.abaInParallel(1, pool, q, v, torque, result)
