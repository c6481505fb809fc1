"""A searchable list of signals, which the page gets when it is opened: a rotor has a thousand of them."""

from __future__ import annotations

from typing import Any

from nicegui import ui


class SignalChoice(ui.select):
    """`fill` brings the list; until then it knows its value only."""

    def __init__(
        self, names: list[str], value: Any = None, *, multiple: bool = False, label: str | None = None
    ) -> None:
        value = value or ([] if multiple else None)
        super().__init__(_known(value), value=value, multiple=multiple, with_input=True, label=label)
        self._names, self._full = names, False
        self.props("options-dense")

    def fill(self) -> None:
        """Brings the list, once."""
        if not self._full:
            self._full = True
            self.set_options(self._names, value=self.value)

    def choose(self, value: Any) -> None:
        """Another value, by the program."""
        self.set_options(self._names if self._full else _known(value), value=value)


def _known(value: Any) -> list[str]:
    return list(value) if isinstance(value, list) else [value] if value else []
