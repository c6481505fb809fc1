"""Tables and parts that open, as HTML; texts are escaped here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

#: Rows that a table shows at most.
MOST_ROWS = 100


def heading(text: str, beside: str = "") -> str:
    """A line in bold, and what is said beside it."""
    return f"<div><b>{escape(text)}</b>{' ' + escape(beside) if beside else ''}</div>"


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table; of more rows than fit it says how many are left out. Numbers stand right, to four digits."""
    every = list(rows)
    head = "".join(f'<th style="text-align:left">{escape(name)}</th>' for name in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in every[:MOST_ROWS])
    more = len(every) - MOST_ROWS
    left_out = f'<tr><td colspan="{len(columns)}">and {more} more</td></tr>' if more > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}{left_out}</tbody></table>"


def foldable(summary: str, content: str, shown: bool = False) -> str:
    """Content that opens by a click on its summary."""
    return f"<details{' open' if shown else ''}><summary>{escape(summary)}</summary>{content}</details>"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f'<td style="text-align:right">{value:.4g}</td>'
    return f'<td style="text-align:left">{escape(str(value))}</td>'


def note(text: str) -> str:
    """A line of text."""
    return f"<div>{escape(text)}</div>"
