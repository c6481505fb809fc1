"""Figures of the tiltrotor in the wind tunnel."""

import matplotlib.pyplot as plt
import numpy as np
from registry import figure

import samara as sm
from samara import experiments
from samara.models.tiltrotors import tiltrotor


@figure
def windmill_spin_up() -> plt.Figure:
    """Airstream, speed, pitch, thrust, torque and flap while the tunnel starts."""
    return experiments.find("windmill-spin-up").run().draw()


@figure
def windmill_gust() -> plt.Figure:
    """The same in an oscillating airstream."""
    return experiments.find("windmill-gust").run().draw()


@figure
def tiltrotor_controls() -> plt.Figure:
    """Blade pitch of the tiltrotor: elastic deflection, coupling with flap, and cyclic pitch over a revolution."""
    drawn, (left, middle, right) = plt.subplots(1, 3, figsize=(10.0, 3.2), layout="constrained")
    _draw_give_way(left)
    _draw_delta3(middle)
    _draw_cyclic(right)
    for axes in (left, middle, right):
        axes.grid(alpha=0.3)
        axes.legend(fontsize="x-small")
    return drawn


def _short(end: float = 1.5, **settings) -> sm.Results:
    model = tiltrotor.build(wing=False, **settings)
    return sm.transient(model, end, 1e-3, tolerance=1e-8, progress=False)


def _pitch(run: sm.Results) -> float:
    return float(np.mean([run[f"blade_{k}.pitch.angle"][-1] for k in (1, 2, 3)]))


def _draw_give_way(axes) -> None:
    factors, off, theory = (0.5, 1.0, 2.0, 4.0), [], []
    for factor in factors:
        stiffness = factor * tiltrotor.CONTROL_STIFFNESS
        run = _short(control_stiffness=stiffness)
        pitch, command = _pitch(run), run["governor.output.value"][-1]
        off.append(pitch - tiltrotor.RIGGED - np.arcsin(command - tiltrotor.RIGGED))
        feather = tiltrotor.BLADE.body()["inertia"][0]
        theory.append(-feather * tiltrotor.SPEED**2 * np.sin(pitch) * np.cos(pitch) / stiffness)
    compliance = 1.0 / np.array(factors)
    axes.plot(compliance, np.degrees(theory), "k--", label="propeller moment × compliance")
    axes.plot(compliance, np.degrees(off), "o", label="windmilling")
    axes.set(xlabel="control compliance / default", ylabel="elastic pitch change [deg]")


def _draw_delta3(axes) -> None:
    for angle in (-30.0, 0.0, 30.0):
        run = _short(0.5, theta1s_deg=2.0, delta3_deg=angle, governed=False)
        late = run.time > 0.3
        # against the mast: the hub turns about the span as it tilts
        about, flap = np.degrees(run["hub.spring.rotation"][late, :2]).T * [[1.0], [-1.0]]
        azimuth = run["rotor.azimuth"][late]
        pitch = np.degrees(run["blade_1.pitch.angle"][late]) + about
        slope = -np.tan(np.radians(angle))
        coupled = pitch - 2.0 * np.sin(azimuth)
        coupled -= np.mean(coupled - slope * flap)  # the collective
        (line,) = axes.plot(flap, coupled, ".", markersize=2.0)
        ends = np.array([flap.min(), flap.max()])
        axes.plot(ends, slope * ends, "--", color=line.get_color(), label=f"delta-3 {angle:.0f} deg")
    axes.set(xlabel="flap of blade 1 [deg]", ylabel="pitch without the cyclic [deg]")


def _draw_cyclic(axes) -> None:
    run = _short(2 * np.pi / tiltrotor.SPEED, theta1c_deg=2.0, theta1s_deg=1.0, governed=False, hub_spring=1e6)
    azimuth = tiltrotor.SPEED * run.time
    asked = 2.0 * np.cos(azimuth) + np.sin(azimuth)
    pitch = np.degrees(run["blade_1.pitch.angle"])
    axes.plot(np.degrees(azimuth), asked, "k--", label="commanded")
    axes.plot(np.degrees(azimuth), pitch - pitch.mean(), label="blade 1")
    axes.set(xlabel="azimuth from up [deg]", ylabel="cyclic pitch [deg]")
