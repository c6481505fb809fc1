"""Law that does nothing."""

from __future__ import annotations

from samara.elements.laws.law import Law


class FreeLaw(Law):
    """No effort at all: a coordinate that is left free among others that are not."""
