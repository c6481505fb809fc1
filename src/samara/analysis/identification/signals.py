"""Signals for identification: taken from results or arrays, cut to a window, and checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from samara.analysis.identification.clipped import refuse_clipped
from samara.arguments import finite, names, not_negative, yes_or_no
from samara.model import ArgumentError
from samara.results import Results
from samara.results.columns import column

#: A step may differ from the others by this part of it.
UNEVEN = 1e-6
#: What varies less than this part of its size is constant.
CONSTANT = 1e-12
#: Samples below which nothing is identified.
FEWEST_SAMPLES = 8


@dataclass(frozen=True)
class Signals:
    """Samples at a uniform step.

    method:   name of the caller, with which error messages begin.
    time:     shape (n,) [s]; values: shape (n, c); channels: a name for each column.
    known:    frequencies [rad/s] of motions to exclude from the identification; 0 is the mean.
    stand_in: note of the results on stand-in data.
    measured: largest value of the reference; its rounding limits the accuracy of the difference.
    """

    method: str
    time: np.ndarray
    values: np.ndarray
    channels: tuple[str, ...]
    known: tuple[float, ...] = ()
    stand_in: str = ""
    measured: float = 0.0

    @property
    def step(self) -> float:
        """Between two samples [s]."""
        return float(self.time[-1] - self.time[0]) / (len(self.time) - 1)

    @property
    def duration(self) -> float:
        """Of the window [s]."""
        return float(self.time[-1] - self.time[0])

    def one(self) -> np.ndarray:
        """The values of the only channel, shape (n,); several channels are rejected."""
        if len(self.channels) != 1:
            raise ArgumentError(
                f"{self.method} takes one channel, got {len(self.channels)}: choose one, or use matrix_pencil or era"
            )
        return self.values[:, 0]


def read_signals(
    method: str,
    source: Results | np.ndarray | Sequence[float],
    signals: str | Sequence[str] | np.ndarray,
    window: tuple[float, float] | None,
    remove: Iterable[float],
    reference: Results | np.ndarray | None,
    clipped: bool = False,
) -> Signals:
    """The arguments of the functions of this package, as checked samples.

    source:    results, or times [s], shape (n,).
    signals:   names of channels or of their components, or values, shape (n,) or (n, c).
    window:    first and last time [s]; all by default.
    remove:    frequencies [rad/s] of motions to remove; 0 is the mean.
    reference: results or values at the same times, subtracted.
    clipped:   whether a signal may be flat at its largest or smallest value.
    """
    clipped = yes_or_no(f"{method}: clipped", clipped)
    if isinstance(source, Results):
        if source.attrs.abscissa[0] != "time":
            raise ArgumentError(
                f"{method}: these results are over {source.attrs.abscissa[0]}: give results of a transient"
            )
        time = source.time
        values, channels = _columns(method, source, signals)
        stand_in = source.attrs.stand_in
    else:
        time, values = _arrays(method, source, signals)
        channels, stand_in = tuple(f"signal {k + 1}" for k in range(values.shape[1])), ""
    seen = [values]  # as they were measured
    if reference is not None:
        seen.append(_reference(method, reference, signals, time, values))
        values = values - seen[-1]
    whole = time
    time, values = _cut(method, time, values, window)
    _check(method, time, values, channels)
    if not clipped:
        for measured in seen:
            refuse_clipped(method, time, _cut(method, whole, measured, window)[1], channels)
    references = [_cut(method, whole, one, window)[1] for one in seen[1:]]
    largest = max((float(np.abs(one).max()) for one in references), default=0.0)
    found = Signals(method, time, values, channels, (), stand_in, largest)
    return replace(found, known=_known(found, remove))


def _columns(method: str, results: Results, signals: object) -> tuple[np.ndarray, tuple[str, ...]]:
    """Columns of results: whole channels, or components such as "bob.position.x"."""
    columns: list[np.ndarray] = []
    labels: list[str] = []
    for name in names(f"{method}: signals", signals, 'name one channel or more, such as "hinge.angle"'):
        if name in results:
            channel = results.channels[name]
            columns += list(results[name].reshape(len(results), channel.width).T)
            labels += channel.labels
        else:
            columns.append(column(results, name))
            labels.append(name)
    return np.column_stack(columns), tuple(labels)


def _arrays(method: str, time: object, signals: object) -> tuple[np.ndarray, np.ndarray]:
    _refuse_complex(method, times=time, values=signals)
    try:
        t, y = np.asarray(time, float), np.asarray(signals, float)
    except (TypeError, ValueError):
        raise ArgumentError(
            f"{method}: give results and names of channels, or times (n,) and values (n,) or (n, channels) as numbers"
        ) from None
    if t.ndim != 1 or y.ndim not in (1, 2) or len(y) != len(t) or (y.ndim == 2 and not y.shape[1]):
        raise ArgumentError(f"{method}: times {t.shape} and values {y.shape} do not fit: give (n,) and (n, channels)")
    return t, y if y.ndim == 2 else y[:, None]


def _refuse_complex(method: str, **given: Any) -> None:
    """Rejects complex numbers, which would lose their imaginary part."""
    for what, values in given.items():
        try:
            found = np.iscomplexobj(np.asarray(values))
        except (TypeError, ValueError):  # no numbers at all, which is said elsewhere
            continue
        if found:
            raise ArgumentError(
                f"{method}: {what} must be real numbers, got complex ones: give real and imaginary parts as channels"
            )


def _reference(method: str, reference, signals, time: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values of the reference run at the same times."""
    if isinstance(reference, Results):
        other = reference.time
        if len(other) != len(time) or not np.allclose(other, time, rtol=0.0, atol=UNEVEN * np.ptp(time) / len(time)):
            raise ArgumentError(f"{method}: the reference has different times: run it with the same end and step")
        return _columns(method, reference, signals)[0]
    _refuse_complex(method, reference=reference)
    try:
        return np.asarray(reference, float).reshape(values.shape)
    except (TypeError, ValueError):
        raise ArgumentError(f"{method}: reference must be results or values of shape {values.shape}") from None


def _cut(method: str, time: np.ndarray, values: np.ndarray, window) -> tuple[np.ndarray, np.ndarray]:
    if window is None:
        return time, values
    try:
        start, end = window
    except (TypeError, ValueError):
        raise ArgumentError(f"{method}: window must be (start, end) in seconds, got {window!r}") from None
    start, end = finite(f"{method}: window start", start), finite(f"{method}: window end", end)
    slack = 1e-9 * max(abs(start), abs(end), 1e-3)
    inside = (time >= start - slack) & (time <= end + slack)
    if not inside.any():
        span = f"{time[0]:g} to {time[-1]:g} s" if len(time) else "no time at all"
        raise ArgumentError(f"{method}: no sample lies in the window {start:g} to {end:g} s: the signals have {span}")
    return time[inside], values[inside]


def _check(method: str, time: np.ndarray, values: np.ndarray, channels: tuple[str, ...]) -> None:
    if len(time) < FEWEST_SAMPLES:
        raise ArgumentError(f"{method}: {len(time)} samples in the window, {FEWEST_SAMPLES} are needed: make it longer")
    for name, signal in zip(channels, values.T, strict=True):
        wrong = np.flatnonzero(~np.isfinite(signal))
        if wrong.size:
            when = time[wrong[0]]
            raise ArgumentError(f"{method}: {name!r} is {signal[wrong[0]]} at {when:g} s: choose a window without it")
    steps = np.diff(time)
    if not np.all(np.abs(steps - steps.mean()) <= UNEVEN * abs(steps.mean())) or steps.mean() <= 0.0:
        raise ArgumentError(
            f"{method}: the samples are not at a uniform step ({steps.min():.6g} to {steps.max():.6g} s): run with a "
            "fixed step, choose a window, or interpolate"
        )
    if np.all(np.ptp(values, axis=0) <= CONSTANT * np.abs(values).max(axis=0)):
        listed = ", ".join(map(repr, channels[:3]))
        raise ArgumentError(
            f"{method}: {listed} is constant in the window: disturb the model, or choose other channels"
        )


def _known(signals: Signals, remove: Iterable[float]) -> tuple[float, ...]:
    """The frequencies to remove, without duplicates, checked against step and window."""
    what = f"{signals.method}: remove"
    given = remove if isinstance(remove, Iterable) and not isinstance(remove, str) else (remove,)
    known = sorted({not_negative(f"{what}, a frequency [rad/s]", value) for value in given})
    for frequency in known:
        if frequency * signals.step >= np.pi:
            raise ArgumentError(f"{what}: {frequency:g} rad/s is too high for a step of {signals.step:g} s")
        if 0.0 < frequency * signals.duration < 2.0 * np.pi:
            raise ArgumentError(f"{what}: the window is shorter than a period of {frequency:g} rad/s: make it longer")
    return tuple(known)
