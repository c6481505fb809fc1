"""Where variants are carried out one after another; what is compiled for one serves the next."""

from __future__ import annotations

import tempfile
import time
import traceback
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from samara.entry import one_line
from samara.model import ArgumentError, Model
from samara.models.registry import load_steps
from samara.results import Results
from samara.solve import Diverged, Simulation, static, transient
from samara.solve.as_simulation import as_simulation
from samara.solve.measures import chosen
from samara.sweep.measures import ChannelMeasures
from samara.sweep.study import Finished, Study, require_measure_names
from samara.sweep.variants import Value
from samara.system.system import System

#: Name of what `measure` returns without one.
UNNAMED = "value"


class Bench:
    """Makes, runs and measures variants of a study.

    A compiled model is kept while what `make` is given stays the same. Before each variant it gets the parameters and
    inputs back that it was made with, so that a variant knows nothing of those before it. One that fails is tried
    again on a new model if it had an old one: only then is the failure its own.
    """

    def __init__(self, study: Study) -> None:
        self.study = study
        self._system: System | None = None
        self._made_of: dict[str, Value] = {}
        self._parameters: dict[str, float] = {}  # as the model was made with

    def perform(self, values: Mapping[str, Value]) -> Finished:
        """Whatever happens in user's code, the variant is finished afterwards."""
        began = time.perf_counter()
        measures: dict[str, Any] = {}
        units: dict[str, str] = {}
        cause = trace = ""
        try:
            try:
                measures, units = self._measured(values)
            except Exception:
                if self._system is None or self._fresh:
                    raise
                self.clear()
                measures, units = self._measured(values)
        except (Exception, SystemExit) as error:
            cause, trace = _cause(error), "".join(traceback.format_exception(error))
            self.clear()
        return Finished(measures, units, cause, trace, time.perf_counter() - began)

    def _measured(self, values: Mapping[str, Value]) -> tuple[dict[str, Any], dict[str, str]]:
        study = self.study
        with tempfile.TemporaryDirectory(prefix="samara-sweep-") as folder:
            subject = self._made(values)
            if study.run.timeline.end is not None:
                subject = self._run(subject, Path(folder))
            found = study.measure(subject)
        units = study.measure.units(subject) if isinstance(study.measure, ChannelMeasures) else {}
        return measured(found, study.names), units

    def _made(self, values: Mapping[str, Value]) -> Any:
        """A simulation of the variant at its start; what `make` returns if that is no model."""
        given, named = self.study.split(values)
        self._fresh = self._system is None or given != self._made_of
        if self._fresh:
            self.clear()
            made = self.study.make(**given)
            if not isinstance(made, Model):
                return made
            self._parameters = {name: parameter.value for name, parameter in made.parameters.items()}
            self._system, self._made_of = System(made), given
        system, run = self._system, self.study.run
        assert system is not None
        for name, value in {**self._parameters, **named}.items():
            system.set_parameter(name, value)  # type: ignore[arg-type]
        system.reset()
        return as_simulation("sweep", system, run.method, trees=True, runs=True)

    def clear(self) -> None:
        """Lets go of the model; its parameters are as it was made with, for it may be the user's own."""
        if self._system is not None:
            for name, value in self._parameters.items():
                self._system.model.parameters[name].put(value)
        self._system = None

    def _run(self, subject: Any, folder: Path) -> Results:
        run = self.study.run
        if run.analysis == "static":
            return static(subject, steps=load_steps(run.timeline.step or 1.0))
        timeline = replace(run.timeline, outputs=self._outputs(subject))
        return transient(subject, timeline=timeline, progress=False, dump=folder / "dump.npz")

    def _outputs(self, subject: Any) -> tuple[str, ...]:
        """What is recorded: of measures by name, their channels alone."""
        measure, outputs = self.study.measure, self.study.run.timeline.outputs
        if isinstance(measure, ChannelMeasures) and isinstance(subject, Simulation) and outputs == ("*",):
            return measure.recorded(chosen(subject.system, outputs)[0])
        return outputs


def measured(found: Any, parameters: tuple[str, ...]) -> dict[str, Any]:
    """Plain numbers and lists of them by name, from what `measure` returned."""
    named = found if isinstance(found, Mapping) else {UNNAMED: found}
    if not named:
        raise ArgumentError("measure returns nothing: return a number, or numbers by name")
    require_measure_names(named, parameters)
    return {name: _plain(name, value) for name, value in named.items()}


def _plain(name: str, value: Any) -> Any:
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        array = np.asarray(None)
    if array.dtype.kind == "c":
        raise ArgumentError(
            f"measure gives complex numbers for {name!r}: give real and imaginary parts by names of their own"
        )
    if array.dtype.kind not in "biuf":
        raise ArgumentError(f"measure gives {value!r} for {name!r}: give a number or an array of numbers")
    return array.astype(float).tolist()


def _cause(error: BaseException) -> str:
    text = one_line(error)
    if isinstance(error, Diverged) and error.dump is not None:  # of a variant they are not kept
        text = text.replace(f"; the last states are in {error.dump}", "")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
