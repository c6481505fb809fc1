"""Floquet theory: stability of small motions about a periodic motion.

Over a period T small motions are multiplied by Phi (`analysis.periodic_motion.transition`). The eigenvalues mu of Phi
are the characteristic multipliers, and s = ln(mu) / T the exponents: a mode is exp(s t) times a periodic function, and
grows if |mu| > 1. If the blades of a rotor are identical, they change places after 1 / N of a turn, and Phi over that
time is sufficient: the motion of the rotor as a whole then repeats.

The imaginary part of a logarithm is determined up to multiples of 2 pi / T. Samara selects the multiple at which the
shape itself initially moves, in non-rotating axes and in multiblade coordinates:

    Im s near Im <eta, eta_dot> / <eta, eta>

which is exact if these have constant coefficients. Source of the theory: Peters and Hohenemser, Journal of the
American Helicopter Society 16(2), 1971; of the exchange of blades: Peters, Fast Floquet theory and trim for
multi-bladed rotorcraft, ibid. 39(4), 1994.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linear_sum_assignment

from samara.analysis.modal.modes import Modes
from samara.analysis.modal.participation import describe
from samara.analysis.modal.rigid_body_modes import WHOLE, each_once, takes_no_time
from samara.analysis.periodic_motion.periodic import Periodic, exchangeable, periodic, require_repeating, whole_steps
from samara.analysis.periodic_motion.shooting import shoot
from samara.analysis.periodic_motion.smoothness import require_smooth
from samara.analysis.periodic_motion.transition import Transition, largest, scales, transition
from samara.analysis.rotors.coleman import transformation
from samara.arguments import finite, positive, whole, yes_or_no
from samara.blas import one_thread
from samara.model import ArgumentError, Model
from samara.scene.outline import outline
from samara.scene.scene import scene_of
from samara.solve import Simulation, SolveError, transient
from samara.solve.linear_systems.null_spaces import null_space
from samara.system.system import System

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Change of the motion over a period, up to which its multipliers mean something.
PERIODIC = 1e-4
#: Periods that are granted to find it.
PERIODS = 200
#: Multiplier below which a mode has died out within the time that was looked at.
GONE = 1e-6
#: Multiplier of a mode that lasts; what of it may not come home as itself before that is an error, and of one that does
#: not last before it is left out.
LASTS, ASTRAY, LOST = 0.05, 1e-2, 0.1
#: Multiplier beside which others cannot be told from rounding.
HUGE = 1e6
#: Growth within the time that was looked at, which cannot be told from none: see `solve.tangent.transition.LEFT`.
GROWN = 2e-5
#: Distance from one below which a multiplier is one.
NEUTRAL = 1e-6
#: By how much an exponent may change with half the step to be taken for the same, of its size and of 1 / T.
SAME = 0.3
#: Distance of exponents that are none of the same mode [rad/s].
UNLIKE = 1e9
#: Product of exponent and step up to which the step resolves a mode.
RESOLVED = 0.5
#: Part of what the step adds to a rate of growth that may be left when it was taken out: a seventh of numerical
#: damping, of third order, which an error of second order is taken for.
LEFT = 0.2
#: What there is one of for each mode.
PER_MODE = ("eigenvalues", "shapes", "state_shapes", "rigid", "multipliers", "errors", "numerical", "twists")


@dataclass(frozen=True, repr=False)
class Floquet(Modes):
    """Floquet modes of a periodic motion, least stable first.

    eigenvalues: exponents s [rad/s], with the branch as in `samara.analysis.modal.floquet`; Im s >= 0.
    multipliers: mu over `duration` [s], a period, or the fraction of it after which identical blades change places.
    exchanged:   number of blades that change places within it; 1: none.
    residual:    change of the state over a period; errors: relative residual of each mode.
    numerical:   error of the exponents due to the time step, if requested; it is then subtracted from them. nan if it
                 cannot be determined: those exponents are the ones for half the step.
    twists:      the modes' changes of twists and of rates of states, with the scaling of the shapes.
    left_out:    exponents of motions that decay to a millionth within the duration: too fast to be resolved.
    simulation:  in the motion, at the instant of the shapes.
    """

    multipliers: np.ndarray = field(default_factory=lambda: np.zeros(0))
    duration: float = 0.0
    exchanged: int = 1
    residual: float = 0.0
    errors: np.ndarray = field(default_factory=lambda: np.zeros(0), repr=False)
    numerical: np.ndarray | None = None
    twists: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)), repr=False)
    left_out: int = 0
    simulation: Simulation | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        if not self.left_out:
            return super().__str__()
        one, fastest = self.left_out == 1, -np.log(GONE) / self.duration
        return (
            f"{super().__str__()}\n{self.left_out} exponent{'' if one else 's'} faster than {fastest:.3g} 1/s "
            f"{'is' if one else 'are'} left out: what dies out within {self.duration:.4g} s cannot be told"
        )

    def disturb(self, mode: int = 0, size: float = 1e-3) -> Simulation:
        """Displaces the simulation's present state along a mode, if it is still where the mode was found; returns it.

        size: of the largest displacement, or rotation times the size of the mechanism [m]. A subsequent run shows the
        growth or decay of the mode.
        """
        k, sim, size = self.number(mode), self.simulation, finite("disturb: size", size)
        if sim is None or self._moved_on(sim):
            raise SolveError("disturb: the simulation has advanced since these modes were found: compute them again")
        sim.claim()
        pose = size * np.concatenate([self.shapes[k].ravel(), self.state_shapes[k]]).real
        twists = sim.state.twists + sim.state.carried + size * self.twists[k].real  # against the world
        sim.state.move(pose)
        sim.state.twists = twists - sim.state.carried  # whose components turn with the nodes
        return sim

    def _moved_on(self, sim: Simulation) -> bool:
        now = sim.system.state
        far = np.abs(now.positions - self.p).max(initial=0.0) / sim.length
        return bool(max(far, np.abs(now.rotations - self.R).max(initial=0.0)) > 1e-9)

    @property
    def stable(self) -> bool:
        """Whether no mode grows, by the stored exponents; neutral ones, rigid motions in space, do not count.

        If the error of the step was subtracted, growth of up to a fifth of it is ignored as a possible remainder.
        """
        left = 0.0 if self.numerical is None else LEFT * np.abs(np.nan_to_num(self.numerical.real))
        return bool(((self.eigenvalues.real - left) * self.duration <= GROWN).all())

    def plot_multipliers(self) -> Figure:
        """Multipliers in the complex plane, with the unit circle."""
        from samara.results.plotting import canvas

        figure = canvas(5.0, 5.0)
        axes = figure.add_subplot()
        turn = np.exp(1j * np.linspace(0.0, 2.0 * np.pi, 361))
        axes.plot(turn.real, turn.imag, "k-", lw=0.8)
        both = np.concatenate([self.multipliers, self.multipliers.conj()])
        inside = np.abs(both) <= 1.0 + NEUTRAL
        axes.plot(both[inside].real, both[inside].imag, "o", ms=4, color="C0", label="stable")
        axes.plot(both[~inside].real, both[~inside].imag, "o", ms=4, color="C3", label="unstable")
        axes.set(xlabel="real part of the multiplier", ylabel="imaginary part", aspect="equal")
        axes.legend()
        return figure


def floquet(
    motion: Periodic | Model | System | Simulation,
    period: float | None = None,
    step: float | None = None,
    *,
    count: int | None = None,
    exchange: bool = True,
    without_step: bool = False,
) -> Floquet:
    """Floquet analysis: characteristic exponents of small motions about a periodic motion.

    motion:  the result of `periodic`; or a model or simulation, whose periodic motion is found first: then give the
             `period` [s], one rotor revolution, and the `step` [s].
    count:   number of modes to keep, least stable first; by default all that have not decayed (`Floquet.left_out`).
    exchange: whether to use the symmetry of identical blades; otherwise the whole period is analysed.
    without_step: also use half the step and extrapolate the error of the time step (`Floquet.numerical`): the error of
             the exponents is then of third instead of second order in the step. Modes are those at the end.

    The simulation is advanced by a fraction of a period or more.
    """
    exchange, without_step = yes_or_no("floquet: exchange", exchange), yes_or_no("floquet: without_step", without_step)
    count = None if count is None else whole("floquet: count", count)
    if not isinstance(motion, Periodic):
        if period is None or step is None:
            raise ArgumentError("floquet: give the result of periodic(...), or a model with its period and step [s]")
        period, step = positive("floquet: period", period), positive("floquet: step", step)
        motion = periodic(motion, period, step, periods=PERIODS, outputs="model.violation")
    elif period is not None or step is not None:
        raise ArgumentError("floquet: a Periodic has its own period and step")
    sim, period, step = motion.simulation, motion.period, motion.step
    sim.claim()
    with one_thread(sim.system.layout.coordinates):
        found = _about(sim, period, step, exchange, None if without_step else count)
        if not without_step:
            return found
        return _without_step(found, _about(sim, period, 0.5 * step, exchange, None), period, step, count)


def _about(sim: Simulation, period: float, step: float, exchange: bool, count: int | None) -> Floquet:
    steps = whole_steps(period, step)
    require_repeating(sim, period)
    if abs(sim.last_step - step) > 1e-9 * step:  # the motion with that step
        transient(sim, sim.time + period, step, outputs="model.violation", progress=False)
        shoot(sim, step, steps, exchangeable(sim, period, steps), 1e-8, 6)
    frame = exchangeable(sim, period, steps) if exchange else None
    part = steps // frame.count if frame else steps
    require_smooth(sim, step, part)
    found = transition(sim, step, part, frame)
    miss = largest(sim, found.miss, period)
    if not miss < PERIODIC:
        raise SolveError(
            f"floquet: the motion of model {sim.model.name!r} is not periodic, it misses itself by {miss:.2g} after "
            f"{period:.6g} s: give the period of the motion, and let periodic(...) find it, with method='shooting' or "
            "more periods"
        )
    return _modes(sim, found, period, count, miss)


def _modes(sim: Simulation, found: Transition, period: float, count: int | None, miss: float) -> Floquet:
    mu, right, rigid = _eigen(found)
    errors = np.linalg.norm(found.strayed @ right, axis=0) / (
        np.linalg.norm(right, axis=0) * np.maximum(np.abs(mu), GONE)
    )
    alive = np.flatnonzero((np.abs(mu) > GONE) & (errors < LOST))
    if (errors[np.abs(mu) > LASTS] > ASTRAY).any():
        raise SolveError(
            f"floquet: small motions about the motion of model {sim.model.name!r} do not come home where they should, "
            f"by {errors[np.abs(mu) > LASTS].max():.2g} of themselves: "
            + (
                f"the largest grows by {np.abs(mu).max():.2g} within {found.duration:.6g} s, and rounding of it hides "
                "the others; take a shorter period"
                if np.abs(mu).max() > HUGE
                else "take a smaller step, or exchange=False"
            )
        )
    s, speed = exponents(sim, found, mu, right), 2.0 * np.pi / period
    rigid = rigid | takes_no_time(s, (found.basis @ right)[: len(found.whole)], found.whole, speed)
    s = np.where(rigid, 0.0, s)
    right, again = each_once(s, right, _motions(sim, found, right, speed))
    left = np.linalg.pinv(right)
    alive = np.setdiff1d(alive, again)
    forward = alive[s[alive].imag >= -1e-9 * np.abs(s[alive])]
    order = forward[np.lexsort((np.abs(s[forward].imag), -s[forward].real.round(9)))][:count]
    y = (found.landed @ right[:, order]).T.astype(complex)
    n, nodes = y.shape[1] // 2, 6 * len(sim.system.layout.free)
    weights = 1.0 / scales(sim, 1.0)[:n] * sim.length
    for k, one in enumerate(y[:, :n] * weights):
        measured = one[:nodes] if np.any(one[:nodes]) else one
        y[k] /= measured[np.argmax(np.abs(measured))] or 1.0
    pose, twist = np.hsplit(y, 2)
    rates = np.vstack([found.basis[:n], found.basis[n:] - found.spins @ found.basis[:n]])
    with sim.state.kept():  # small motions are told where they began: blades were elsewhere then, seen from the craft
        sim.state.restore(found.start)
        told = describe(sim, found.frames, s[order], rates, right[:, order], left[order])
    return Floquet(
        eigenvalues=s[order],
        shapes=pose[:, :nodes].reshape(len(order), nodes // 6, 6),
        nodes=tuple(node.name for node in sim.system.layout.free),
        p=found.after.p,
        R=found.after.R,
        length=sim.length,
        outline=outline(sim.system),
        scene=scene_of(sim.system, nodes=sim.system.layout.free),
        states=tuple(state.name for state in sim.system.layout.states),
        state_shapes=pose[:, nodes:],
        names=tuple(f"rigid: {n}" if r else n for n, r in zip(told.names, rigid[order], strict=True)),
        rigid=rigid[order],
        shares=told.shares,
        about="a periodic motion (Floquet)",
        multipliers=mu[order],
        duration=found.duration,
        exchanged=found.exchanged.count if found.exchanged else 1,
        residual=miss,
        errors=errors[order],
        twists=twist,
        left_out=found.lost + mu.size - alive.size - again.size,
        simulation=sim,
    )


def _motions(sim: Simulation, found: Transition, right: np.ndarray, speed: float) -> np.ndarray:
    """Poses of vectors, in one unit; zero if only speeds remain, compared with those of a period."""
    xi, rate = np.split(found.basis @ right / scales(sim, speed)[:, None], 2)
    return np.where(np.linalg.norm(xi, axis=0) > WHOLE * np.linalg.norm(rate, axis=0), xi, 0.0)


def _eigen(found: Transition) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Multipliers, vectors, and which are of a free model that is somewhere else: these are one, exactly.

    In the space t of such motions Phi is one. The others come from the space across it, Phi_q = Q^T Phi Q, where the
    pair of ones that a place and its steady change make is none: (mu, w) there is Q w + t a, a = t^T Phi Q w / (mu-1).
    """
    Phi = found.matrix
    t = np.linalg.qr(found.readout @ found.free)[0] if found.free.size else np.zeros((len(Phi), 0))
    Q = null_space(t.T)
    mu, w = np.linalg.eig(Q.T @ Phi @ Q)
    apart = np.where(np.abs(mu - 1.0) > NEUTRAL, mu - 1.0, np.inf)
    right = Q @ w + t @ ((t.T @ Phi @ Q @ w) / apart)
    count = t.shape[1]
    vectors = np.hstack([t.astype(complex), right])
    return np.append(np.ones(count), mu).astype(complex), vectors, np.arange(count + mu.size) < count


def exponents(sim: Simulation, found: Transition, mu: np.ndarray, right: np.ndarray) -> np.ndarray:
    """ln(mu) / T with the multiple of 2 pi / T at which the shapes move at the beginning.

    Of an even number of blades what alternates from blade to blade changes its sign when they change places: half of
    that multiple.
    """
    y, unit = found.basis @ right, scales(sim, 1.0)[: found.basis.shape[0] // 2, None]
    xi, twist = np.split(y, 2)
    rate = twist - found.spins @ xi
    if found.frames:
        T, T_1 = transformation(found.frames), transformation(found.frames, 1)
        xi = T.T @ xi
        rate = T.T @ (rate - T_1 @ xi)
    size = (np.abs(xi / unit) ** 2).sum(axis=0)
    seen = (np.conj(xi / unit) * rate / unit).sum(axis=0) / np.maximum(size, 1e-300)
    base = np.log(np.where(mu == 0.0, 1e-300, mu)) / found.duration
    apart = 2.0 * np.pi / found.duration
    if found.exchanged and found.exchanged.count % 2 == 0:
        apart *= 0.5
    s = base + 1j * apart * np.round((seen.imag - base.imag) / apart)
    return np.where(mu.imag == 0.0, s.real + 1j * np.abs(s.imag), s)  # a real one is alone: its conjugate is itself


def _without_step(rough: Floquet, fine: Floquet, period: float, step: float, count: int | None) -> Floquet:
    """Both results joined: what an error of second order in the step leaves with half of it is a third of the change.

    Modes are those with half the step. One that the step does not resolve, or that has no partner of its kind with the
    whole step, stays as it is there. Partners are the nearest, of those left at another multiple of 2 pi / T too.
    """
    s, partner, taken = fine.eigenvalues, np.full(len(fine), np.nan, complex), list[int]()
    kind = (rough.multipliers.imag == 0.0)[:, None] != (fine.multipliers.imag == 0.0)
    limit = np.where(np.abs(s) * step > RESOLVED, 0.0, SAME * (np.abs(s) + 1.0 / period))
    for values in (rough.eigenvalues[:, None] + 0.0 * s, _placed(rough.eigenvalues, s, fine.duration)):
        far = np.where(kind | ~(np.abs(values - s) < limit) | ~np.isnan(partner), np.inf, np.abs(values - s))
        far[np.isin(np.arange(len(rough)), taken)] = np.inf
        for j, k in zip(*linear_sum_assignment(np.where(np.isinf(far), UNLIKE, far)), strict=True):
            if np.isfinite(far[j, k]):
                partner[k] = values[j, k]
                taken.append(int(j))
    without = np.where(np.isnan(partner), s, s + (s - partner) / 3.0)
    added = np.where(np.isnan(partner), complex(np.nan, np.nan), partner - without)
    whole = replace(fine, eigenvalues=without, numerical=added)
    return _picked(whole, np.lexsort((np.abs(without.imag), -without.real.round(9)))[:count])


def _placed(rough: np.ndarray, s: np.ndarray, duration: float) -> np.ndarray:
    """Exponents or their conjugates (rows), at the multiples of 2 pi / T nearest to each of the others (columns)."""
    apart = 2.0 * np.pi / duration
    both = [x[:, None] + 1j * apart * np.round((s.imag - x.imag[:, None]) / apart) for x in (rough, rough.conj())]
    return np.where(np.abs(both[0] - s) <= np.abs(both[1] - s), both[0], both[1])


def _picked(found: Floquet, order: np.ndarray) -> Floquet:
    """Some of the modes, in that order."""
    assert found.numerical is not None
    return replace(
        found,
        **{name: getattr(found, name)[order] for name in PER_MODE},
        names=tuple(found.names[k] for k in order),
        shares={part: values[order] for part, values in found.shares.items()},
    )
