"""Gusts: what the air does besides its steady wind."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from samara.model import Drive, ModelError, Record, direction, number, record, records, vector
from samara.model.schema.drives import as_drives
from samara.rotations import dot
from samara.tracing import fmax, fmin


class Gust(Record):
    """Base of gusts: the velocity of the air in addition to the wind, in space and time. Subclasses define
    `velocity`."""

    #: whether it is the same everywhere at one time; a section of a blade never lies half in such a gust
    uniform: ClassVar[bool] = False

    def velocity(self, p, t) -> Any:
        """Velocity [m/s] in world axes at the world point p [m] at the time t [s], on plain or traced numbers."""
        raise NotImplementedError


class OneMinusCosine(Gust):
    """A one-minus-cosine gust, uniform in space.

        velocity = amplitude (1 - cos(2 pi s)) / 2,     s = (t - start) / duration in [0, 1], zero outside

    amplitude: velocity at the peak, in world axes [m/s]; duration [s] from calm to calm; start [s]. An aircraft flying
    at the speed V through a gust of gradient distance H encounters it for the duration 2 H / V (CS-25.341(a)(2), where
    H is the distance from calm to the peak): see `of_gradient`. Use `Front` to make it travel.
    """

    uniform: ClassVar[bool] = True

    amplitude: Any = vector(unit="m/s")
    duration: float = number(unit="s", positive=True)
    start: float = number(default=0.0, unit="s")

    @classmethod
    def of_gradient(cls, amplitude, gradient: float, speed: float, start: float = 0.0) -> OneMinusCosine:
        """The gust of a gradient distance [m], encountered at a speed [m/s]."""
        return cls(amplitude, 2.0 * gradient / speed, start)

    def velocity(self, p, t):
        s = fmin(fmax((t - self.start) / self.duration, 0.0), 1.0)
        return 0.5 * (1.0 - np.cos(2.0 * np.pi * s)) * np.asarray(self.amplitude)


class SmoothStep(Gust):
    """A gust that rises along half a cosine and stays constant afterwards.

        velocity = amplitude (1 - cos(pi s)) / 2,     s = (t - start) / duration, limited to [0, 1]

    amplitude: final velocity in world axes [m/s]; duration of the rise [s]; start [s].
    """

    uniform: ClassVar[bool] = True

    amplitude: Any = vector(unit="m/s")
    duration: float = number(unit="s", positive=True)
    start: float = number(default=0.0, unit="s")

    def velocity(self, p, t):
        s = fmin(fmax((t - self.start) / self.duration, 0.0), 1.0)
        return 0.5 * (1.0 - np.cos(np.pi * s)) * np.asarray(self.amplitude)


class SineGust(Gust):
    """A harmonic gust from `start` on, zero before.

        velocity = amplitude sin(frequency (t - start))

    amplitude: in world axes [m/s]; frequency [rad/s]; start [s].
    """

    uniform: ClassVar[bool] = True

    amplitude: Any = vector(unit="m/s")
    frequency: float = number(unit="rad/s", positive=True)
    start: float = number(default=0.0, unit="s")

    def velocity(self, p, t):
        return np.sin(self.frequency * fmax(t - self.start, 0.0)) * np.asarray(self.amplitude)


class DrivenGust(Gust):
    """A gust of arbitrary time history: three drives (numbers, drives, functions of t), in world axes [m/s].

    components: the three drives.
    An `Input` has its present value everywhere: a `Front` cannot delay it.
    """

    uniform: ClassVar[bool] = True

    components: Any = records()

    def __post_init__(self) -> None:
        if isinstance(self.components, (str, Drive)) or not hasattr(self.components, "__len__"):
            raise ModelError(f"DrivenGust: components must be three drives, got {self.components!r}")
        if len(self.components) != 3:
            raise ModelError(f"DrivenGust: components must be three drives, got {len(self.components)}")
        self.components = as_drives(self.components, "m/s", "DrivenGust: components")

    def velocity(self, p, t):
        return np.array([component(t) for component in self.components])


class AlongTheWay(Gust):
    """Base of gusts shifted in time along a straight path; see `Front` and `Standing`.

        delay(p) = n . (p - point) / speed

    gust: the other one; direction: n in world axes; speed [m/s] and point [m] as the subclass says.
    """

    gust: Gust = record()
    direction: Any = direction()
    speed: float = number(unit="m/s", positive=True)
    point: Any = vector(default=(0.0, 0.0, 0.0), unit="m")

    def validate(self) -> None:
        if not isinstance(self.gust, Gust):
            raise ModelError(f"{type(self).__name__}: gust does not take {self.gust!r}")
        super().validate()

    def delay(self, p) -> Any:
        """Time from `point` to the world point p along the way [s]."""
        return dot(np.asarray(self.direction), np.asarray(p) - np.asarray(self.point)) / self.speed


class Front(AlongTheWay):
    """A travelling gust: another gust convected through space.

        velocity(p, t) = gust.velocity(p, t - n . (p - point) / speed)

    gust:      the gust; its time history applies at `point`.
    direction: n, the direction of travel, in world axes.
    speed:     of travel in the world [m/s]: the wind speed, for a rotor held in it.
    point:     reference point [m].
    """

    def velocity(self, p, t):
        return self.gust.velocity(p, t - self.delay(p))


class Standing(AlongTheWay):
    """A gust fixed in space, for a model that flies through it.

        velocity(p, t) = gust.velocity(p, n . (p - point) / speed)

    A point that is at `point` at t = 0 and flies along n with `speed` experiences the gust's own time history.

    gust:      the gust.
    direction: n, the flight direction, in world axes.
    speed:     converts times of the gust into lengths [m/s]: a pulse of duration T has the length speed T.
    point:     where the gust's time is zero [m].
    """

    def velocity(self, p, t):
        return self.gust.velocity(p, self.delay(p))
