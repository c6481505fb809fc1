"""Warnings after a run: elements outside the range of validity of their theory, and spurious energy gain."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator

import numpy as np

from samara.model import Doubting, Drive, Element, EnergyBooks, Model
from samara.results import Results
from samara.solve.native.codes import Counter
from samara.solve.simulation import Simulation
from samara.system.kernels.signals import is_fixed

#: Steps in the shortest wave of a drive below which it is not followed.
FEWEST_STEPS = 5
#: Part of the shortest wave that is advised as a step.
ADVISED_PART = 0.1
#: Energy that nothing has supplied: part of its size that is borne, and of what was supplied, for sums of few samples.
BORNE_ENERGY, UNSURE_SUPPLY = 0.25, 0.1
#: Sizes of a mechanism that a node may move by in a step beyond what its motion at either end tells. At ten steps per
#: period that is a hundredth of the amplitude, at three a half; springs that gain energy throw it by several sizes.
THROWN_WAY = 1.0
#: Energy that is none [J], and rounding of energies, of the largest.
NO_ENERGY, ENERGY_ROUNDING = 1e-12, 1e-9
BOOKS = ("model.kinetic", "model.potential", "model.supplied")


def warn_of_doubts(sim: Simulation, results: Results, stacklevel: int) -> None:
    """A warning for each doubt of an element, from what was recorded of it."""
    model, step = sim.model, float(results.attrs.options.get("step") or 0.0)  # none of a run at an accuracy
    unresolved = _shortest_wave(sim.system.drives.all) < FEWEST_STEPS * step
    for element in model.elements.values():
        own = element.doubts(results) if isinstance(element, Doubting) else []
        for doubt in (*own, *(_unresolved(element, step) if unresolved else ())):
            warnings.warn(f"model {model.name!r}: {element.name!r}: {doubt}", stacklevel=stacklevel)
    excess, time = made(model, results)
    if excess > 0.0:
        warnings.warn(
            f"model {model.name!r}: at t = {time:.4g} s it has {excess:.3g} J more energy than was "
            f"initially present and supplied: the step is too long for a stiff element, such as a stop, a "
            f"clutch or a freewheel; use a shorter step, or give an accuracy",
            stacklevel=stacklevel,
        )


def warn_of_throws(sim: Simulation, results: Results, stacklevel: int) -> None:
    """A warning where fixed steps do not resolve how a node moves, which no books of energy need to show.

    Velocities jump where bodies touch: of models with gaps nothing is said.
    """
    if any(group.kind.touches or group.kind.passable for group in sim.system.groups):
        return
    size, time, name = thrown(sim.model, results)
    if size > THROWN_WAY * sim.length:
        warnings.warn(
            f"model {sim.model.name!r}: in the step to t = {time:.4g} s node {name!r} moves by "
            f"{size:.3g} m more than its velocity and acceleration account for: the step does not resolve its "
            f"vibration or rotation, and energy may be generated; use a shorter step, or give an accuracy",
            stacklevel=stacklevel,
        )


def thrown(model: Model, results: Results) -> tuple[float, float, str]:
    """The largest distance |x(t + h) - x(t) - h v - h^2 a / 2| of a free node [m] over fixed steps, when [s] and whose.

    Seen from either end of the step, for accelerations jump with what is fed. Places jump where they are told to, and
    steps that were divided are told as one: of such runs nothing is said.
    """
    worst, options = (0.0, 0.0, ""), results.attrs.options
    if options.get("step") is None or options.get("accuracy") is not None or options.get("every", 1) != 1:
        return worst
    if len(results.time) < 3 or any(results.attrs.counters.get(name, 0) for name in ("leaps", "divided")):
        return worst
    h = np.diff(results.time)[:, None]
    for node in model.nodes.values():
        names = [f"{node.name}.{what}" for what in ("position", "velocity", "acceleration")]
        if node.motion is not None or not all(name in results.channels for name in names):
            continue
        x, v, a = (results[name] for name in names)
        way = np.diff(x, axis=0)
        beyond = [way - h * v[:-1] - 0.5 * h**2 * a[:-1], way - h * v[1:] + 0.5 * h**2 * a[1:]]
        size = np.linalg.norm(beyond, axis=2).min(axis=0)
        k = int(np.argmax(size))
        if size[k] > worst[0]:
            worst = float(size[k]), float(results.time[k + 1]), node.name
    return worst


def warn_of_turns(model: Model, turn: float, stacklevel: int) -> None:
    """A warning where something has turned by more than half a turn in a step [rad]: what was found means nothing."""
    if turn > np.pi:
        warnings.warn(
            f"model {model.name!r}: a part rotates by {turn:.3g} rad in one step, more than half a "
            f"turn: rotations are inaccurate, and once-per-revolution loads are missed; use at least a dozen "
            f"steps per turn, or give an accuracy",
            stacklevel=stacklevel,
        )


def warn_of_unresolved(model: Model, scheme: str, counters: np.ndarray, stacklevel: int) -> None:
    """A warning where a scheme that solves twice in a step could not do so, or found that its steps are too long."""
    short, lower = int(counters[Counter.UNRESOLVED]), int(counters[Counter.LOWER_ORDER])
    if short or lower:
        warnings.warn(
            f"model {model.name!r}: steps were too long for {scheme}: {short} were divided because of "
            f"fast motion, and {lower} were taken by a second-order formula; the run is not of fourth order "
            f"there, and fast vibrations are damped too strongly; use a shorter step, or samara.TwoStep(rho_inf)",
            stacklevel=stacklevel,
        )


def made(model: Model, results: Results) -> tuple[float, float]:
    """Most energy that came from nowhere [J], and when [s]; zero where it may have come, or where books are not kept.

    More than there was at the start and all that was ever supplied cannot be there, whatever turns into heat. Nodes
    that are moved from outside are not in the books, nor is all that the air gives; drives may give a blow between two
    samples, and an element of a user's own may be no `EnergyBooks`.
    """
    nowhere = (0.0, 0.0)
    thinned = results.attrs.options.get("every", 1) != 1
    if thinned or len(results.time) < 3 or not all(name in results.channels for name in BOOKS):
        return nowhere
    if any(node.motion is not None for node in model.nodes.values()):
        return nowhere
    if any(_is_driven(element) or not isinstance(element, EnergyBooks) for element in model.elements.values()):
        return nowhere
    kinetic, potential, supplied = (results[name] for name in BOOKS)
    energy, power = kinetic + potential, np.abs(supplied)
    if not (np.isfinite(energy).all() and np.isfinite(power).all()):
        return nowhere
    given = np.append(0.0, np.cumsum(np.maximum(power[1:], power[:-1]) * np.diff(results.time)))
    excess = energy - energy[0] - (1.0 + UNSURE_SUPPLY) * given
    k, size = int(np.argmax(excess)), max(float(np.ptp(energy)), float(kinetic.max()))
    rounding = ENERGY_ROUNDING * float(np.abs(kinetic).max() + np.abs(potential).max()) + NO_ENERGY
    return (float(excess[k]), float(results.time[k])) if excess[k] > BORNE_ENERGY * size + rounding else nowhere


def _is_driven(element: Element) -> bool:
    """Whether something in it changes with time."""
    return any(isinstance(leaf, Drive) and not is_fixed(leaf) for leaf in element.objects())


def _unresolved(element: Element, step: float) -> Iterator[str]:
    """Drives with waves that fixed steps do not follow."""
    wave = _shortest_wave(leaf for leaf in element.objects() if isinstance(leaf, Drive))
    if wave < FEWEST_STEPS * step:
        yield (
            f"what drives it has waves of {wave:.3g} s, which steps of {step:.3g} s do not follow: take steps of "
            f"{ADVISED_PART * wave:.3g} s, or leave such waves out"
        )


def _shortest_wave(drives: Iterable[Drive]) -> float:
    return min((drive.shortest_wave() for drive in drives), default=np.inf)
