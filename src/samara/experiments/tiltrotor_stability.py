"""The stability of a soft-in-plane tiltrotor: long transients as the source has them, and eigenvalues beside them."""

from __future__ import annotations

from typing import Annotated

from samara.experiments import tiltrotor_statements
from samara.experiments.registry import Experiment, Finding, Outcome
from samara.experiments.tiltrotor_figures import DRAWN, figures
from samara.experiments.tiltrotor_study import TiltrotorStudy, study
from samara.models.registry import Quantity
from samara.models.soft_in_plane import STAND_IN


def run(
    beams: Annotated[int, Quantity("", "per blade: 0 for rigid blades; 8, 16, 60 in the source")] = 0,
    wing_stiffness: Annotated[float, Quantity("1", "factor on the wing's, as an aeroplane", positive=True)] = 1.5,
    end: Annotated[float, Quantity("s", "of the wind-ups", positive=True)] = 20.0,
    speeds: Annotated[int, Quantity("1", "of the Coleman plot's lines", positive=True)] = 19,
    circles: Annotated[int, Quantity("1", "of the Coleman plot's circles", positive=True)] = 7,
    pitches: Annotated[int, Quantity("1", "collective pitches, 3.5 to 12 degrees", positive=True)] = 4,
    smoothing: Annotated[float, Quantity("s", "of both ends of the conversion", positive=True)] = 0.2,
    last_wind: Annotated[float, Quantity("m/s", "up to which flutter is looked for", positive=True)] = 200.0,
) -> Outcome:
    """Figures 3 to 10 of the source, and flutter over the airstream, with the wing as it is and `wing_stiffness` times.

    Wind-ups and the Coleman plot are in vacuum, where the air's share of the wing's damping is part of the surrogate;
    conversion, collective pitch and flutter are in air. Rigid blades take about two minutes; see the validation page
    for elastic ones.
    """
    found = study(beams, wing_stiffness, end, speeds, circles, pitches, smoothing, last_wind)
    drawn = figures(found)
    return Outcome(
        results=found.wind_ups[0.2],
        findings=_findings(found),
        draw=drawn["10_coleman"],
        sheet=tiltrotor_statements.sheet(found),
        figures=drawn,
    )


def _findings(found: TiltrotorStudy) -> tuple[Finding, ...]:
    """Numbers that stand for the study."""
    rates = {0.2: "0.0364 by the surrogate's equations", 0.3: "-0.0564", 0.4: "-0.1468"}
    listed = [Finding(f"growth_{100 * z:.0f}", found.rate(z).real, "1/s", text) for z, text in rates.items()]
    for z, circles in found.circles.items():
        at_speed = circles[1.0].eigenvalues[0].real
        listed.append(Finding(f"identified_{100 * z:.0f}", at_speed, "1/s", f"{found.rate(z).real:.4f} by eigenvalues"))
    low, high = found.coleman.unstable(0.2)
    listed += [
        Finding("unstable_from", low, "1", "of 888 rpm, with 20 %"),
        Finding("unstable_to", high, "1", "of 888 rpm, with 20 %"),
        Finding("lag_meets_wing_at", found.meets, "1", "about 0.9 in the source"),
    ]
    for stiffness, flutter in found.flutters.items():
        name = f"{stiffness:g}".replace(".", "_")
        listed += [
            Finding(f"flutter_speed_{name}", flutter.speed, "m/s", f"wing stiffness {stiffness:g}"),
            Finding(f"flutter_frequency_{name}", flutter.frequency, "Hz"),
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
