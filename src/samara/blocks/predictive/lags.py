"""What a sampled model looks at of the past, and in which order it lies in memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.blocks.block import BlockError
from samara.blocks.checks import switch, whole_number
from samara.blocks.predictive.samples import usable


@dataclass(frozen=True)
class Lags:
    """The lags of a sampled model, which define its regressor, newest values first.

        phi_k = (y_k .. y_{k-na+1},  u_k .. u_{k-nb+1},  w_k .. w_{k-nw+1},  e_k .. e_{k-nc+1},  1)

    outputs, inputs, disturbances: number of outputs y, inputs u and measured disturbances w. past_outputs na,
    past_inputs nb, past_disturbances nw, past_errors nc: number of past samples of each; na, nb >= 1. constant: whether
    to include the 1, which allows a non-zero mean.
    """

    outputs: int
    inputs: int
    past_outputs: int
    past_inputs: int
    disturbances: int = 0
    past_disturbances: int = 0
    past_errors: int = 0
    constant: bool = False

    def __post_init__(self) -> None:
        for name, least in (
            ("outputs", 1), ("inputs", 1), ("past_outputs", 1), ("past_inputs", 1), ("disturbances", 0),
            ("past_disturbances", 0), ("past_errors", 0),
        ):  # fmt: skip
            whole_number("Lags", name, getattr(self, name), least)
        switch("Lags", "constant", self.constant)
        if (self.disturbances == 0) != (self.past_disturbances == 0):
            raise BlockError("Lags: disturbances and past_disturbances go together: give both, or neither")

    @property
    def bounds(self) -> tuple[int, int, int, int]:
        """Ends of the parts of y, u, w and e in the regressor."""
        y = self.outputs * self.past_outputs
        u = y + self.inputs * self.past_inputs
        w = u + self.disturbances * self.past_disturbances
        return y, u, w, w + self.outputs * self.past_errors

    @property
    def size(self) -> int:
        """Length of the regressor."""
        return self.bounds[3] + self.constant

    @property
    def newest(self) -> dict[str, slice]:
        """Where the newest values of y, u, w and e lie."""
        y, u, w, _ = self.bounds
        return {
            "y": slice(0, self.outputs),
            "u": slice(y, y + self.inputs),
            "w": slice(u, u + self.disturbances),
            "e": slice(w, w + (self.outputs if self.past_errors else 0)),
        }

    @property
    def parts(self) -> list[tuple[int, int, int]]:
        """Start, end and width of a sample of each part that is not empty."""
        y, u, w, e = self.bounds
        found = [(0, y, self.outputs), (y, u, self.inputs), (u, w, self.disturbances), (w, e, self.outputs)]
        return [part for part in found if part[1] > part[0]]


class Regressor:
    """The regressor of a running system, renewed in place.

    phi: the values, in the order of `Lags`.
    """

    def __init__(self, lags: Lags) -> None:
        self.lags = lags
        self.phi = np.zeros(lags.size)
        self._parts, at = lags.parts, lags.newest
        self._y, self._u, self._w, self._e = (self.phi[at[name]] for name in ("y", "u", "w", "e"))
        self._seen = lags.bounds[0]
        self.reset()

    def reset(self) -> None:
        """Nothing has been yet."""
        self.phi[:] = 0.0
        if self.lags.constant:
            self.phi[-1] = 1.0

    def sample(self, y: np.ndarray, w: np.ndarray, e: np.ndarray) -> None:
        """A new sample: all grows older; the newest control is not known yet, and zero."""
        phi = self.phi
        for start, end, width in self._parts:
            phi[start + width : end] = phi[start : end - width]  # NumPy minds the overlap
        self._y[:] = y
        self._u[:] = 0.0
        self._w[:] = w
        if self._e.size:
            self._e[:] = e

    def mend(self, y: np.ndarray, w: np.ndarray, expected: np.ndarray, largest_y: Any, largest_w: Any) -> bool:
        """Whether a sample can be used: finite, and not beyond the largest. What cannot be is replaced, in place.

        For y stands what is expected of it, but not more than the largest of its own past, so that a model that is off
        does not run away over many of them; for w, what it was last.
        """
        seen, measured = usable(y, largest_y), usable(w, largest_w)
        if not seen:
            past = np.abs(self.phi[: self._seen]).reshape(-1, len(y)).max(axis=0)
            y[:] = np.clip(np.where(np.isfinite(expected), expected, self._y), -past, past)
        if not measured:
            w[:] = self._w
        return seen and measured

    def control(self, u: np.ndarray) -> None:
        """The control that acts from this sample to the next."""
        self._u[:] = u
