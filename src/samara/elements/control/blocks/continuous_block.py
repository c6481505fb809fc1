"""Continuous-time block."""

from __future__ import annotations

from typing import Any

from samara.blocks.block import Block
from samara.blocks.control_law import ControlLaw
from samara.elements.control.blocks.signal_block import SignalBlock
from samara.model import Contribution, ModelError, Site, State, record, signals


class ContinuousBlock(SignalBlock):
    """A continuous-time law of signals as equations of the model, without delay.

        y = smooth(x, u),     dx/dt = rate(x, u)

    u: input signals, in the order of the law. law: `Saturation(...)`, `TransferFunction(...)`, `LowPass(...)` or
    another block with a continuous-time form, see `Block`; the same law can be used in a `SampledBlock` and in a
    controller. Use `PID` and `Integral` in a `SignalRegulator`.

    The output signals are ``block.outputs``, or ``block.output`` for a single one; they are named ``output``, or
    ``y1``, ``y2``, ... The memory of the law forms states ``x1``, ``x2``, ...; it starts in the steady state for the
    initial u if there is one, otherwise as the law defines. unit, scale: of the outputs; scale, the typical size,
    applies to the memory too.
    """

    u: Any = signals(kw_only=False)
    law: Block = record()

    def prepare(self) -> None:
        super().prepare()
        if not isinstance(self.law, Block):
            raise ValueError(f"law must be a block such as Saturation(...), got {self.law!r}")
        if isinstance(self.law, ControlLaw):
            raise ValueError(f"a {type(self.law).__name__} has a target: use a SignalRegulator")
        if not isinstance(self.u, (tuple, list)):
            raise ValueError("u must be a list of signals")
        self.law.require_continuous()
        if len(self.u) not in self.law.counts():
            raise ValueError(
                f"u gives the law {len(self.u)} signals, but a {type(self.law).__name__} takes "
                f"{' or '.join(map(str, sorted(self.law.counts())))}: {', '.join(self.law.ports())}"
            )

    def own_states(self) -> dict[str, State]:
        self.prepare()
        law = self.law.plain()
        first = law.initials()
        u, x = law.filled([0.0] * len(self.u)), [value or 0.0 for value in first]
        outputs = len(law.smooth(x, u))
        law.balances(x, x, u)  # it has a form in continuous time
        names = ["output"] if outputs == 1 else [f"y{k + 1}" for k in range(outputs)]
        shown = {name: self.new_output() for name in names}
        inner = {
            f"x{k + 1}": State(1, value=value or 0.0, scale=self.scale, settled=value is None)
            for k, value in enumerate(first)
        }
        return {**shown, **inner}

    def _split(self, states: list[Any]) -> tuple[list[Any], list[Any]]:
        """What goes out, and what is remembered."""
        n = sum(state.order for state in self.owned.values())
        return states[: len(states) - n], states[len(states) - n :]

    @property
    def outputs(self) -> list[State]:
        """The signals that go out."""
        return self._split(list(self.owned.values()))[0]

    @property
    def output(self) -> State:
        """The signal that goes out, where there is one."""
        if len(self.outputs) > 1:
            raise ModelError(f"ContinuousBlock {self.name!r} has {len(self.outputs)} outputs: use .outputs")
        return self.outputs[0]

    def formulate(self, site: Site) -> Contribution:
        y, inner = self._split(site.states[len(site.states) - len(self.owned) :])
        u = self.law.filled(list(self.received(site, "u")))
        x, rates = [state.value for state in inner], [state.rate for state in inner]
        shown = [state.value - value for state, value in zip(y, self.law.smooth(x, u), strict=True)]
        return Contribution(wrenches=[], balances=[*shown, *self.law.balances(x, rates, u)])
