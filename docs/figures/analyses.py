"""Figures of the guide to modes, fan diagrams and linear systems: a blade on a rotating hub."""

import matplotlib.pyplot as plt
import numpy as np
from registry import figure

import samara as sm

SPEED = 20.0  # rad/s
TIP = "blade.n8"


def blade() -> sm.Model:
    """The model of the page."""
    model = sm.Model("blade")
    turn = sm.Constant(sm.Parameter("speed", SPEED, unit="rad/s")) * sm.Expression(lambda t: t)
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, turn)))
    span = sm.Span(station=[0.0, 4.0], mass=6.0, EA=1e8, GJ=2e4, EI_y=8e3, EI_z=3e5, inertia_y=0.01, inertia_z=0.05)
    nodes = sm.add_beam(model, "blade", span, root=hub, elements=4, damping=1e-4)
    model.add("push", sm.Force(nodes[-1], force=(0, 0, sm.Input("push", unit="N"))))
    return model


@figure
def analyses_modes() -> plt.Figure:
    """Flap modes of the rotating blade, normalised to a maximum of 1."""
    found = sm.modes(sm.steady_rotation(blade(), SPEED), 8)
    picture, axes = plt.subplots()
    flap = np.flatnonzero(found.share((2, 4)) > 0.9)[:3]
    for k in flap:
        lift = found.displacements(k)[:, 2].real
        order = np.argsort(found.p[:, 0])
        x, z = np.append(0.0, found.p[order, 0]), np.append(0.0, lift[order])
        z /= z[np.abs(z).argmax()]
        axes.plot(x, z, ".-", label=f"{found.frequencies_hz[k]:.2f} Hz")
    axes.axhline(0.0, color="0.6", linewidth=0.8)
    axes.set(
        xlabel="position along the blade [m]",
        ylabel="flap displacement, maximum 1",
        title=f"flap modes at {SPEED:g} rad/s",
    )
    axes.legend()
    return picture


@figure
def analyses_fan() -> plt.Figure:
    """Fan diagram."""
    return sm.campbell(blade(), np.linspace(2.0, 30.0, 8), count=4, parameter="speed").plot(per_rev=5)


@figure
def analyses_response() -> plt.Figure:
    """Frequency response to a force at the tip."""
    sim = sm.steady_rotation(blade(), SPEED)
    system = sm.state_space(sim, inputs="push", outputs=(f"{TIP}.position", "blade.beam1.moment_1"))
    omega = np.linspace(1.0, 160.0, 800)
    rows = [system.outputs.index(f"{TIP}.position.z"), system.outputs.index("blade.beam1.moment_1.y")]
    size = np.abs([system.response(w)[rows, 0] for w in omega])
    picture, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(6.4, 4.2))
    above.semilogy(omega, size[:, 0])
    above.set(ylabel="tip [m/N]", title="response to an out-of-plane force at the tip")
    below.semilogy(omega, size[:, 1])
    below.set(ylabel="root moment [N m/N]", xlabel="frequency [rad/s]")
    return picture
