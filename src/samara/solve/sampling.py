"""Discrete laws of a model, called between two steps at their sample instants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from samara.model import ArgumentError, Element
from samara.model.sampled import SampledLaw
from samara.solve.measures import channels
from samara.solve.outputs import outputs
from samara.solve.simulation import Simulation

#: By which part of a step a sample instant may miss the end of one: rounding.
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
        """Refuses steps that sample instants do not fall on."""
        for called in self._called:
            period = called.told.period
            if step is None:
                raise ArgumentError(
                    f"{who}: element {called.name!r} samples every {period:g} s, which steps that follow an accuracy "
                    "do not meet: give a fixed step"
                )
            if round(period / step) < 1 or abs(period / step - round(period / step)) > ROUNDING:
                raise ArgumentError(
                    f"{who}: element {called.name!r} samples every {period:g} s, which is no whole number of steps of "
                    f"{step:g} s: take {period / max(1, np.ceil(period / step - ROUNDING)):g} s"
                )

    def steps_left(self, step: float) -> int:
        """Until the next sample instant."""
        done = round((self._sim.time - self._begun) / step)
        every = [round(called.told.period / step) for called in self._called]
        return min(count - done % count for count in every)

    def update(self, step: float) -> bool:
        """Calls the laws whose instant is now, in the order of the model; whether one was."""
        done = round((self._sim.time - self._begun) / step)
        due = [called for called in self._called if done % round(called.told.period / step) == 0]
        if not due:
            return False
        outputs(self._sim.machine)
        out, fresh = self._sim.system.arrays.out, dict[str, float]()
        for called in due:
            states = called.told.signals
            u = [
                fresh.get(s.name, out[k]) if s is not None else out[k]
                for s, k in zip(states, called.columns, strict=True)
            ]
            for held, shown, value in zip(
                called.told.held, called.told.outputs, called.law(list(map(float, u))), strict=True
            ):
                self._sim.system.set_input(held.name, value)
                fresh[shown.name] = value
        return True


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
