"""A simulator in the same process, on its own clock, for testing a controller faster than real time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from samara.model import Model
from samara.realtime.controllers.link import Info, LinkPort, Snapshot
from samara.results import Results
from samara.solve import Simulation, Stepper
from samara.system.system import System


class SimulatedLink:
    """A link to a model that takes a step when the next sample is asked for, until `end` [s].

    rate:  of steps and samples [Hz].
    delay: in whole samples, from a sample to the step in which its output acts: 0, the next step, as when the simulator
           waits for the controller; 1, as when it does not.
    substeps: integrator steps per sample.
    given: method, outputs and other arguments of `Stepper`. `results()` returns the recorded results.
    """

    def __init__(
        self,
        model: Model | System | Simulation,
        rate: float,
        end: float,
        *,
        delay: int = 0,
        substeps: int = 1,
        **given: Any,
    ) -> None:
        self.stepper = Stepper(model, 1.0 / (rate * substeps), end=end, **given)
        self.rate, self.end, self.substeps = float(rate), float(end), substeps
        self._sequence = 0
        self._waiting: deque[Sequence[float]] = deque()
        self._delay = delay
        self._actuators: tuple[str, ...] = ()
        self._wanted: dict[str, float] = {}
        self.announced: list[dict[str, Any]] = []

    @property
    def info(self) -> Info:
        """Measures of the model, one number each, and its inputs."""
        sensors = tuple(LinkPort(*item) for item in self.stepper.measures.items())
        actuators = tuple(LinkPort(*item) for item in self.stepper.inputs.items())
        return Info(self.stepper.sim.model.name, self.rate, sensors, actuators)

    def open(self, sensors: Sequence[str], actuators: Sequence[str]) -> None:
        """Chooses what is read and driven."""
        self._columns = self.stepper.columns(tuple(sensors))
        self._actuators = tuple(actuators)

    def wait(self, timeout: float = 0.0) -> Snapshot | None:
        """The sample at the start, then one after every step; None after the end."""
        if not self.alive():
            return None
        if self._sequence:
            if len(self._waiting) > self._delay:
                for name, value in zip(self._actuators, self._waiting.popleft(), strict=True):
                    self.stepper.feed(name, value)
            self.stepper.advance(self.substeps)
        self._sequence += 1
        values = self.stepper.sim.system.arrays.out[self._columns].tolist()
        return Snapshot(values, self.stepper.time, self.now(), self._sequence)

    def send(self, values: Sequence[float], time: float) -> None:
        """The answer to the last sample."""
        self._waiting.append(tuple(values))

    def change(self, **values: float) -> None:
        """Asks the controller for other values of its tunable numbers."""
        self._wanted.update(values)

    def changes(self) -> dict[str, float]:
        """What `change` has asked for."""
        if not self._wanted:
            return self._wanted
        wanted, self._wanted = self._wanted, {}
        return wanted

    def announce(self, parameters: list[dict[str, Any]]) -> None:
        """Kept in `announced`."""
        self.announced = parameters

    def consult(self, examine: Callable[[Mapping[str, float]], None]) -> None:
        """Who changes numbers of this process hears of an error anyway."""

    def alive(self) -> bool:
        """Until the end."""
        return self.stepper.time < self.end - 0.5 / self.rate or not self._sequence

    def reopen(self, timeout: float) -> bool:
        """It does not come back."""
        return False

    def now(self) -> float:
        """Simulated time [s]: no answer is ever late."""
        return self.stepper.time

    def close(self) -> None:
        """Nothing to give back."""

    def results(self) -> Results:
        """What was recorded."""
        return self.stepper.results()
