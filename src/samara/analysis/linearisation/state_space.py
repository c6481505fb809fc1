"""Linear system between chosen inputs and outputs: x_dot = A x + B u, y = C x + D u."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara import arguments
from samara.analysis.linearisation.linear import Linearisation, with_dense
from samara.analysis.linearisation.operating_point import at_rest
from samara.analysis.linearisation.time_invariance import steady
from samara.analysis.linearisation.turning_axes import TurningAxes
from samara.arguments import named
from samara.model import Model
from samara.rotations import ad
from samara.solve import Simulation, SolveError
from samara.solve.as_simulation import as_simulation
from samara.solve.linear_systems.first_order import FirstOrder, first_order
from samara.solve.measures import chosen
from samara.solve.mechanism.tangent_space import multipliers
from samara.solve.start.present_loads import as_told
from samara.system.state.tangents import Change, StateLevel
from samara.system.system import System


@dataclass(frozen=True)
class LinearModel:
    """x_dot = A x + B u, y = C x + D u, for changes about the reference state.

    inputs: names of the `Input` drives. outputs: labels of the channels, one a component ("arm.position.x").
    The states are independent coordinates and their rates: a basis without individual physical meaning.
    """

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]

    def response(self, frequency: float) -> np.ndarray:
        """C (i frequency - A)^-1 B + D, frequency in rad/s, shape (outputs, inputs), complex."""
        frequency = arguments.finite("response: frequency", frequency)
        try:
            return self.C @ np.linalg.solve(1j * frequency * np.eye(len(self.A)) - self.A, self.B) + self.D
        except np.linalg.LinAlgError:
            raise SolveError(
                f"response: {frequency:g} rad/s is an undamped eigenvalue: the response is infinite"
            ) from None

    def to_control(self) -> Any:
        """As a `control.StateSpace`, if `control` is installed (extra `analysis`); dots in names become underscores."""
        try:
            control = importlib.import_module("control")
        except ImportError:
            raise ImportError("the package 'control' is not installed: pip install samara[analysis]") from None
        # names with dots mean something else there
        names = [label.replace(".", "_") for label in self.outputs]
        return control.ss(self.A, self.B, self.C, self.D, inputs=list(self.inputs), outputs=names)


LEVELS: tuple[StateLevel, ...] = ("pose", "twist", "acceleration", "multipliers")


def state_space(
    model: Model | System | Simulation,
    inputs: str | tuple[str, ...] | list[str] = ("*",),
    outputs: str | tuple[str, ...] | list[str] = ("*",),
    *,
    frozen: bool = False,
) -> LinearModel:
    """Linear system about the present state of a simulation, or about the static equilibrium of a model, stable or not.

    inputs:  names of `Input` drives; all by default. Their rates are taken as zero, as in a run.
    outputs: channel names or patterns ("arm.*").
    frozen:  uses the equations of this instant even if they vary with time, which is an error otherwise.

    If parts rotate relative to each other, states are expressed in axes in which the equations are constant, as in
    `modes`.
    All four matrices are derived from the trace of the elements (`samara.system.state.tangents`) and are exact except
    for rounding.
    """
    patterns = arguments.outputs("state_space: outputs", outputs)
    sim = as_simulation("state_space", model)
    frozen = arguments.yes_or_no("state_space: frozen", frozen)
    if sim is not model:
        at_rest(sim, frozen)
    with as_told(sim):
        return _about(sim, inputs, patterns, frozen)


def _about(sim: Simulation, inputs, patterns, frozen: bool) -> LinearModel:
    """The system about the present state."""
    names = _names(sim, inputs)
    channels, columns = chosen(sim.system, patterns)
    plant = measured(sim, names, columns, frozen)
    labels = tuple(label for c in channels for label in c.labels)
    return LinearModel(plant.form.A, plant.form.B, plant.C, plant.D, names, labels)


@dataclass(frozen=True)
class LinearPlant:
    """Small motions about the present state due to some inputs, and some measures of them: y = C x + D u.

    form: x_dot = A x + B u, told by `axes`; inputs move nodes by `gaps` at once, through constraints: none as a rule.
    """

    lin: Linearisation
    axes: TurningAxes
    form: FirstOrder
    C: np.ndarray
    D: np.ndarray
    gaps: np.ndarray


def measured(sim: Simulation, names: Sequence[str], columns: np.ndarray, frozen: bool) -> LinearPlant:
    """The linear system from inputs to columns of the output vector."""
    s = sim.system
    lin = with_dense(sim)
    n = s.layout.coordinates
    holonomic, rates = multipliers(sim)
    order = n + np.concatenate([holonomic, rates])
    tangents = s.tangents
    with sim.state.plain():
        sim.state.weigh(1.0, 1.0, 1.0)
        changes = [Change(inputs={name: 1.0}) for name in names]
        by_input = np.array([tangents.residual(change) for change in changes]).reshape(-1, s.unknowns.size).T
        direct = np.array([tangents.outputs(change)[columns] for change in changes]).reshape(-1, columns.size).T
        pose, twist, gain, reaction = (tangents.outputs_by(level, columns) for level in LEVELS)
    loads, held = by_input[:n], by_input[order]
    axes = TurningAxes(lin.eta, lin.R, lin.p) if frozen else steady(sim, lin, first_order)[0]
    seen = first_order(axes.seen(lin), loads, held[: holonomic.size], held[holonomic.size :])
    reduced = axes.own(lin, seen)
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
    return LinearPlant(lin, axes, reduced, found[0], found[1] + direct, held)


def _names(sim: Simulation, inputs) -> tuple[str, ...]:
    known = sim.system.layout.input_index
    none = isinstance(inputs, (list, tuple)) and not inputs
    wanted = () if none else arguments.names("state_space: inputs", inputs, "name some, or give ()")
    if wanted == ("*",):
        return tuple(known)
    for name in wanted:
        named(f"model {sim.model.name!r}", "input", name, known)
    return wanted


def _apply(blocks: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Block-diagonal matrix of the nodes times columns; zero for the states."""
    result, nodes = np.zeros_like(x), 6 * len(blocks)
    if nodes:
        moved = np.einsum("kij,kjc->kic", blocks, x[:nodes].reshape(len(blocks), 6, -1))
        result[:nodes] = moved.reshape(nodes, -1)
    return result
