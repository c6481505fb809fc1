"""Stability of a soft-in-plane tiltrotor: the long transients of the source, compared with eigenvalues."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

from samara.experiments.registry import Experiment, Finding, Outcome, Sheet
from samara.experiments.tiltrotors import tiltrotor_statements
from samara.experiments.tiltrotors.tiltrotor_figures import DRAWN, figures
from samara.experiments.tiltrotors.tiltrotor_modes import WIND_ERROR_ELASTIC, WIND_STEP, WIND_STEP_ELASTIC
from samara.experiments.tiltrotors.tiltrotor_study import SPEEDS, TiltrotorStudy, study
from samara.model import ModelError
from samara.models.registry import Quantity
from samara.models.tiltrotors.soft_in_plane import STAND_IN
from samara.results import Results


def run(
    beams: Annotated[int, Quantity("", "per blade: 0 for rigid blades; 8, 16, 60 in the source")] = 0,
    wing_stiffness: Annotated[float, Quantity("1", "factor on the wing's, as an aeroplane", positive=True)] = 1.5,
    end: Annotated[float, Quantity("s", "of the wind-ups", positive=True)] = 20.0,
    speeds: Annotated[int, Quantity("1", "of the Coleman plot's lines; 0: 19, with elastic blades 10")] = 0,
    circles: Annotated[int, Quantity("1", "of the Coleman plot's circles", positive=True)] = 7,
    pitches: Annotated[int, Quantity("1", "collective pitches, 3.5 to 12 degrees", positive=True)] = 4,
    smoothing: Annotated[float, Quantity("s", "of both ends of the conversion", positive=True)] = 0.2,
    last_wind: Annotated[float, Quantity("m/s", "up to which flutter is looked for", positive=True)] = 200.0,
) -> Outcome:
    """Figures 3 to 10 of the source, and flutter over airspeed, for the nominal wing and `wing_stiffness` times it.

    Wind-ups and the Coleman plot are in vacuum, where the surrogate includes the aerodynamic part of the wing damping;
    conversion, collective pitch and flutter are in air. Each part is computed when its figure is drawn, so that
    finished figures remain if a later part fails. Elastic blades use coarser steps of speed and airspeed, which their
    findings state; for their cost see the validation page.
    """
    if speeds < 0:
        raise ModelError(f"speeds must not be negative, got {speeds}")
    return StudyOutcome(study(beams, wing_stiffness, end, speeds, circles, pitches, smoothing, last_wind))


class StudyOutcome(Outcome):
    """Results of the study, computed on demand; a figure computes the parts that it shows."""

    found: TiltrotorStudy

    def __init__(self, found: TiltrotorStudy) -> None:
        drawn = figures(found)
        for name, value in (("found", found), ("draw", drawn["10_coleman"]), ("figures", drawn)):
            object.__setattr__(self, name, value)  # the class is frozen; its other fields are properties here

    __repr__ = object.__repr__  # a dataclass repr would compute everything

    @cached_property
    def results(self) -> Results:
        """The wind-up with 20 %."""
        return self.found.wind_ups[0.2]

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Main numbers of the study."""
        return _findings(self.found)

    @cached_property
    def sheet(self) -> Sheet:
        """Statements of the source."""
        return tiltrotor_statements.sheet(self.found)


def _findings(found: TiltrotorStudy) -> tuple[Finding, ...]:
    """Main numbers of the study."""
    rates = {0.2: "0.0364 by the surrogate's equations", 0.3: "-0.0564", 0.4: "-0.1468"}
    listed = [Finding(f"growth_{100 * z:.0f}", found.rate(z).real, "1/s", text) for z, text in rates.items()]
    for z, circles in found.circles.items():
        at_speed = circles[1.0].eigenvalues[0].real
        listed.append(Finding(f"identified_{100 * z:.0f}", at_speed, "1/s", f"{found.rate(z).real:.4f} by eigenvalues"))
    low, high = found.coleman.unstable(0.2)
    parts = found.coleman.parts
    between = f"of 888 rpm, with 20 %; straight between {parts.size} speeds"
    listed += [
        Finding("unstable_from", low, "1", between),
        Finding("unstable_to", high, "1", between),
        Finding("lag_meets_wing_at", found.meets, "1", "about 0.9 in the source"),
    ]
    for stiffness, flutter in found.flutters.items():
        name = f"{stiffness:g}".replace(".", "_")
        listed += [
            Finding(f"flutter_speed_{name}", flutter.speed, "m/s", f"wing stiffness {stiffness:g}"),
            Finding(f"flutter_frequency_{name}", flutter.frequency, "Hz"),
        ]
    if found.beams:
        coarser = f"{WIND_STEP:g} m/s with rigid blades; its speed is found to {WIND_ERROR_ELASTIC:g} m/s"
        listed += [
            Finding("speeds", float(parts.size), "1", f"of the Coleman plot; {SPEEDS} with rigid blades"),
            Finding("wind_step", WIND_STEP_ELASTIC, "m/s", f"of the search for flutter; {coarser}"),
        ]
    agree = [s.agrees for s in tiltrotor_statements.statements(found)]
    listed.append(Finding("statements_that_agree", float(sum(agree)), "1", f"{len(agree)} statements"))
    return tuple(listed)


EXPERIMENT = Experiment(
    "tiltrotor-stability",
    "a soft-in-plane tiltrotor: wind-up, conversion, Coleman plot, flutter; transients beside eigenvalues",
    "Quaranta, Masarati and Mantegazza, 26th European Rotorcraft Forum, 2000, section 4.2, figures 3 to 10",
    run,
    STAND_IN,
    figures=tuple(DRAWN),
)
