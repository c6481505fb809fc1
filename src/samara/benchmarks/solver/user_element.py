"""What an element of a user's own costs, beside a built-in one: the magnetic spring of the guide against `Spring`.

Both join the same nodes in the same positions, and only their own kernels run: residual and Jacobian of all instances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numba import njit

from samara.benchmarks.rows import Row, interleave, ratio
from samara.elements.bodies.body import Body
from samara.elements.families import Coupling
from samara.elements.springs.spring import Spring
from samara.model import Element, Model, Node, number
from samara.rotations import norm
from samara.solve import Simulation
from samara.solve.native.kernels import JACOBIAN, RESIDUAL, run_kinds

INSTANCES = 400
"""Elements of each kind: enough to fill all lanes, few enough to stay in the cache of a core."""
TURNS = 50
"""Evaluations in one native call, so that the call itself does not count."""


class MagneticSpring(Coupling):
    """Two magnetic dipoles in line: they repel with F = strength / distance^4 [N]."""

    strength: float = number(unit="N m^4", positive=True)

    def coordinates(self, a, b):
        return [norm(b.p - a.p)]

    def effort(self, q, q_rate):
        return [-self.strength / q[0] ** 4]

    def potential(self, q):
        return self.strength / (3 * q[0] ** 3)


def user_element(repeats: int = 7) -> Iterator[Row]:
    """Nanoseconds an instance of both, and their ratio."""
    calls = {
        "user": _evaluation(lambda a, b: MagneticSpring(a, b, strength=0.02)),
        "built-in": _evaluation(lambda a, b: Spring(a, b, stiffness=100.0)),
    }
    timings = interleave(calls, repeats=5 * repeats, warmup=2)
    each = {name: timing.median * 1e9 / (TURNS * INSTANCES) for name, timing in timings.items()}
    case, what = "user-element", f"residual and Jacobian, {INSTANCES} instances, kernels alone"
    yield Row(case, "ns_per_instance", each["user"], "ns", "", f"magnetic spring of the guide: {what}")
    yield Row(case, "builtin_ns_per_instance", each["built-in"], "ns", "", f"Spring: {what}")
    note = "magnetic spring over Spring, run in turn; Spring has a damper as well"
    yield Row(case, "cost_vs_builtin", ratio(timings["user"], timings["built-in"]), "x", "about 1", note)


def _evaluation(make: Callable[[Node, Node], Element]) -> Callable[[], None]:
    """A call that evaluates residual and Jacobian of all instances of an element, `TURNS` times."""
    model = Model("user element")
    rng = np.random.default_rng(0)
    nodes = [model.node(f"n{k}", position=(k, *rng.uniform(-0.3, 0.3, 2))) for k in range(INSTANCES + 1)]
    for k, node in enumerate(nodes):
        model.add(f"body{k}", Body(node, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    for k in range(INSTANCES):
        model.add(f"element{k}", make(nodes[k], nodes[k + 1]))
    kind = type(model.elements["element0"]).__name__
    sim = Simulation(model)
    sim.analyse_for(1e-3)
    which = [k for k, group in enumerate(sim.system.groups) if group.kind.name == kind]
    program = np.ascontiguousarray(sim.system.program[which])
    alone = sim.machine._replace(plan=sim.machine.plan._replace(program=program))

    def evaluate() -> None:
        _turns(alone, sim.v, TURNS)  # through `sim` everything stays alive that the kernels point at

    return evaluate


@njit(nogil=True)
def _turns(m, v, count):
    for _ in range(count):
        run_kinds(m, m.plan.program, RESIDUAL, m.scratch.res.ctypes.data, m.scratch.res.ctypes.data)
        run_kinds(m, m.plan.program, JACOBIAN, m.scratch.res.ctypes.data, v.ctypes.data)
