"""Law without effort."""

from __future__ import annotations

from samara.elements.laws.law import Law


class FreeLaw(Law):
    """No effort: leaves one coordinate free among others with laws."""
