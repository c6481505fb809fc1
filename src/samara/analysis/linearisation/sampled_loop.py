"""Small motions of a model with sampled laws: from just before a cycle of samples to just before the next.

Between samples the answers h are held, and with the plant's x_dot = A x + B h exactly

    x(t + T) = e^(A T) x + (integral of e^(A s) ds over T) B h

At a sample instant the laws are called in the order of the model, as in a run (`solve.laws.samples`),

    u = C x + D' h' + D h,     h_i = O m + P u,     m_i becomes N m + Q u

h': what was held until then, which accelerations and reactions are known with; h: what is held now, answers of laws
before this one among it: what algebraic blocks hand on at once. N, O, P, Q are tangents of the traced laws. Laws of
several sample times take their turns until all come together.

Source: Franklin, Powell and Workman, Digital Control of Dynamic Systems, 1998, sections 4.3 and 8.6.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from scipy.linalg import expm

from samara.analysis.linearisation.linear import split
from samara.analysis.linearisation.state_space import LinearPlant, measured
from samara.blocks.traced import TracedLaw
from samara.model import ArgumentError
from samara.solve import Simulation, SolveError
from samara.solve.laws.samples import ANSWERS, INPUTS, told_by
from samara.solve.sampling import law_arrays, relay_state
from samara.system.state.tangents import Change

#: Instants within a cycle of all laws, at most.
MOST_INSTANTS = 1000
#: Rounding of sample times, of each other; of what is held at once and before, of both together.
SAME_TIME, ROUNDING = 1e-9, 1e-10
#: Part by which an answer may move a mass at once, of what moves the most: rounding.
MOVED_AT_ONCE = 1e-9
#: What of a law's memory is out of reach or out of sight, of its size: rounding.
OUT_OF_REACH = 1e-9
#: Change at a sample at rest, of the numbers' size, to be borne.
AT_REST = 1e-6


@dataclass(frozen=True)
class SampledLoop:
    """Small motions z = (x, h, m): of the plant, what is held, memories of laws.

    cycle:  from z before a sample of all laws to z before the next, `period` [s] later. held: from z to the same just
            after the sample. instants: how many samples there are within a cycle.
    plant:  between samples. constant: names of laws that answer a constant there, whatever goes in.
    """

    plant: LinearPlant
    cycle: np.ndarray
    held: np.ndarray
    period: float
    instants: int
    constant: tuple[str, ...]


@dataclass(frozen=True)
class _Law:
    """A law with what of its memory can be reached and seen; places of its inputs and answers; instants apart.

    answers: the first ones, to what would go in now, of a law that was never called.
    """

    name: str
    N: np.ndarray
    Q: np.ndarray
    O: np.ndarray
    P: np.ndarray
    u: slice
    y: slice
    every: int
    answers: np.ndarray


def sampled_loop(who: str, sim: Simulation, frozen: bool, resting: bool) -> SampledLoop:
    """Small motions about the present state, laws as after their last sample.

    resting: refuses laws that would not leave it as it is.
    """
    told, s = told_by(sim.system), sim.machine.samples
    base, every = _instants(who, sim, [law.period for law in told.values()])
    found = []
    for k, (name, law) in enumerate(told.items()):
        native = law.native()
        if not isinstance(native, TracedLaw):
            raise ArgumentError(
                f"{who}: the law of element {name!r} of model {sim.model.name!r} is not a traced block, "
                f"so it cannot be linearised: use a Block, such as PID(...) or StateSpace(...), or identify damping "
                f"from a run (matrix_pencil, moving_block)"
            )
        u, y = (slice(row[of], row[of] + row[of + 1]) for row, of in ((s.laws[k], INPUTS), (s.laws[k], ANSWERS)))
        found.append(_law(sim, name, native, u, y, every[k]))
    if resting:
        _require_rest(who, sim, found)
    names = [source.name for law in told.values() for source in law.held]
    plant = measured(sim, names, s.columns, frozen)
    _require_continuity(who, sim, plant, found)
    now = _at_once(sim, names)
    before = plant.D - now
    before[np.abs(before) <= ROUNDING * (np.abs(plant.D) + np.abs(now))] = 0.0
    cycle, held = _cycle(plant, now, before, found, base)
    constant = tuple(law.name for law in found if not law.O.any() and not law.P.any())
    return SampledLoop(plant, cycle, held, base * math.lcm(*every), math.lcm(*every), constant)


def _instants(who: str, sim: Simulation, periods: list[float]) -> tuple[float, list[int]]:
    """Time between instants [s] at which some law may be called, and how many of them are between two of each."""
    ratios = [Fraction(period / periods[0]).limit_denominator(MOST_INSTANTS) for period in periods]
    parts = math.lcm(*(ratio.denominator for ratio in ratios))
    every = [int(ratio * parts) for ratio in ratios]
    alike = all(n and math.isclose(n / parts * periods[0], p, rel_tol=SAME_TIME) for n, p in zip(every, periods))
    if not alike or math.lcm(*every) > MOST_INSTANTS:
        raise ArgumentError(
            f"{who}: the laws of model {sim.model.name!r} sample every "
            f"{', '.join(f'{p:g}' for p in periods)} s, which coincide only after more than {MOST_INSTANTS} "
            f"instants, or never: choose sample times that are small integer multiples of each other"
        )
    return periods[0] / parts, every


def _law(sim: Simulation, name: str, law: TracedLaw, u: slice, y: slice, every: int) -> _Law:
    """Tangents as after the last sample; before the first, where it has settled to what would go in now."""
    arrays = None if sim.sampling is None else law_arrays(sim, name)
    if arrays is None:
        now = sim.state.outputs()[sim.machine.samples.columns[u]]
        memory, answers = law.settled(now)
    else:
        _, memory, now = arrays
        answers = np.zeros((0, y.stop - y.start))
    at = law.tangents(memory, now)
    count = u.stop - u.start
    N, Q, O = at.N, at.Q[:, :count], at.O
    reached = _reached(N, Q)
    N, Q, O = reached.T @ N @ reached, reached.T @ Q, O @ reached
    seen = _reached(N.T, O.T)
    return _Law(name, seen.T @ N @ seen, seen.T @ Q, O @ seen, at.P[:, :count], u, y, every, answers)


def _reached(N: np.ndarray, Q: np.ndarray) -> np.ndarray:
    """Orthonormal basis of the span of Q, N Q, N^2 Q, ..."""
    size = np.abs(N).max(initial=0.0) or 1.0
    basis, new = np.zeros((len(N), 0)), Q
    while new.size and basis.shape[1] < len(N):
        scale = np.abs(new).max(axis=0, initial=0.0)
        new = new[:, scale > 0.0] / scale[scale > 0.0]
        for _ in range(2):
            new = new - basis @ (basis.T @ new)
        left, sigma, _ = np.linalg.svd(new, full_matrices=False)
        new = left[:, sigma > OUT_OF_REACH]
        new[np.abs(new) < 1e-14] = 0.0
        basis = np.hstack([basis, new])
        new = N @ new / size
    return basis


def _require_rest(who: str, sim: Simulation, laws: list[_Law]) -> None:
    """Refuses a state of rest that laws would leave at their next sample."""
    y = sim.machine.state[sim.machine.samples.held]
    for law in laws:
        held = y[law.y]
        if (np.abs(law.answers - held) > AT_REST * (1.0 + np.abs(held))).any():
            raise SolveError(
                f"{who}: model {sim.model.name!r} does not rest where it is without its sampled laws, as the law of "
                f"{law.name!r} answers something else there: let it settle, transient(sim, ...), and pass that "
                "simulation; where laws and equations are linear, modes(model, frozen=True) is the same"
            )


def _require_continuity(who: str, sim: Simulation, plant: LinearPlant, laws: list[_Law]) -> None:
    """Refuses answers that move what has mass at once."""
    mass = np.abs(plant.lin.M)
    for moved in (plant.form.pose[1], plant.form.rate[1]):
        size = mass @ np.full(len(mass), 1.0) * np.abs(moved).max(initial=0.0)
        jumps = (np.abs(plant.lin.M @ moved) > MOVED_AT_ONCE * size[:, None]).any(axis=0)
        for law in laws:
            if jumps[law.y].any():
                raise ArgumentError(
                    f"{who}: the answer of {law.name!r} of model {sim.model.name!r} moves a mass "
                    f"instantaneously, through a joint or a driven position: insert a Lag or a servo with a state"
                )


def _at_once(sim: Simulation, names: list[str]) -> np.ndarray:
    """What goes into the laws by what is held, with all that a run does not find anew at a sample as it is."""
    s, samples = sim.system, sim.machine.samples
    n, first = s.layout.coordinates, 6 * len(s.layout.free)
    states, rates = relay_state(sim)
    places = first + states
    tangents, found = s.tangents, np.zeros((samples.columns.size, len(names)))
    with sim.state.plain(), sim.state.tied_by_rates():
        by_pose, by_twist, _ = (x[places].toarray()[:, places] for x in split(sim))
        slopes = np.where(rates, by_twist, by_pose)
        for k, name in enumerate(names):
            asked = tangents.residual(Change(inputs={name: 1.0}))[places]
            moved = -np.linalg.solve(slopes, asked)
            pose, twist = np.zeros(n), np.zeros(n)
            pose[places[~rates]], twist[places[rates]] = moved[~rates], moved[rates]
            change = Change(pose=pose, twist=twist, inputs={name: 1.0})
            found[:, k] = tangents.outputs(change)[samples.columns]
    direct = np.flatnonzero(samples.direct >= 0)
    found[direct] = 0.0
    found[direct, samples.direct[direct]] = 1.0
    return found


def _cycle(
    plant: LinearPlant, now: np.ndarray, before: np.ndarray, laws: list[_Law], base: float
) -> tuple[np.ndarray, np.ndarray]:
    """z before the next cycle by z before this one; z just after the first sample by the same."""
    n, held = plant.form.B.shape
    starts = n + held + np.cumsum([0, *(len(law.N) for law in laws)])
    size = int(starts[-1])
    x, h = slice(0, n), slice(n, n + held)
    both = expm(base * np.block([[plant.form.A, plant.form.B], [np.zeros((held, n + held))]]))
    z, after = np.eye(size), None
    for instant in range(math.lcm(*(law.every for law in laws))):
        old = z[h].copy()
        for k, law in enumerate(laws):
            if instant % law.every:
                continue
            u = plant.C[law.u] @ z[x] + before[law.u] @ old + now[law.u] @ z[h]
            m = slice(starts[k], starts[k + 1])
            answer = law.O @ z[m] + law.P @ u
            z[m] = law.N @ z[m] + law.Q @ u
            z[n + law.y.start : n + law.y.stop] = answer
        after = z.copy() if after is None else after
        z[x] = both[:n] @ z[: n + held]
    assert after is not None
    return z, after
