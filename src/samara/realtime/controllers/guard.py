"""Protects the machine from errors of its controller."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from samara.realtime.controllers.controller import Controller, ControllerError, Measures


class Guard:
    """Calls a controller sample by sample, checks its outputs, and holds the last valid one according to its policy.

    exceptions, not_finite: number of steps that failed in each way. The first of each is reported, with its location.
    """

    def __init__(self, controller: Controller, report: Callable[[str], None]) -> None:
        self.controller, self.report = controller, report
        self.name = type(controller).__name__
        self.measures = Measures(controller.sensors)
        self.last: list[float] | None = None
        self.exceptions = self.not_finite = 0
        self._started = False
        self._time = 0.0  # of the last step [s, simulated]

    def restart(self) -> None:
        """The next sample is a first one."""
        self._started, self.last = False, None

    def __call__(self, t: float, values: Sequence[float]) -> list[float] | None:
        """The actuators' values; None when there is none yet to be held."""
        self.measures.values[:] = values
        period, since = self.controller.period, t - self._time
        on_time = not self._started or abs(since - period) < 1e-3 * period  # times are rounded
        self.controller.elapsed = period if on_time else since
        try:
            if not self._started:
                self.controller.start(t, self.measures)
                self._started = True
            answer = self.controller.step(t, self.measures)
        except Exception as error:
            self.exceptions += 1
            return self._hold(f"{_place(error)}{type(error).__name__}: {error}", t, self.exceptions, error)
        self._time = t  # a step that failed counts as one that was missed
        checked = self.check(answer)
        for name, value in zip(self.controller.actuators, checked, strict=True):
            if not math.isfinite(value):
                self.not_finite += 1
                return self._hold(f"{name} = {value}", t, self.not_finite)
        self.last = checked
        return checked

    def change(self, wanted: dict[str, float]) -> tuple[str, ...]:
        """Changes tunable numbers between two steps, together or not at all; the names of those that changed."""
        try:
            self.controller.stage(**wanted)
            return self.controller.apply(tell=self._started)
        except Exception as error:
            self.report(f"not changed: {error}")
            return ()

    def check(self, answer: Sequence[float]) -> list[float]:
        """An answer as floats, one an actuator."""
        wanted = len(self.controller.actuators)
        try:
            found = [float(value) for value in answer]
        except TypeError:
            raise ControllerError(
                f"{self.name}: step must return {wanted} number{'s' * (wanted != 1)}, as a tuple, got {answer!r}"
            ) from None
        if len(found) != wanted:
            raise ControllerError(
                f"{self.name}: step returned {len(found)} numbers for {wanted} "
                f"actuator{'s' * (wanted != 1)} ({', '.join(self.controller.actuators)})"
            )
        return found

    def _hold(self, what: str, t: float, times: int, error: Exception | None = None) -> list[float] | None:
        if self.controller.on_error == "stop":
            raise ControllerError(f"{self.name} at t = {t:g} s: {what}") from error
        if times == 1:
            held = "the last output is held" if self.last is not None else "nothing is sent"
            self.report(f"{self.name} at t = {t:g} s: {what}; {held}")
        return self.last


def _place(error: BaseException) -> str:
    """File and line in which an error arose."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}, line {trace.tb_lineno}: " if trace is not None else ""
