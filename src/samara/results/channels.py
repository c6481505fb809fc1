"""Channels: the names, units and columns of what a run records."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

import numpy as np

RESERVED_NAMES = frozenset({"time", "parameters", "scene"})
_NAME = re.compile(r"\w[^\s/*?]*")


class UnknownChannelError(KeyError):
    """A name or pattern that matches no channel."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


@dataclass(frozen=True, slots=True)
class Channel:
    """One recorded quantity, scalar or vector.

    name         owner and quantity joined by dots: "arm.position"
    unit         SI unit as UDUNITS reads it: "m", "rad/s", "N m"; "1" when dimensionless
    components   labels of a vector's components, ("x", "y", "z"); () for a scalar
    description  one line for axes and file attributes
    frame        the frame in which the components are expressed ("W"), when there is one
    """

    name: str
    unit: str
    components: tuple[str, ...] = ()
    description: str = ""
    frame: str = ""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(
                f"channel name {self.name!r}: start with a letter or digit, without spaces, '/', '*' or '?'"
            )
        if self.name in RESERVED_NAMES:
            raise ValueError(f"channel name {self.name!r} is reserved: prefix it with its owner, 'arm.{self.name}'")
        if not self.unit.strip():
            raise ValueError(f"channel {self.name!r} has no unit: give an SI unit, or '1' when dimensionless")
        object.__setattr__(self, "components", tuple(self.components))
        if not all(self.components) or len(set(self.components)) != len(self.components):
            raise ValueError(f"channel {self.name!r}: components {self.components} must be distinct and not empty")

    @property
    def width(self) -> int:
        """Number of columns: 1 for a scalar."""
        return len(self.components) or 1

    @property
    def labels(self) -> tuple[str, ...]:
        """One label a column: "arm.position.x"; a scalar's label is its name."""
        return tuple(f"{self.name}.{component}" for component in self.components) or (self.name,)


class Channels:
    """An ordered, immutable collection of channels laid side by side in the columns of a table."""

    __slots__ = ("_channels", "_offsets", "_width")

    def __init__(self, channels: Iterable[Channel] = ()) -> None:
        self._channels: dict[str, Channel] = {}
        self._offsets: dict[str, int] = {}
        self._width = 0
        for channel in channels:
            if channel.name in self._channels:
                raise ValueError(f"two channels are named {channel.name!r}: rename one of them")
            self._channels[channel.name] = channel
            self._offsets[channel.name] = self._width
            self._width += channel.width

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._channels)

    @property
    def labels(self) -> tuple[str, ...]:
        """One label a column of the table."""
        return tuple(label for channel in self for label in channel.labels)

    @property
    def width(self) -> int:
        """Number of columns of the table."""
        return self._width

    def __len__(self) -> int:
        return len(self._channels)

    def __iter__(self) -> Iterator[Channel]:
        return iter(self._channels.values())

    def __contains__(self, name: object) -> bool:
        return name in self._channels

    def __getitem__(self, name: str) -> Channel:
        if not isinstance(name, str) or name not in self._channels:
            raise UnknownChannelError(self._explain(name))
        return self._channels[name]

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Channels) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Channels({len(self)} channels, {self.width} columns)"

    def offset(self, name: str) -> int:
        """First column of a channel."""
        return self._offsets[self[name].name]

    def columns(self, name: str) -> slice:
        """Columns of a channel."""
        first = self.offset(name)
        return slice(first, first + self[name].width)

    def select(self, *patterns: str) -> Channels:
        """The channels that match any of the patterns ("arm.*", "*.reaction_force"); all without a pattern.

        Order: that of the patterns, and of this collection within a pattern; each channel once. A full name
        always selects its channel, also when it contains brackets.
        """
        if not patterns:
            return self
        found: dict[str, Channel] = {}
        for pattern in patterns:
            if not isinstance(pattern, str):
                raise UnknownChannelError(self._explain(pattern))
            names = [pattern] if pattern in self else [n for n in self._channels if fnmatchcase(n, pattern)]
            if not names:
                raise UnknownChannelError(self._explain(pattern))
            found.update((name, self._channels[name]) for name in names if name not in found)
        return Channels(found.values())

    def indices(self, *patterns: str) -> np.ndarray:
        """Columns of the selected channels, in the order of `select`, uint32."""
        every = np.arange(self.width, dtype=np.uint32)
        chosen = [every[self.columns(channel.name)] for channel in self.select(*patterns)]
        return np.concatenate(chosen) if chosen else every

    def _explain(self, pattern: object) -> str:
        if not self:
            return f"no channel matches {pattern!r}: nothing was recorded"
        if not isinstance(pattern, str):
            name = self.names[0]
            return f"channels go by their names, got {pattern!r}: take a sample of one by results[{name!r}][0]"
        near = difflib.get_close_matches(pattern, self._channels, n=4, cutoff=0.5)
        if not near:
            literal = max(re.split(r"[*?\[\].]+", pattern), key=len)
            near = [name for name in self._channels if literal and literal.lower() in name.lower()][:4]
        if near:
            return f"no channel matches {pattern!r}; near names: {', '.join(near)}"
        some = list(self._channels)[:6]
        more = f" and {len(self) - len(some)} more" if len(self) > len(some) else ""
        return f"no channel matches {pattern!r}; there are: {', '.join(some)}{more}"
