"""Higher-harmonic control: amplitudes of a rotor's vibration by amplitudes of its pitch, once in some turns."""

from __future__ import annotations

from typing import Any, Never

import numpy as np

from samara.blocks.checks import plain_number
from samara.blocks.predictive.identification import correct, forget, measure
from samara.blocks.predictive.samples import LARGEST_NUMBER, LARGEST_SCALED, read, usable
from samara.blocks.python_block import PythonBlock


class HarmonicAnalysis(PythonBlock):
    """Harmonic analysis: amplitudes of one harmonic of sampled channels over a revolution of the azimuth psi.

        y = a_0 + sum over j = 1 .. multiples of a_j cos(j m psi) + b_j sin(j m psi), by least squares

    channels: how many. harmonic: m, per turn; multiples: of it that are looked for, as a rotor of m blades shakes what
    does not turn. samples: those of a whole turn. A call adds a sample, and gives True when a turn is together:
    `values` then are a_1 of all channels, and b_1 behind. With all samples of a turn it is Fourier's sum, and no other
    harmonic leaks in; samples that were missed do no harm as long as the vibration has those harmonics alone. A turn
    that lacks more than half of its samples is left out. A sample that is not finite is left out too, as one that was
    missed; `bad` counts them.
    """

    def __init__(self, channels: int, harmonic: int, samples: int, *, step: float, multiples: int = 3) -> None:
        self.step = self.positive("step", step)
        channels, harmonic = self.whole("channels", channels), self.whole("harmonic", harmonic)
        samples, multiples = self.whole("samples", samples), self.whole("multiples", multiples)
        if samples <= 2 * harmonic * multiples:
            raise self.refuse(
                f"{samples} samples per turn do not show the harmonic {harmonic * multiples}: take more than twice that"
            )
        self.channels, self.harmonic, self.samples, self.multiples = channels, harmonic, samples, multiples
        n = 2 * multiples + 1
        self._basis, self._normal, self._right = np.ones(n), np.zeros((n, n)), np.zeros((n, channels))
        self._square, self._part = np.zeros((n, n)), np.zeros((n, channels))
        self.values, self._y = np.zeros(2 * channels), np.zeros(channels)
        self.bad = 0
        self.reset()

    def reset(self) -> None:
        """Begins anew."""
        self._normal[:] = self._right[:] = 0.0
        self._count, self._end = 0, -np.inf

    def __call__(self, y: Any, psi: float) -> bool:
        """Adds the sample y at the azimuth psi [rad], which grows; whether `values` are new."""
        read(self, "y", y, self._y)
        psi = np.nan if psi is None else plain_number("HarmonicAnalysis", "psi", psi)
        if not (usable(self._y, LARGEST_NUMBER) and np.isfinite(psi)):
            self.bad += 1
            return False
        if not self._count:
            self._end = psi + 2.0 * np.pi * (1.0 - 1.5 / self.samples)
        basis, base = self._basis, self.harmonic * psi
        for j in range(1, self.multiples + 1):
            basis[2 * j - 1], basis[2 * j] = np.cos(j * base), np.sin(j * base)
        self._normal += np.multiply(basis[:, None], basis, out=self._square)
        self._right += np.multiply(basis[:, None], self._y, out=self._part)
        self._count += 1
        if psi < self._end:
            return False
        enough = self._count >= max(self.samples // 2, len(basis))
        if enough:
            try:
                self.values[:] = np.linalg.solve(self._normal, self._right)[1:3].ravel()
            except np.linalg.LinAlgError:  # all at the same few azimuths
                enough = False
        self.reset()
        return enough


class HigherHarmonicControl(PythonBlock):
    """Higher-harmonic control: pitch amplitudes that reduce vibratory loads, with an identified matrix T.

        z = z_0 + T theta           amplitudes of loads and of pitch in steady flight, cosines and sines
        theta_next = -(T' Q T + R + S)^-1 (T' Q (z - T theta) - S theta),    minimum of z' Q z + theta' R theta
                                                                                     + (theta_next - theta)' S (...)

    First each amplitude is excited separately (`probe`), one per call; T and z_0 are then estimated by least squares,
    and updated at every call, with `forgetting`. z - T theta estimates the uncontrolled loads from the latest
    measurement: errors of T are corrected by subsequent calls, as long as T is approximately right.

    loads, amplitudes: how many of z and theta. load_scale, scale: sizes that count as one. load_weight Q, weight R,
    increment_weight S: numbers, or one each, of squares by these sizes. limit: largest theta, each; others are cut, and
    the model is told.

    A call with loads that are not finite, or beyond `largest` by load_scale, is not learnt from and answers the present
    amplitudes again, so that they are measured once more; `bad` counts such calls.

    Source: Johnson, Self-tuning regulators for multicyclic control of helicopter vibration, NASA TP-1996, 1982: the
    global model, with a deterministic regulator.
    """

    load_weight: np.ndarray
    weight: np.ndarray
    increment_weight: np.ndarray
    limit: float
    forgetting: float

    def __init__(
        self,
        loads: int,
        amplitudes: int,
        *,
        step: float,
        load_scale: Any = 1.0,
        scale: Any = 1.0,
        probe: float = 1.0,
        load_weight: Any = 1.0,
        weight: Any = 0.0,
        increment_weight: Any = 0.0,
        limit: float = np.inf,
        forgetting: float = 0.98,
        trust: float = 1e6,
        largest: float = LARGEST_SCALED,
    ) -> None:
        self.step = self.positive("step", step)
        self.loads, self.amplitudes = self.whole("loads", loads), self.whole("amplitudes", amplitudes)
        self.largest = self.positive("largest", largest)
        self.load_scale, self.scale = (
            self.scales("load_scale", load_scale, self.loads),
            self.scales("scale", scale, self.amplitudes),
        )
        self.probe, self.trust = self.positive("probe", probe), self.positive("trust", trust)
        given = {
            "load_weight": load_weight,
            "weight": weight,
            "increment_weight": increment_weight,
            "limit": limit,
            "forgetting": forgetting,
        }
        for name, value in given.items():
            if value is None:
                raise self.refuse(f"{name} must be a number, got None")
        self.tune(**given)
        n = self.amplitudes + 1
        self.matrix, self._U, self._d = np.zeros((n, self.loads)), np.zeros((n, n)), np.zeros(n)
        self._z = np.zeros(self.loads)
        self._phi, self._gain, self.theta = np.zeros(n), np.zeros(n), np.zeros(self.amplitudes)
        self.reset()

    def tune(
        self,
        load_weight: Any = None,
        weight: Any = None,
        increment_weight: Any = None,
        limit: float | None = None,
        forgetting: float | None = None,
        **unknown: Never,
    ) -> None:
        """Other weights, limit and forgetting from the next call on, all or none; None leaves one as it is."""
        self.refuse_unknown(unknown)
        found: dict[str, Any] = {
            name: self.weights(name, value, size)
            for name, value, size in (
                ("load_weight", load_weight, self.loads),
                ("weight", weight, self.amplitudes),
                ("increment_weight", increment_weight, self.amplitudes),
            )
            if value is not None
        }
        if limit is not None:
            found["limit"] = float(self.per_channel("limit", limit, 1)[0])
            if not found["limit"] > 0.0:
                raise self.refuse(f"limit must be positive, got {found['limit']:g}")
        if forgetting is not None:
            found["forgetting"] = self.finite("forgetting", forgetting)
            if not 0.0 < found["forgetting"] <= 1.0:
                raise self.refuse(f"forgetting must be above 0 and not above 1, got {found['forgetting']:g}")
        for name, value in found.items():
            setattr(self, name, value)

    def reset(self) -> None:
        """Forgets T, and begins to try."""
        self.matrix[:] = self._U[:] = 0.0
        np.fill_diagonal(self._U, 1.0)
        self._d[:] = self.trust
        self.theta[:] = 0.0
        self.tried = self.bad = 0

    @property
    def T(self) -> np.ndarray:
        """What loads answer to amplitudes, in their own units, shape (loads, amplitudes)."""
        return self.matrix[:-1].T * self.load_scale[:, None] / self.scale

    @property
    def uncontrolled(self) -> np.ndarray:
        """Loads without control as the model has them, z_0, in their own units."""
        return self.matrix[-1] * self.load_scale

    def __call__(self, z: Any) -> np.ndarray:
        """The next amplitudes, after the loads of the present ones have settled and been measured."""
        read(self, "z", z, self._z)
        z = self._z / self.load_scale
        if not usable(z, self.largest):
            self.bad += 1
            return self.theta * self.scale
        phi = self._phi
        phi[:-1], phi[-1] = self.theta, 1.0
        measure(self._U, self._d, phi, self._gain)
        correct(self.matrix, self._gain, z - phi @ self.matrix)
        forget(self._U, self._d, self.forgetting, self.trust)
        if self.tried < self.amplitudes:
            self.theta[:] = 0.0
            self.theta[self.tried] = min(self.probe, self._most(self.tried))
            self.tried += 1
        else:
            self.theta[:] = self._best(z)
        return self.theta * self.scale

    def _best(self, z: np.ndarray) -> np.ndarray:
        """The minimum, within the limit; where nothing weighs a direction, the smallest."""
        T = self.matrix[:-1].T
        roots = [np.sqrt(w) for w in (self.load_weight, self.weight, self.increment_weight)]
        rows = np.vstack([roots[0][:, None] * T, np.diag(roots[1]), np.diag(roots[2])])
        free = z - T @ self.theta
        wanted = np.concatenate([-roots[0] * free, np.zeros(self.amplitudes), roots[2] * self.theta])
        found = np.linalg.lstsq(rows, wanted, rcond=None)[0]
        most = self.limit / self.scale
        return np.clip(found, -most, most)

    def _most(self, i: int) -> float:
        return float(self.limit / self.scale[i])
