"""Consistency check between processes that work on one model, and the message if they differ.

Each process has read the model, its parameters and the arguments of a run by itself. If these differ, exchanging
contributions would mix different models or never end. A digest of them is therefore compared before native code runs,
about every tenth of a second; names and numbers are compared only if the digests differ.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from samara.solve.native.records import StepSettings
from samara.system.description import equations_of, numbers_of

if TYPE_CHECKING:
    from samara.solve.simulation import Simulation
    from samara.system.partition import Partition


class Agreement:
    """What must be the same in all processes that work on a simulation."""

    def __init__(self, sim: Simulation, cut: Partition) -> None:
        self.sim = sim
        self._lasting = {
            "the model": sim.model.name,
            "the partition": _short(repr(cut.parts).encode()),
            "the integrator": sim.integrator.name,
            "the number of lanes": str(sim.system.layout.width),
        }
        self._lasting |= {f"what {name} is made of": text for name, text in equations_of(sim.model).items()}
        self._lasting |= {f"the number {name}": _text(values) for name, values in numbers_of(sim.model).items()}
        self._digest = _short(repr(self._lasting).encode()).encode()
        self._weights = np.arange(1, 2 * sim.machine.state.size, 2)

    def digest(self, step: float) -> int:
        """One number for all of it; step: that of the run [s], as far as it is known."""
        found = hashlib.blake2b(self._digest, digest_size=8)
        *few, state = self._arrays(step)
        for array in few:
            found.update(array.tobytes())
        found.update(np.dot(state.view(np.int64), self._weights).tobytes())  # of many numbers, for it is faster
        return int.from_bytes(found.digest(), "little", signed=True)

    def details(self, step: float) -> dict[str, str]:
        """The same in words, by name."""
        parameters, inputs, settings, (time, step, accuracy, end), state = self._arrays(step)
        system, found = self.sim.system, dict(self._lasting)
        names = sorted(system.parameters.named)
        found |= {f"parameter {name!r}": _text(x) for name, x in zip(names, parameters, strict=True)}
        found |= {f"input {name!r}": _text(inputs[k]) for name, k in system.layout.input_index.items()}
        found |= {f"the setting {name}": _text(settings[k]) for name, k in StepSettings.paths().items()}
        found |= {"the end of the run [s]": _text(end), "the accuracy of the run": _text(accuracy)}
        found |= {"the step of the run [s]": _text(step), "the time [s]": _text(time)}
        return found | {"the state of the model": _text(state)}

    def _arrays(self, step: float) -> list[np.ndarray]:
        """All that may change from run to run."""
        sim = self.sim
        run = np.array([sim.time, step, sim.limits.accuracy, sim.limits.end])
        return [sim.system.parameters.values(), sim.state.inputs, sim.settings.words, run, sim.machine.state]


def differences(told: Sequence[Mapping[str, str]]) -> list[str]:
    """What differs among the details of processes, each in words with the first two that differ."""
    found, first = [], told[0]
    for name in dict.fromkeys(name for one in told for name in one):
        for other, one in enumerate(told):
            if one.get(name) != first.get(name):
                found.append(f"{name} is {first.get(name, 'none')} in process 0 and {one.get(name, 'none')} in {other}")
                break
    return found or ["their numbers differ by rounding"]


def _short(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=8).hexdigest()


def _text(values: float | np.ndarray) -> str:
    """Numbers to their last bit, many of them in short."""
    flat = np.ravel(values)
    return repr(float(flat[0])) if flat.size == 1 else f"{flat.size} numbers ({_short(flat.tobytes())})"
