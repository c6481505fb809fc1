"""The base class of user-written controllers, with sensors, actuators and tunable numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from samara.model import ModelError
from samara.realtime.controllers.tunable import Tunable

POLICIES = ("hold", "stop")


class ControllerError(ModelError):
    """A controller that cannot run: the message names it, and the remedy."""


class Measures:
    """The measured values of a sample: ``y["hinge.angle"]``, ``y.hinge_angle`` or ``y[0]``.

    The object is the same at every sample: copy a number to keep it.
    """

    __slots__ = ("_index", "_names", "values")

    def __init__(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self._index = {name.replace(".", "_"): i for i, name in enumerate(names)}
        self._index.update((name, i) for i, name in enumerate(names))
        self.values = [0.0] * len(self._names)

    def __getitem__(self, key: str | int) -> float:
        if isinstance(key, str):
            if key not in self._index:
                raise KeyError(f"no sensor {key!r}: the controller reads {', '.join(self._names) or 'none'}")
            return self.values[self._index[key]]
        return self.values[key]

    def __getattr__(self, name: str) -> float:
        try:
            return self.values[self._index[name]]
        except KeyError:
            raise AttributeError(f"no sensor {name!r}: the controller reads {', '.join(self._names)}") from None

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self):
        return iter(self.values)

    def __repr__(self) -> str:
        return f"Measures({', '.join(f'{n}={v:g}' for n, v in zip(self._names, self.values, strict=True))})"


class Controller:
    """A discrete controller; a subclass declares its sensors and actuators and implements `step`.

        class Swing(Controller):
            rate = 1000.0
            sensors = ("hinge.angle", "hinge.angle_rate")
            actuators = ("torque",)
            gain = tunable(40.0, unit="N m/rad", lower=0.0)

            def step(self, t, y):
                return (-self.gain * y.hinge_angle,)

    rate:      of its steps in simulated time [Hz]; it must divide the simulator's rate. None: the simulator's rate.
    sensors, actuators: names of the channels it reads and drives, in order.
    session:   default session of the simulator, if any; `samara controller --session` overrides it.
    on_error:  "hold": a step that fails or returns a number that is not finite is reported, and the last valid output
               is held; "stop": the controller ends.

    Attributes while it runs: `period` [s], the time between its steps, known from `start` on; `elapsed` [s], the time
    since its last step: one period, or more if samples were missed. Laws with memory need it.
    """

    rate: ClassVar[float | None] = None
    sensors: ClassVar[tuple[str, ...]] = ()
    actuators: ClassVar[tuple[str, ...]] = ()
    session: ClassVar[str] = ""
    on_error: ClassVar[str] = "hold"
    period: float = math.nan
    elapsed: float | None = None
    _tunables: ClassVar[dict[str, Tunable]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for what in ("sensors", "actuators"):
            names = getattr(cls, what)
            if isinstance(names, str):
                raise ControllerError(f'{cls.__name__}: {what} must be a tuple of names: write ("{names}",)')
            if not all(isinstance(name, str) and name for name in names) or len(set(names)) < len(names):
                raise ControllerError(f"{cls.__name__}: {what} must be names, each once, got {names!r}")
            setattr(cls, what, tuple(names))
        if cls.rate is not None and not (isinstance(cls.rate, (int, float)) and 0 < cls.rate < math.inf):
            raise ControllerError(f"{cls.__name__}: rate must be a positive number of Hz, or None, got {cls.rate!r}")
        if cls.on_error not in POLICIES:
            raise ControllerError(f"{cls.__name__}: on_error must be hold or stop, got {cls.on_error!r}")

        found: dict[str, Tunable] = {}
        for kind in reversed(cls.__mro__):
            found.update({name: value for name, value in vars(kind).items() if isinstance(value, Tunable)})
        cls._tunables = found
        for number in found.values():
            try:
                number.check(number.default)
            except ModelError as error:
                raise ControllerError(f"{cls.__name__}: {error}") from None

    def __init__(self, **settings: Any) -> None:
        if type(self).step is Controller.step:
            raise ControllerError(f"{type(self).__name__}: has no step(self, t, y): it returns the actuators' values")
        if not self.actuators:
            raise ControllerError(f"{type(self).__name__}: drives nothing: name its actuators")
        self._staged: dict[str, float] = {}
        for name, number in self._tunables.items():  # plain attributes are the quickest to read
            setattr(self, name, number.default)
        for name, value in settings.items():
            setattr(self, self.tunable(name).name, value)
        try:
            self.examine({name: getattr(self, name) for name in self._tunables})
        except ValueError as error:
            raise ControllerError(f"{type(self).__name__}: {error}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, self._tunables[name].check(value) if name in self._tunables else value)

    # ---- what a subclass gives

    def start(self, t: float, y: Measures) -> None:
        """Called with the first sample, before the first `step`, and again when the simulator starts anew."""

    def step(self, t: float, y: Measures) -> Sequence[float]:
        """The actuators' values for the sample of simulated time t [s]."""
        raise NotImplementedError

    def examine(self, values: Mapping[str, float]) -> None:
        """Refuses tunable numbers that do not go together, by a ValueError with a sentence; values: all, by name.

        Called when it is made, and before others are taken from outside. That is in another thread: it changes nothing.
        """

    def changed(self, names: tuple[str, ...]) -> None:
        """Called between two steps when tunable numbers were changed."""

    def stop(self, t: float) -> Sequence[float] | None:
        """Called at the end; what it returns is sent as the last."""
        return None

    # ---- tunable numbers

    @classmethod
    def tunables(cls) -> dict[str, Tunable]:
        """The tunable numbers of the class, by name."""
        return dict(cls._tunables)

    def tunable(self, name: str) -> Tunable:
        """The tunable number of that name."""
        known = self._tunables
        if name not in known:
            raise ControllerError(
                f"{type(self).__name__} has no parameter {name!r}; it has {', '.join(known) or 'none'}"
            )
        return known[name]

    def parameters(self) -> list[dict[str, Any]]:
        """Name, value, unit, limits and meaning of each tunable number, for tables."""
        return [
            {
                "name": name,
                "value": getattr(self, name),
                "unit": t.unit,
                "lower": t.lower,
                "upper": t.upper,
                "description": t.description,
                "whole": t.whole,
            }
            for name, t in self.tunables().items()
        ]

    def stage(self, **values: Any) -> None:
        """Checks new values of tunable numbers and lays them ready; all or none. `apply` makes them act together."""
        self._staged.update({name: self.tunable(name).check(value) for name, value in values.items()})

    @property
    def staged(self) -> dict[str, float]:
        """Values that were laid ready and do not act yet."""
        return dict(self._staged)

    def unstage(self) -> None:
        """Forgets the values that were laid ready."""
        self._staged = {}

    def apply(self, tell: bool = True) -> tuple[str, ...]:
        """Makes the staged values act; the names of those that changed. If `changed` fails, none has.

        tell: whether `changed` is called: not before `start` was.
        """
        staged, self._staged = self._staged, {}
        before = {name: getattr(self, name) for name, value in staged.items() if getattr(self, name) != value}
        for name in before:
            setattr(self, name, staged[name])
        if before and tell:
            try:
                self.changed(tuple(before))
            except Exception:
                for name, value in before.items():
                    setattr(self, name, value)
                raise
        return tuple(before)
