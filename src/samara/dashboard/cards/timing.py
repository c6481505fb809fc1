"""How the loop does: times of steps and wake-ups with their histogram, and counts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from nicegui import ui

from samara.dashboard.traces.histogram import rebinned

if TYPE_CHECKING:
    from samara.dashboard.page import Page

#: Font size of the page [px], in the browser.
LETTERS = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
SERIES = (("step", "#4fc3f7"), ("wake-up", "#ffb74d"))
COUNTS = (
    "overruns", "late_steps", "skipped", "degraded", "not_converged", "repeated", "divided", "dropped", "silent",
    "resets",
)  # fmt: skip


class TimingCard:
    """Once a second."""

    def __init__(self, page: Page) -> None:
        self._page = page
        with ui.element("div").classes("box fill").props('data-testid="timing"').style("min-height: auto"):
            with ui.element("div").classes("head"):
                ui.label("Loop").classes("title")
            self._times = ui.html("", sanitize=False)
            self._chart = ui.echart(_options()).classes("stretch")
            self._counts = ui.html("", sanitize=False)

    def update(self) -> None:
        """Once a second."""
        if self._page.tick % 25 != 2:
            return
        health = self._page.feed.health
        rows = "".join(
            f"<tr><td>{name}</td>"
            + "".join(f"<td>{_us(found[p])}</td>" for p in ("p50", "p99", "p999", "max"))
            + "</tr>"
            for name, found in (("step", health.step), ("wake-up", health.latency))
        )
        head = "<tr><th>[µs]</th><th>p50</th><th>p99</th><th>p99.9</th><th>max</th></tr>"
        self._times.set_content(f"<table class='facts mono'>{head}{rows}</table>")
        for k, counts in enumerate((health.steps, health.latencies)):
            edges, found = rebinned(counts)
            data = [[float(f"{edge:.4g}"), int(n)] for edge, n in zip(edges, found, strict=True) if n]
            self._chart.options["series"][k]["data"] = data
        self._chart.update()
        cells = [(name.replace("_", " "), health.accounts[name]) for name in COUNTS]
        table = "".join(
            "<tr>"
            + "".join(f"<td class='soft'>{name}</td><td>{count}</td>" for name, count in cells[k : k + 2])
            + "</tr>"
            for k in range(0, len(cells), 2)
        )
        self._counts.set_content(f"<table class='facts'>{table}</table>")


def _us(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.0f}" if value >= 100 else f"{value:.1f}"


def _options() -> dict:
    label = {"color": "#7f93a8", "hideOverlap": True, ":fontSize": f"0.72 * {LETTERS}"}
    axis = {"axisLine": {"lineStyle": {"color": "#35485c"}}, "axisLabel": label}
    grid = {"splitLine": {"lineStyle": {"color": "#1d2a38"}}}
    return {
        "animation": False,
        "grid": {"left": 8, "right": 14, "top": 26, "bottom": 4, "containLabel": True},
        "legend": {"top": 0, "textStyle": {"color": "#9fb1c4", ":fontSize": f"0.8 * {LETTERS}"}, "itemHeight": 8},
        "tooltip": {"trigger": "axis"},
        "xAxis": {"type": "log", "name": "µs", "nameLocation": "end", "nameGap": 2, **axis, **grid},
        "yAxis": {"type": "log", "min": 0.5, "axisLabel": label, **grid},
        "series": [
            {"type": "line", "step": "end", "name": name, "data": [], "symbol": "none", "color": colour,
             "areaStyle": {"opacity": 0.15}}
            for name, colour in SERIES
        ],
    }  # fmt: skip
