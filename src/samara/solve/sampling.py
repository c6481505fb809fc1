"""Discrete laws of a model, called between two steps at their sample instants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from samara.model import ArgumentError, Element
from samara.model.sampled import LawFailed, SampledLaw
from samara.solve.errors import Diverged
from samara.solve.kernels import set_time
from samara.solve.measures import channels
from samara.solve.outputs import outputs
from samara.solve.simulation import Simulation

#: Part of a step, or of a sample time, by which a sample instant may miss the end of a step: rounding.
ROUNDING = 1e-6


@dataclass
class _Called:
    """One element that samples: its law in this run, and where its numbers lie in the output vector."""

    name: str
    told: SampledLaw
    columns: np.ndarray
    law: Callable[[Sequence[float]], Sequence[float]]


class Sampling:
    """The laws of one simulation, with their memories."""

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        every, first = channels(sim.system)
        start = dict(zip(every.names, first, strict=True))
        self._called: list[_Called] = []
        for element in sampled_elements(sim):
            told = element.sampling()
            assert told is not None
            at = start.get(f"{element.name}.{told.measured}", 0) + np.arange(len(told.signals))
            self._called.append(_Called(element.name, told, at, told.begin()))
        self._begun = sim.time

    def require(self, who: str, step: float | None) -> None:
        """Refuses fixed steps that miss sample instants; steps that follow an accuracy are cut short there."""
        for called in self._called:
            period = called.told.period
            if step is not None and (round(period / step) < 1 or abs(period / step - round(period / step)) > ROUNDING):
                raise ArgumentError(
                    f"{who}: element {called.name!r} samples every {period:g} s, which is no whole number of steps of "
                    f"{step:g} s: take {period / max(1, np.ceil(period / step - ROUNDING)):g} s, or give an accuracy"
                )

    def next_time(self) -> float:
        """The next sample instant [s]."""
        periods, since = [called.told.period for called in self._called], self._sim.time - self._begun
        return self._begun + min(period * (np.floor(since / period + ROUNDING) + 1.0) for period in periods)

    def steps_left(self, step: float) -> int:
        """Fixed steps until then."""
        return max(1, round((self.next_time() - self._sim.time) / step))

    def update(self) -> bool:
        """Calls the laws whose instant is now, in the order of the model; whether one was."""
        since = [(called, (self._sim.time - self._begun) / called.told.period) for called in self._called]
        due = [called for called, samples in since if abs(samples - round(samples)) < ROUNDING]
        if not due:
            return False
        set_time(self._sim.machine, self._sim.time)  # a drive that jumps now has jumped
        outputs(self._sim.machine)
        out, fresh = self._sim.system.arrays.out, dict[str, float]()
        for called in due:
            states = called.told.signals
            u = [
                fresh.get(s.name, out[k]) if s is not None else out[k]
                for s, k in zip(states, called.columns, strict=True)
            ]
            values = self._answer(called, list(map(float, u)))
            for held, shown, value in zip(called.told.held, called.told.outputs, values, strict=True):
                self._sim.system.set_input(held.name, value)
                fresh[shown.name] = value
        return True

    def _answer(self, called: _Called, u: list[float]) -> Sequence[float]:
        """What a law says; a run whose law fails ends there."""
        try:
            return called.law(u)
        except LawFailed as error:
            raise Diverged(
                f"model {self._sim.model.name!r}: element {called.name!r} at t = {self._sim.time:g} s: {error}"
            ) from (error.__cause__ or error)


#: Of simulations that have begun to run.
_known: WeakKeyDictionary[Simulation, Sampling] = WeakKeyDictionary()


def sampled_elements(sim: Simulation) -> list[Element]:
    """Elements with laws to call, in the order of the model."""
    return [element for element in sim.model.elements.values() if element.sampling() is not None]


def sampling_of(sim: Simulation, anew: bool) -> Sampling | None:
    """The laws of a simulation, None if there are none. anew: without memories."""
    if not sampled_elements(sim):
        return None
    if anew or sim not in _known:
        _known[sim] = Sampling(sim)
    return _known[sim]


def refuse_sampling(who: str, sim: Simulation) -> None:
    """An error where discrete laws would be passed over in silence."""
    found = sampled_elements(sim)
    if found:
        raise ArgumentError(
            f"{who}: element {found[0].name!r} of model {sim.model.name!r} samples, and its law is only called in "
            "transient and by a Stepper: leave it out here, take a continuous block, or let a controller run the law"
        )
