"""Figure of the guide to identification: a shaft with material damping."""

import matplotlib.pyplot as plt
import numpy as np
from registry import figure

import samara as sm

BENDING = ("bend_x.displacement", "bend_y.displacement")


def shaft(speed: float, damping: float) -> sm.Model:
    """The model of the page."""
    model = sm.Model("shaft")
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, sm.Expression(lambda t: speed * t))))
    disk = model.node("disk", velocity=(0.01, 0, 0), angular_velocity=(0, 0, speed))
    model.add("body", sm.Body(disk, mass=2.0, inertia=(0.1, 0.1, 0.2)))
    for name, axis, stiffness in (("x", (1, 0, 0), 200.0), ("y", (0, 1, 0), 200.0), ("z", (0, 0, 1), 2e4)):
        model.add(f"bend_{name}", sm.Axial(hub, disk, axis=axis, law=sm.LinearLaw(stiffness, damping)))
        model.add(f"tilt_{name}", sm.Torsion(hub, disk, axis=axis, law=sm.LinearLaw(1e3)))
    return model


@figure
def identification_coleman() -> plt.Figure:
    """Lines of the undamped model, and points identified from runs."""
    speeds, tested = np.linspace(0.5, 18.5, 13), np.array([1.0, 2, 4, 6, 8, 9, 11, 12, 14, 16, 18])
    lines = sm.track(speeds, [sm.modes(sm.steady_rotation(shaft(w, 0.0), w), 2) for w in speeds])
    runs = [sm.transient(shaft(w, 1.0), end=8.0, step=4e-3, outputs=BENDING, progress=False) for w in tested]
    found = [sm.matrix_pencil(run, BENDING, window=(0.5, 8.0), order=4) for run in runs]
    return sm.coleman_plot(lines, sm.track(tested, found), per_rev=2, title="shaft with material damping")
