"""One column of results by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.results.channels import UnknownChannelError

if TYPE_CHECKING:
    from samara.results.results import Results


def column(results: Results, name: str) -> np.ndarray:
    """A scalar channel, or a component of another: "rotor.thrust", "rotor.moment.x"."""
    if name in results:
        found = results[name]
        if found.ndim > 1:
            some = ", ".join(results.channels[name].labels[:3])
            raise UnknownChannelError(f"{name!r} has components: choose one of them, {some}, ...")
        return found
    channel, _, component = name.rpartition(".")
    components = results.channels[channel].components if channel in results else ()
    if component not in components:
        return results[name]  # raises, with near misses
    return results[channel][:, components.index(component)]
