"""Linear system between chosen inputs and outputs: x_dot = A x + B u, y = C x + D u."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.analysis.linear import linearise
from samara.analysis.reduction import first_order
from samara.model import Model, ModelError, arguments
from samara.rotations import ad, exp_se3
from samara.solve import Simulation, static
from samara.solve.given import simulation_of
from samara.solve.machine import outputs as run_outputs
from samara.solve.machine import residual, set_time
from samara.solve.measures import chosen
from samara.solve.tangent import multipliers
from samara.system.blocks import POSITION, ROTATION
from samara.system.system import System


@dataclass(frozen=True)
class StateSpace:
    """x_dot = A x + B u, y = C x + D u, for changes about the reference state.

    inputs: names of the `Input` drives. outputs: labels of the channels, one a component ("arm.position.x").
    The states are coordinates that solve the constraints, and their rates: a basis, without a meaning one by one.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    def response(self, frequency: float) -> np.ndarray:
        """C (i frequency - A)^-1 B + D, frequency in rad/s, shape (outputs, inputs), complex."""
        return self.C @ np.linalg.solve(1j * frequency * np.eye(len(self.A)) - self.A, self.B) + self.D

    def to_control(self) -> Any:
        """As a `control.StateSpace`, if that package is there (extra `analysis`); dots in names become underscores."""
        try:
            control = importlib.import_module("control")
        except ImportError:
            raise ImportError("the package 'control' is not installed: pip install samara[analysis]") from None
        # names with dots mean something else there
        names = [label.replace(".", "_") for label in self.outputs]
        return control.ss(self.A, self.B, self.C, self.D, inputs=list(self.inputs), outputs=names)


def state_space(
    model: Model | System | Simulation,
    inputs: str | tuple[str, ...] | list[str] = ("*",),
    outputs: str | tuple[str, ...] | list[str] = ("*",),
) -> StateSpace:
    """Linear system about the present state of a simulation, or about the static equilibrium of a model, stable or not.

    inputs:  names of `Input` drives; all by default. Their rates are taken as zero, as in a run.
    outputs: channel names or patterns ("arm.*").

    A is exact; B, C and D come from differences of fourth order with steps of 1e-3, exact but for rounding (about 1e-11
    of the outputs' size) in whatever is a polynomial up to degree four, and within 1e-12 elsewhere.
    """
    patterns = arguments.outputs("state_space: outputs", outputs)
    sim = simulation_of("state_space", model)
    if sim is not model:
        static(sim, outputs="model.violation", stable=False)
    s = sim.system
    names = _names(sim, inputs)
    channels, columns = chosen(s, patterns)
    lin = linearise(sim)
    n = s.layout.coordinates
    holonomic, rates = multipliers(sim)
    order = n + np.concatenate([holonomic, rates])
    with sim.state.plain():
        sim.state.weigh(1.0, 1.0, 1.0)
        by_input = _input_slopes(sim, names, lambda: _equations(sim))
    loads, held = by_input[:n], by_input[order]
    reduced = first_order(lin, loads, held[: holonomic.size], held[holonomic.size :])
    with sim.state.plain():
        pose, twist, gain, reaction, direct = _output_slopes(sim, names, columns)
    reaction = reaction[:, order - n]
    spins = np.array([ad(x) for x in lin.eta]), np.array([ad(x) for x in lin.acc])
    found = []
    for which in (0, 1):  # by the states, by the inputs
        xi, xi_dot, xi_ddot = reduced.pose[which], reduced.rate[which], reduced.second[which]
        unbalanced = lin.M @ xi_ddot + lin.C @ xi_dot + lin.K @ xi + (loads if which else 0.0)
        lam = -np.linalg.lstsq(lin.reactions, unbalanced, rcond=1e-12)[0] if order.size else np.zeros((0, xi.shape[1]))
        eta = xi_dot + _apply(spins[0], xi)
        acc = xi_ddot + _apply(spins[0], xi_dot) + _apply(spins[1], xi)
        found.append(pose @ xi + twist @ eta + gain @ acc + reaction @ lam)
    labels = tuple(label for c in channels for label in c.labels)
    return StateSpace(reduced.A, reduced.B, found[0], found[1] + direct, names, labels)


def _names(sim: Simulation, inputs) -> tuple[str, ...]:
    known = sim.system.layout.input_index
    wanted = (inputs,) if isinstance(inputs, str) else tuple(inputs)
    if wanted == ("*",):
        return tuple(known)
    for name in wanted:
        if name not in known:
            raise ModelError(f"model {sim.model.name!r} has no input {name!r} (it has: {', '.join(known) or 'none'})")
    return wanted


def _apply(blocks: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Block-diagonal matrix of the nodes times columns; zero for the states."""
    result, nodes = np.zeros_like(x), 6 * len(blocks)
    moved = np.einsum("kij,kjc->kic", blocks, x[:nodes].reshape(len(blocks), 6, -1))
    result[:nodes] = moved.reshape(nodes, -1)
    return result


def _slope(value: Callable[[float], np.ndarray], step: float) -> np.ndarray:
    """Derivative at zero by the difference of fourth order."""
    near = value(step) - value(-step)
    far = value(2.0 * step) - value(-2.0 * step)
    return (8.0 * near - far) / (12.0 * step)


def _equations(sim: Simulation) -> np.ndarray:
    residual(sim.machine)
    return sim.state.equations()


def _input_slopes(sim: Simulation, names: tuple[str, ...], measure: Callable[[], np.ndarray]) -> np.ndarray:
    """Derivatives of something by the inputs alone, poses and motion held: a column an input."""
    s, m = sim.system, sim.machine
    found = [np.zeros((measure().size, 0))]
    time = s.state.time
    for name in names:
        place = s.layout.input_base + s.layout.input_index[name]
        kept = s.state.copy()

        def at(change: float, place: int = place, kept: np.ndarray = kept) -> np.ndarray:
            s.state.restore(kept)
            s.arrays.state[place] += change
            set_time(m, time)
            return measure()

        found.append(_slope(at, 1e-3 * max(1.0, abs(float(kept[place]))))[:, None])
        s.state.restore(kept)
    return np.hstack(found)


def _output_slopes(sim: Simulation, names: tuple[str, ...], columns: np.ndarray):
    """Derivatives of the output columns by poses, twists, accelerations, multipliers and inputs."""
    s = sim.system

    def measure() -> np.ndarray:
        run_outputs(sim.machine)
        return s.arrays.out[columns].copy()

    def by_state(place: int, size: float = 1.0) -> np.ndarray:
        kept = float(s.arrays.state[place])

        def at(change: float) -> np.ndarray:
            s.arrays.state[place] = kept + change
            return measure()

        slope = _slope(at, 1e-3 * max(size, abs(kept)))
        s.arrays.state[place] = kept
        return slope

    def by_pose(node, c: int) -> np.ndarray:
        R, p = s.state.pose(node)
        step = 1e-3 * (sim.length if c < 3 else 1.0)

        def at(change: float) -> np.ndarray:
            dR, dp = exp_se3(change * np.eye(6)[c])
            s.state.write(node, ROTATION, (R @ dR).ravel())
            s.state.write(node, POSITION, p + R @ dp)
            return measure()

        slope = _slope(at, step)
        s.state.write(node, ROTATION, R.ravel())
        s.state.write(node, POSITION, p)
        return slope

    def table(slopes: list[np.ndarray]) -> np.ndarray:
        return np.array(slopes).reshape(-1, columns.size).T

    sizes = [1.0] * (6 * len(s.layout.free)) + list(s.arrays.scale[: len(s.layout.states)])
    pose = table(
        [by_pose(node, c) for node in s.layout.free for c in range(6)]
        + [by_state(int(k), size) for k, size in zip(s.state._values, s.arrays.scale, strict=False)]
    )
    twist, gain = (
        table([by_state(int(k), size) for k, size in zip(places, sizes, strict=True)])
        for places in (s.state._twists, s.state._rates)
    )
    reaction = table([by_state(s.layout.multiplier_base + k) for k in range(s.layout.multiplier_count)])
    return pose, twist, gain, reaction, _input_slopes(sim, names, measure)
