"""What parameters do to results: exact derivatives of equilibria and of their modes, by the direct method.

In balance, at rest or in steady rotation, the equations r(x, p) = 0 hold, so that a parameter moves the state by

    (J_p + J_t ad(eta)) dx/dp = -dr/dp,       delta eta = ad(eta) xi

and a measure by its own derivatives along (dx/dp, p). An eigenvalue s of the small motions about it,

    P(s) phi = 0,   psi^H P(s) = 0,   P(s) = J_p + J_t (s + ad(eta)) + J_a (s^2 + s ad(eta) + ad(eta_dot))

moves by ds/dp = -psi^H (dP/dp) phi / psi^H (dP/ds) phi, where P follows the parameter and the state. Where several
eigenvalues coincide, Phi and Psi have as many columns, and the branches move by the eigenvalues of

    -(Psi^H (dP/ds) Phi)^-1 Psi^H (dP/dp) Phi .

Every derivative comes from the trace (`samara.system.tangents`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import bmat, csc_matrix, csr_matrix, diags
from scipy.sparse.linalg import splu

from samara.analysis.linear import along, split
from samara.analysis.modal import Modes
from samara.analysis.trim import Trim
from samara.model import ArgumentError, ModelError, arguments
from samara.solve import Simulation, SingularModel, SolveError
from samara.solve.given import require_simulation
from samara.solve.measures import chosen
from samara.solve.tangent import multipliers
from samara.system.tangents import Change

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Correction of the pose, in sizes of the mechanism and rad, above which a state is not in balance.
UNBALANCED = 1e-6
#: How far an eigenvalue is moved off to find its vectors, as a part of itself; within how much others coincide with it.
OFF, CLOSE = 1e-7, 1e-6
#: An eigenvalue below this part of the largest is that of a rigid motion, which has no derivative: it is not a number.
RIGID = 1e-5


@dataclass(frozen=True)
class Sensitivities:
    """Derivatives of measures or eigenvalues by parameters.

    values:     a row per quantity, a column per parameter, in the unit of the one over that of the other; complex for
                eigenvalues [rad/s]. Of eigenvalues that coincide, those of the branches into which a parameter parts
                them, in no order; of rigid motions, not a number.
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
        axes.set_title(title or "sensitivities")
        return figure


def sensitivity(
    of: Simulation | Modes | Trim,
    parameters: str | tuple[str, ...] | list[str] = ("*",),
    outputs: str | tuple[str, ...] | list[str] = ("*",),
) -> Sensitivities:
    """Exact derivatives by named parameters and inputs, at the state that was found; nothing is run again.

    of:         a `Simulation` in balance, as `static` or `steady_rotation` leave it: derivatives of its measures. Or
                what `modes` gave: derivatives of the eigenvalues, of the state in which they were found. Or what
                `trim` gave: derivatives of the controls, with the targets held.
    parameters: names of parameters or inputs; all parameters by default.
    outputs:    channel names or patterns, of measures.

    Each parameter costs one solution with factors that are there, not a run. For runs in time, see
    `transient_sensitivity`.
    """
    if isinstance(of, Trim):
        from samara.analysis.trim_sensitivity import trim_sensitivity

        return trim_sensitivity(of, parameters)
    if isinstance(of, Modes):
        if of.origin is None:
            raise ArgumentError("sensitivity: these modes come from matrices alone: give modes(simulation)")
        sim, state, then = of.origin
        sim.claim()
        if not np.array_equal(then, sim.system.parameters.values()):
            raise SolveError(
                f"sensitivity: parameters of model {sim.model.name!r} have changed since these modes were found: find "
                "them again"
            )
        with sim.state.kept():
            sim.state.restore(state)
            return _of_modes(sim, of, given_names(sim, parameters))
    sim = require_simulation("sensitivity", of)
    names = given_names(sim, parameters)
    channels, columns = chosen(sim.system, arguments.outputs("sensitivity: outputs", outputs))
    labels = tuple(label for c in channels for label in c.labels)
    with sim.state.plain():
        found = [sim.system.tangents.outputs(change)[columns] for _, change in _moved(sim, names)]
        nominal = sim.state.outputs()[columns]
    return Sensitivities(np.array(found).reshape(-1, columns.size).T, labels, names, nominal, sizes_of(sim, names))


def given_names(sim: Simulation, parameters: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Names of parameters and inputs, checked."""
    wanted = (parameters,) if isinstance(parameters, str) else tuple(parameters)
    known, inputs = sim.system.parameters.named, sim.system.layout.input_index
    if wanted == ("*",):
        wanted = tuple(known)
    for name in wanted:
        if name not in known and name not in inputs:
            names = ", ".join([*known, *inputs]) or "none"
            raise ModelError(f"model {sim.model.name!r} has no parameter or input {name!r} (it has: {names})")
    if not wanted:
        raise ArgumentError(
            f"sensitivity: model {sim.model.name!r} has no named parameters: let a Parameter stand for one"
        )
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


def _moved(sim: Simulation, names: tuple[str, ...]) -> Iterator[tuple[str, Change]]:
    """What each parameter does to the state in balance. The state is plain."""
    s, n = sim.system, sim.system.layout.coordinates
    nodes, eta = 6 * len(s.layout.free), s.state.twists
    turning = along(eta[:nodes].reshape(-1, 6), s.unknowns.size)
    moving = float(np.any(eta[:nodes]))
    by_pose, by_twist = (sim.jacobian(pose, twist, 0.0, moving) for pose, twist in ((1.0, 0.0), (0.0, 1.0)))
    held = np.ones(s.unknowns.size)
    held[n + multipliers(sim)[0]] = 0.0  # constraints of poses do not follow twists
    neutral = np.zeros(s.unknowns.size)
    neutral[: eta.size] = eta / (np.linalg.norm(eta) or 1.0)
    solve = _solver(sim, csc_matrix(by_pose + diags(held) @ by_twist @ turning), neutral)
    s.state.weigh(1.0, 0.0, 0.0, moving)
    _require_balance(sim, solve)
    for name in names:
        change = given_change(sim, name)
        x = -solve(s.tangents.residual(change), name)
        yield name, replace(change, pose=x[:n], twist=(turning @ x)[:n], multipliers=x[n:])


def _solver(sim: Simulation, J: csc_matrix, neutral: np.ndarray):
    """rows, name -> x with J x = rows; along a motion that nothing resists, a rotation as a whole, x is zero."""
    sim.check_finite(J.data)
    free = neutral.any() and np.abs(J @ neutral).max() <= 1e-9 * (abs(J) @ np.abs(neutral)).max()
    edge = csc_matrix(neutral[:, None] * np.abs(J.data).max(initial=1.0))
    try:
        factors = splu(csc_matrix(bmat([[J, edge], [edge.T, None]])) if free else J)
    except RuntimeError:
        raise SingularModel(
            f"model {sim.model.name!r}: something is free to move without resistance, so that no state in balance "
            "follows a parameter: hold it, or give it a stiffness"
        ) from None

    def solve(rows: np.ndarray) -> np.ndarray:
        return factors.solve(np.append(rows, 0.0))[:-1] if free else factors.solve(rows)

    def found(rows: np.ndarray, name: str) -> np.ndarray:
        x = solve(rows)
        left = np.abs(J @ x - rows).max(initial=0.0)
        if not left <= 1e-6 * max(np.abs(rows).max(initial=0.0), 1e-300):
            raise SolveError(
                f"model {sim.model.name!r}: no state in balance near this one follows {name!r}: it changes the speed "
                "of the rotation itself, or what is free to turn"
            )
        return x

    return found


def _require_balance(sim: Simulation, solve) -> None:
    rows = sim.state.residual()
    x = solve(rows, "the loads") if rows.any() else rows
    nodes = 6 * len(sim.system.layout.free)
    weight = np.tile([1.0 / sim.length] * 3 + [1.0] * 3, nodes // 6)
    if np.abs(x[:nodes] * weight).max(initial=0.0) > UNBALANCED or np.any(sim.state.accelerations):
        raise SolveError(
            f"model {sim.model.name!r} is not in balance: call static(simulation) or steady_rotation(simulation, "
            "speed) before sensitivity(simulation), or transient_sensitivity for a run in time"
        )


# ---- eigenvalues
def _of_modes(sim: Simulation, found: Modes, names: tuple[str, ...]) -> Sensitivities:
    values = np.full((len(found), len(names)), np.nan, complex)
    with sim.state.plain():
        pencil = _Pencil(sim)
        clusters = _clusters(found.eigenvalues)
        pairs = [pencil.vectors(found.eigenvalues[rows].mean(), rows) for rows in clusters]
        for j, (_, change) in enumerate(_moved(sim, names)):
            slopes = pencil.along(change)
            for rows, (right, left) in zip(clusters, pairs, strict=True):
                values[rows, j] = -pencil.rates(slopes, found.eigenvalues[rows].mean(), right, left)
    labels = tuple(f"mode {k}" for k in range(1, len(found) + 1))
    return Sensitivities(values, labels, names, found.eigenvalues, sizes_of(sim, names))


def _clusters(eigenvalues: np.ndarray) -> list[list[int]]:
    """Numbers of eigenvalues that coincide; rigid motions are left out."""
    sizes, found = np.abs(eigenvalues), list[list[int]]()
    for k in np.flatnonzero(sizes > RIGID * sizes.max(initial=0.0)):
        near = [c for c in found if abs(eigenvalues[c[0]] - eigenvalues[k]) <= CLOSE * sizes[k]]
        near[0].append(int(k)) if near else found.append([int(k)])
    return found


class _Pencil:
    """P(s) of all equations and unknowns, as J_p, J_t, J_a and ad(eta), ad(eta_dot); and how it changes."""

    def __init__(self, sim: Simulation) -> None:
        s = self.system = sim.system
        self.n, self.nodes = s.layout.coordinates, 6 * len(s.layout.free)
        self.parts = split(sim)
        self.spin, self.gain = (self._ad(x) for x in (s.state.twists, s.state.accelerations))
        rows, columns = np.ones(s.unknowns.size), np.ones(s.unknowns.size)
        rows[self.n + multipliers(sim)[0]] = 0.0
        columns[self.n :] = 0.0
        self._rows, self._columns = diags(rows), diags(columns)

    def _ad(self, twists: np.ndarray) -> csr_matrix:
        """ad of the nodes' twists, for all unknowns."""
        return along(twists[: self.nodes].reshape(-1, 6), self.system.unknowns.size)

    def at(self, s: complex) -> csr_matrix:
        by_pose, by_twist, by_acceleration = self.parts
        one = self._columns
        return csr_matrix(
            by_pose + by_twist @ (s * one + self.spin) + by_acceleration @ (s * s * one + s * self.spin + self.gain)
        )

    def slope(self, s: complex) -> csr_matrix:
        """dP/ds."""
        _, by_twist, by_acceleration = self.parts
        return csr_matrix(by_twist @ self._columns + by_acceleration @ (2.0 * s * self._columns + self.spin))

    def vectors(self, s: complex, modes: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """Right and left null vectors of P(s), multipliers included, a column per mode.

        They are those of P(s_0)^-1 P'(s_0), near its eigenvalues 1 / (s_0 - s), by inverse iteration from s_0 beside s.
        One more is looked at, so that none that coincides with them is left out.
        """
        start = (1.0 + OFF) * s
        lu, slope = splu(csc_matrix(self.at(start), dtype=complex)), self.slope(start)
        right, off = _invariant(lambda x: lu.solve(slope @ x), len(modes) + 1, slope.shape[0])
        left, _ = _invariant(lambda x: lu.solve(slope.conj().T @ x, trans="H"), len(modes) + 1, slope.shape[0])
        if (np.abs(off * (start - s) - 1.0) <= 10.0 * CLOSE * np.abs(off * s)).sum() != len(modes):
            which = ", ".join(f"{k + 1}" for k in modes)
            raise SolveError(
                f"model {self.system.model.name!r}: mode {which} coincides with another one that was not found: ask "
                "modes(...) for more, or for all"
            )
        return right[:, : len(modes)], left[:, : len(modes)]

    def along(self, change: Change) -> tuple[csr_matrix, csr_matrix, csr_matrix, csr_matrix]:
        """Changes of the three parts, and of ad(eta); twists stay constant in time."""
        s, found = self.system, []
        for weights in np.eye(3):
            with s.state.weighed(*weights):
                found.append(s.tangents.jacobian(change))
        pose, twist, gain = found
        spin = self._ad(np.zeros(self.n) if change.twist is None else change.twist)
        return pose, self._rows @ twist @ self._columns, self._rows @ gain @ self._columns, spin

    def rates(self, slopes, s: complex, right: np.ndarray, left: np.ndarray) -> np.ndarray:
        """Eigenvalues of (Psi^H (dP/ds) Phi)^-1 Psi^H (dP/dp) Phi."""
        pose, twist, gain, spin = slopes
        _, by_twist, by_acceleration = self.parts
        first = s * (self._columns @ right) + self.spin @ right
        second = s * s * (self._columns @ right) + s * (self.spin @ right) + self.gain @ right
        total = pose @ right + twist @ first + gain @ second
        total += by_twist @ (spin @ right) + by_acceleration @ (s * (spin @ right))
        return np.linalg.eigvals(np.linalg.solve(left.conj().T @ self.slope(s) @ right, left.conj().T @ total))


def _invariant(apply, count: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Vectors of an operator's largest eigenvalues, by iteration on a block; those too, largest first."""
    block = np.random.default_rng(0).normal(size=(size, count)) + 0j
    for _ in range(4):
        block = np.linalg.qr(apply(block))[0]
    values, turned = np.linalg.eig(block.conj().T @ apply(block))
    order = np.argsort(-np.abs(values))
    return block @ turned[:, order], values[order]
