"""Base of sensors with a signal output."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.blocks.nonlinear.quantiser import staircase
from samara.elements.control.blocks.signal_block import SignalBlock
from samara.model import Contribution, Output, Site, number, option, signal


class Instrument(SignalBlock):
    """Base of sensors: outputs a measured quantity as a signal, with instrument errors.

        y = gain q + offset + noise,     then rounded to the nearest multiple of `quantum`, if given

    gain, offset: of the instrument. noise: a signal added to the output, such as a `BandLimitedNoise`, in the unit of
    y. quantum: resolution of an analogue-to-digital converter, in the unit of y; width: of its smoothed steps, see
    `Quantiser`. It exerts no force and has no lag: for a lag add a filter in a `ContinuousBlock`. Records `true`, q
    itself.
    """

    gain: float = number(default=1.0)
    offset: float = number(default=0.0)
    noise: Any = signal(default=0.0)
    quantum: float = number(default=None, positive=True)
    width: float = number(default=0.02, positive=True)
    quantised: bool = option(default=False, init=False)  # follows from quantum

    def prepare(self) -> None:
        super().prepare()
        self.quantised = self.quantum is not None
        if self.quantum is None:
            self.quantum = 1.0

    def examine(self) -> None:
        if not float(self.width) < 1.0:
            raise ValueError(f"width must be less than 1, got {float(self.width):g}")

    def shown(self, site: Site, true: Any) -> Contribution:
        """The equation of its output, for what is measured."""
        y = self.gain * true + self.offset + self.received(site, "noise")
        if self.quantised:
            y = self.quantum * staircase(y / self.quantum, self.width)
        return Contribution(
            wrenches=[np.zeros(6) for _ in site.frames],
            balances=[site.states[-1].value - y],
            outputs=[Output("true", "1", true, description="what is measured, without gain and noise")],
        )
