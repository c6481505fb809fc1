"""Rotors on the panel: a measure of the blades by azimuth, multiblade coordinates, tilt of the tips' plane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from nicegui import ui
from nicegui.element import Element

from samara.dashboard.views.rotor_plots import TURNS, plots, shown_unit
from samara.dashboard.views.scene_view import packed
from samara.dashboard.views.tip_path import tip_path

if TYPE_CHECKING:
    from samara.dashboard.feed.feed import Feed

#: Plots are drawn anew at every so manieth update; the tilt at each.
EVERY = 3


class RotorElement(Element, component="rotor_view.js"):
    """The canvases in the browser. seen: whether they are on the screen: nothing is sent otherwise."""

    def __init__(self, rotor: dict[str, Any]) -> None:
        super().__init__()
        words = [blade["name"].rpartition(".")[2] for blade in rotor["blades"]]
        self._props["blades"] = words
        self._props["sense"] = rotor["sense"]
        self._props["zero"] = "at x of the disk (aft)" if "sensor" in rotor["azimuth"] else "where the hub began"
        self.seen = True
        self.on("seen", lambda event: setattr(self, "seen", bool(event.args["on"])))


class RotorView:
    """All rotors of a feed's machine, one at a time; nothing where there is none. Built in the container of the moment.

    Azimuths count in the sense of rotation, from the x axis of the rotor's disk, which models have aft; plots are seen
    from above, with zero below. Angles are shown in degrees.
    """

    def __init__(self, feed: Feed) -> None:
        self.feed = feed
        known = {signal.name for signal in feed.card.sensors}
        self.rotors = [_published(rotor, known) for rotor in feed.scene.get("rotors", ())]
        self.rotor: dict[str, Any] | None = None
        self.element: RotorElement | None = None
        self.turns, self.measure, self._count = TURNS[2], "", 0
        if not self.rotors:
            return
        with ui.column().classes("w-full gap-1").style("min-height: 0; overflow-y: auto; flex-wrap: nowrap"):
            with ui.row().classes("w-full items-center gap-x-2 gap-y-0"):
                names = {k: rotor["name"] for k, rotor in enumerate(self.rotors)}
                chosen = ui.toggle(names, value=0, on_change=lambda e: self._choose(e.value))
                chosen.props("dense no-caps flat size=sm").set_visibility(len(names) > 1)
                self._measures = ui.select(
                    {}, label="measure of the blades", with_input=True, on_change=lambda e: self._take(e.value)
                )
                self._measures.props("dense options-dense").classes("flex-1 min-w-40")
                self._with_mean = ui.switch("mean", value=True).tooltip(
                    "show the mean among the multiblade coordinates"
                )
                self._with_mean.props("dense size=sm")
                turns = ui.toggle(list(TURNS), value=self.turns, on_change=lambda e: self._turn(e.value))
                turns.props("dense no-caps flat size=sm").tooltip("revolutions that are shown")
            self._place = ui.element("div").classes("w-full")
        self._choose(0)

    # ---- what an operator chooses
    def _choose(self, k: int) -> None:
        self.rotor = self.rotors[k]
        self._place.clear()
        with self._place:
            self.element = RotorElement(self.rotor)
        units = {signal.name: signal.unit for signal in self.feed.card.sensors}
        self._units = {name: units[sensors[0]] for name, sensors in self.rotor["groups"].items()}
        options = {name: f"{name} [{shown_unit(unit)}]" for name, unit in self._units.items()}
        self._measures.set_options(options, value=next(iter(options), None))

    def _take(self, measure: str | None) -> None:
        self.measure, self._count = measure or "", 0

    def _turn(self, turns: int) -> None:
        self.turns, self._count = turns, 0

    # ---- some 25 times a second
    def update(self) -> None:
        """Sends what is new."""
        if self.rotor is None or self.element is None or not self.element.seen:
            return
        poses = self.feed.poses()
        if len(poses) and np.any(poses):
            found = tip_path(self.feed.scene, self.rotor, poses)
            _ = self.element.run_method(
                "tilt",
                {
                    "coning": found.coning,
                    "cosine": found.cosine,
                    "sine": found.sine,
                    "psi": found.psi.round(4).tolist(),
                },
            )
        if self._count % EVERY == 0 and self.measure:
            head, numbers = plots(
                self.rotor, self.measure, self._units[self.measure], self.feed.column, self.turns, self._with_mean.value
            )
            _ = self.element.run_method("show", head, packed(numbers))
        self._count += 1


def present(feed: Feed) -> bool:
    """Whether there is a rotor to show."""
    return bool(feed.scene.get("rotors"))


def build(feed: Feed) -> RotorView:
    """The view, in the container of the moment."""
    return RotorView(feed)


def _published(rotor: dict[str, Any], known: set[str]) -> dict[str, Any]:
    """With those measures alone that the session has."""
    return rotor | {"groups": {name: s for name, s in rotor["groups"].items() if known.issuperset(s)}}
