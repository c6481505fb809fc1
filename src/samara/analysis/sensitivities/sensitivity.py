"""Parameter sensitivities: exact derivatives of equilibria and of their modes, by the direct method.

In balance, at rest or in steady rotation, the equations r(x, p) = 0 hold, so that a parameter moves the state by

    (J_p + J_t ad(eta)) dx/dp = -dr/dp,       delta eta = ad(eta) xi

and a measure by its own derivatives along (dx/dp, p). Every derivative comes from the trace
(`samara.system.state.tangents`). For eigenvalues see `analysis.sensitivities.mode_sensitivity`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import bmat, csc_matrix, csr_matrix, diags
from scipy.sparse.linalg import splu

from samara import arguments
from samara.analysis.linearisation.linear import along
from samara.analysis.modal.modes import Modes
from samara.analysis.trim import Trim
from samara.arguments import named
from samara.model import ArgumentError
from samara.results import Channels
from samara.solve import Simulation, SingularModel, SolveError
from samara.solve.as_simulation import require_simulation
from samara.solve.linear.culprits import require_finite
from samara.solve.measures import chosen
from samara.solve.mechanism.at_rest import at_rest, reactions
from samara.solve.mechanism.tangent_space import multipliers
from samara.solve.report.diagnosis import owner
from samara.system.state.tangents import Change

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Correction of the state, in sizes of the mechanism, rad and scales of states, above which it is not in balance.
UNBALANCED = 1e-6
#: Part of the forces that is left along a motion that nothing resists: rounding.
LOOSE = 1e-14


@dataclass(frozen=True)
class Sensitivities:
    """Derivatives of measures or eigenvalues by parameters.

    values:     a row per quantity, a column per parameter, in the unit of the one over that of the other; complex for
                eigenvalues [rad/s]. Of eigenvalues that coincide, those of the branches into which a parameter parts
                them, in no order. Not a number where there is none: of rigid motions, of critically damped ones, of
                `model.violation`.
    quantities: labels of the rows; nominal: their values.
    parameters: names of the columns; sizes: their values.
    """

    values: np.ndarray
    quantities: tuple[str, ...]
    parameters: tuple[str, ...]
    nominal: np.ndarray
    sizes: np.ndarray

    def __getitem__(self, which: tuple[str, str]) -> Any:
        """sensitivities["tip.position.z", "stiffness"]"""
        if not isinstance(which, tuple) or len(which) != 2:
            raise KeyError(f"give a quantity and a parameter, as [{self.quantities[0]!r}, {self.parameters[0]!r}]")
        quantity, parameter = which
        for what, name, known in (("quantity", quantity, self.quantities), ("parameter", parameter, self.parameters)):
            if name not in known:
                raise KeyError(f"no {what} {name!r}; there are: {', '.join(known)}")
        return self.values[self.quantities.index(quantity), self.parameters.index(parameter)]

    @property
    def relative(self) -> np.ndarray:
        """Percent of change of each quantity for one percent of each parameter; not a number where one is zero."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.values * self.sizes / self.nominal[:, None]

    def __str__(self) -> str:
        width = max([12, *map(len, self.quantities)])
        lines = [" " * width + "".join(f"  d/d {name:<16.16s}" for name in self.parameters)]
        for label, row in zip(self.quantities, self.values, strict=True):
            lines.append(f"{label:<{width}s}" + "".join(f"  {value:<20.6g}" for value in row))
        return "\n".join(lines)

    def plot(self, title: str | None = None) -> Figure:
        """Bars of the relative sensitivities, by their size."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7.0, 1.2 + 0.3 * self.values.size), layout="constrained")
        axes = figure.add_subplot()
        names = [f"{q} by {p}" for q in self.quantities for p in self.parameters]
        sizes = np.nan_to_num(np.abs(self.relative)).ravel()
        order = np.argsort(sizes)
        axes.barh([names[k] for k in order], sizes[order])
        axes.set_xlabel("change of the quantity for 1 % of the parameter [%]")
        axes.set_title(title or "sensitivities", wrap=True)
        return figure


def sensitivity(
    of: Simulation | Modes | Trim,
    parameters: str | tuple[str, ...] | list[str] = ("*",),
    outputs: str | tuple[str, ...] | list[str] = ("*",),
) -> Sensitivities:
    """Exact derivatives by named parameters and inputs, at the present solution, without further runs.

    of:         a `Simulation` in balance, as `static` or `steady_rotation` leave it: derivatives of its measures. Or
                what `modes` gave: derivatives of the eigenvalues, of the state in which they were found. Or what
                `trim` gave: derivatives of the controls, with the targets held.
    parameters: names of parameters or inputs; all parameters by default.
    outputs:    channel names or patterns, of measures.

    Each parameter costs one solution with existing factors, not a run. For runs in time, see
    `transient_sensitivity`.
    """
    if isinstance(of, Trim):
        from samara.analysis.sensitivities.trim_sensitivity import trim_sensitivity

        return trim_sensitivity(of, parameters)
    if isinstance(of, Modes):
        from samara.analysis.sensitivities.mode_sensitivity import mode_sensitivity

        if of.sampled:
            raise ArgumentError(
                "sensitivity: derivatives of modes with sampled laws are not available: compute modes "
                "for other parameter values and take differences"
            )
        if of.origin is None:
            raise ArgumentError("sensitivity: these modes were computed from matrices only: give modes(simulation)")
        if outputs not in ("*", ("*",), ["*"]):
            raise ArgumentError("sensitivity: outputs are of equilibria; of modes the eigenvalues are differentiated")
        origin = of.origin
        sim = origin.simulation
        sim.claim()
        if not np.array_equal(origin.parameters, sim.system.parameters.values()):
            raise SolveError(
                f"sensitivity: parameters of model {sim.model.name!r} have changed since these modes "
                f"were found: compute them again"
            )
        if not origin.own:
            raise SolveError(
                f"sensitivity: parts of model {sim.model.name!r} turn against each other, and its modes are told in "
                "axes of neither all of them: derivatives are known about rest and about a rotation of the whole; "
                "call modes(...) with values of the parameter on both sides"
            )
        with sim.state.kept():
            sim.state.restore(origin.state)
            sim.state.renew_drives(origin.time)
            return mode_sensitivity(sim, of, given_names("sensitivity", sim, parameters))
    sim = require_simulation("sensitivity", of)
    names = given_names("sensitivity", sim, parameters)
    channels, columns = chosen(sim.system, arguments.outputs("sensitivity: outputs", outputs))
    with sim.state.plain():
        sim.state.renew_drives()  # inputs may have changed
        found = [sim.system.tangents.outputs(change)[columns] for _, change in moved(sim, names)]
        nominal = sim.state.outputs()[columns]
    values = np.where(unknown_columns(channels)[:, None], np.nan, np.array(found).reshape(-1, columns.size).T)
    return Sensitivities(values, channels.labels, names, nominal, sizes_of(sim, names))


def unknown_columns(channels: Channels) -> np.ndarray:
    """Which columns have no derivative: the violation is a largest magnitude."""
    return np.array([channel.name == "model.violation" for channel in channels for _ in channel.labels], dtype=bool)


def given_names(who: str, sim: Simulation, parameters: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Names of parameters and inputs, checked; `who` asks, in errors."""
    if not isinstance(parameters, str) and not (
        isinstance(parameters, Iterable) and all(isinstance(name, str) for name in parameters)
    ):
        raise ArgumentError(f"{who}: parameters must be a name, or several in a list, got {parameters!r}")
    wanted = (parameters,) if isinstance(parameters, str) else tuple(dict.fromkeys(parameters))
    if not wanted:
        raise ArgumentError(f"{who}: no parameters are named: name at least one, or omit the argument for all")
    known, inputs = sim.system.parameters.named, sim.system.layout.input_index
    if wanted == ("*",):
        wanted = tuple(known)
    for name in wanted:
        named(f"model {sim.model.name!r}", "parameter or input", name, (*known, *inputs))
    if not wanted:
        raise ArgumentError(f"{who}: model {sim.model.name!r} has no parameters: replace a number of it by a Parameter")
    return wanted


def given_change(sim: Simulation, name: str) -> Change:
    """A unit of a parameter or of an input."""
    return Change(parameters={name: 1.0}) if name in sim.system.parameters.named else Change(inputs={name: 1.0})


def sizes_of(sim: Simulation, names: tuple[str, ...]) -> np.ndarray:
    """Values of parameters and inputs."""
    s = sim.system
    inputs = s.layout.input_index
    return np.array(
        [float(s.parameters.named[n].value) if n in s.parameters.named else s.state.inputs[inputs[n]] for n in names]
    )


def moved(sim: Simulation, names: tuple[str, ...]) -> Iterator[tuple[str, Change]]:
    """What each parameter does to the state in balance. The state is plain."""
    s, n = sim.system, sim.system.layout.coordinates
    nodes, eta = 6 * len(s.layout.free), s.state.twists
    if not np.any(eta[:nodes]):
        yield from _moved_at_rest(sim, names)
        return
    turning = along(eta[:nodes].reshape(-1, 6), s.unknowns.size)
    by_pose, by_twist = (sim.jacobian(pose, twist, 0.0) for pose, twist in ((1.0, 0.0), (0.0, 1.0)))
    held = np.ones(s.unknowns.size)
    held[n + multipliers(sim)[0]] = 0.0  # constraints of poses do not follow twists
    neutral = np.zeros(s.unknowns.size)
    neutral[: eta.size] = eta / (np.linalg.norm(eta) or 1.0)
    solve = _solver(sim, csc_matrix(by_pose + diags(held) @ by_twist @ turning), neutral)
    s.state.weigh(1.0, 0.0, 0.0)
    loads = float((abs(by_pose)[:, n:] @ np.abs(s.state.multipliers)).max(initial=0.0))
    _require_balance(sim, solve, loads, s.state.residual())
    for name in names:
        change = given_change(sim, name)
        x = -solve(s.tangents.residual(change), name)
        found = replace(change, pose=x[:n], twist=(turning @ x)[:n], multipliers=x[n:])
        if _changes_speed(sim, found):
            raise _not_followed(sim, name)
        yield name, found


def _moved_at_rest(sim: Simulation, names: tuple[str, ...]) -> Iterator[tuple[str, Change]]:
    """The same at rest, where what ties rates ties changes of the pose (`samara.solve.mechanism.at_rest`)."""
    s, n, rest, locks = sim.system, sim.system.layout.coordinates, at_rest(sim), reactions(sim)
    solve = _solver(sim, csc_matrix(rest.matrix), np.zeros(s.unknowns.size))
    loads = float((abs(rest.matrix)[:, n:] @ np.abs(s.state.multipliers)).max(initial=0.0))
    _require_balance(sim, solve, loads, rest.rows)
    ties = np.concatenate([n + multipliers(sim)[1], locks])
    for name in names:
        change = given_change(sim, name)
        s.state.weigh(0.0, 1.0, 0.0)
        told = s.tangents.jacobian(change) if ties.size or rest.sums.shape[0] else csr_matrix((s.unknowns.size,) * 2)
        if np.abs(told[ties].data).max(initial=0.0) or np.abs((rest.sums @ told)[:, :n].data).max(initial=0.0) > 0.0:
            raise SolveError(
                f"model {sim.model.name!r}: {name!r} changes what ties rates, or what is stored, since the start: find "
                "its effect by static(...) with another value of it, or name the others"
            )
        s.state.weigh(1.0, 0.0, 0.0)
        rows = s.tangents.residual(change)
        rows[ties] = 0.0
        over = rest.sums @ rows
        if np.abs(over).max(initial=0.0) > 1e-9 * np.abs(rows).max(initial=0.0):
            raise _not_followed(sim, name)
        x = -solve(rows - rest.sums.T @ over, name)
        pose, twist = x[:n].copy(), np.zeros(n)
        twist[locks], pose[locks] = pose[locks], 0.0
        yield name, replace(change, pose=pose, twist=twist, multipliers=x[n:])


def _changes_speed(sim: Simulation, change: Change) -> bool:
    """Whether joints or prescribed nodes ask for another speed than that of the steady rotation."""
    slips = np.abs(sim.system.tangents.level("velocity", change)).max(initial=0.0)
    held = np.abs(sim.system.tangents.prescribed_twists()).max(initial=0.0)
    assert change.twist is not None
    return bool(max(slips, held) > 1e-6 * np.abs(change.twist).max(initial=0.0))


def _solver(sim: Simulation, J: csc_matrix, neutral: np.ndarray):
    """rows, name -> x with J x = rows; along a motion that nothing resists, a rotation as a whole, x is zero.

    What nothing carries is an error that says so by name, if it is more than rounding of the rows and of other loads.
    """
    require_finite(sim.system, J.data, sim.time)
    free = neutral.any() and np.abs(J @ neutral).max() <= 1e-9 * (abs(J) @ np.abs(neutral)).max()
    seed, sizes = np.random.default_rng(0), abs(J).max(axis=1).toarray()
    if free:  # one more equation, x along the neutral motion is zero, and one more unknown, a load that nothing carries
        load = seed.normal(size=sizes.shape) * np.where(sizes > 0.0, sizes, sizes.mean())
        J = csc_matrix(bmat([[J, csc_matrix(load)], [csc_matrix(neutral) * sizes.max(), None]]))
    try:
        factors = splu(J)
        loose = factors.solve(seed.normal(size=J.shape[0]) * abs(J).max(axis=1).toarray()[:, 0])
    except RuntimeError:
        raise _free_to_move(sim, "something") from None
    if np.abs(J @ loose).max() <= LOOSE * (abs(J) @ np.abs(loose)).max():
        raise _free_to_move(sim, owner(sim, int(np.argmax(np.abs(loose[: neutral.size])))))

    def solve(rows: np.ndarray) -> np.ndarray:
        return factors.solve(np.append(rows, np.zeros(J.shape[0] - rows.size)))

    def found(rows: np.ndarray, name: str, loads: float = 0.0) -> np.ndarray:
        x = solve(rows)
        left = np.abs((J @ x)[: rows.size] - rows) if not free else np.abs(x[-1] * load[:, 0])
        if not left.max(initial=0.0) <= 1e-6 * max(np.abs(rows).max(initial=0.0), loads, 1e-300):
            raise _not_followed(sim, name)
        return x[: rows.size]

    return found


def _free_to_move(sim: Simulation, what: str) -> SingularModel:
    return SingularModel(
        f"model {sim.model.name!r}: {what} is free to move without resistance, so that no state in balance follows a "
        "parameter: hold it, or give it a stiffness"
    )


def _not_followed(sim: Simulation, name: str) -> SolveError:
    return SolveError(
        f"model {sim.model.name!r}: no state in balance near this one follows {name!r}: it changes the speed of the "
        "rotation itself, or what is free to turn; name the others"
    )


def _require_balance(sim: Simulation, solve, loads: float, rows: np.ndarray) -> None:
    """Refuses a state that would move; loads: that its joints carry; rows: what is left of the equations."""
    unbalanced = SolveError(
        f"model {sim.model.name!r} is not in balance: call static(simulation) or steady_rotation(simulation, speed) "
        "before sensitivity(simulation), or transient_sensitivity for a run in time"
    )
    try:
        x = solve(rows, "", loads) if rows.any() else rows
    except SolveError:
        raise unbalanced from None
    nodes, n = 6 * len(sim.system.layout.free), sim.system.layout.coordinates
    weight = np.concatenate([np.tile([1.0 / sim.length] * 3 + [1.0] * 3, nodes // 6), 1.0 / sim.state.scales])
    if np.abs(x[:n] * weight).max(initial=0.0) > UNBALANCED or np.any(sim.state.accelerations):
        raise unbalanced
