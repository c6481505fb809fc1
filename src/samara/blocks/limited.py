"""Blocks with two limits."""

from __future__ import annotations

from samara.blocks.block import Block
from samara.blocks.corners import check_limits, check_order
from samara.model import number

#: A limit that is never reached.
NO_LIMIT = 1e12


class LimitedBlock(Block):
    """A law with two limits: sharp in samples, rounded off in continuous time."""

    lower: float = number(default=-NO_LIMIT)
    upper: float = number(default=NO_LIMIT)
    corner: float = number(default=0.01, positive=True)

    def validate(self) -> None:
        super().validate()
        try:
            check_order(self.lower, self.upper)
        except ValueError as error:
            raise self.refuse(str(error)) from None

    def require_continuous(self) -> None:
        try:
            check_limits(self.lower, self.upper, self.corner)
        except ValueError as error:
            raise self.refuse(str(error)) from None
