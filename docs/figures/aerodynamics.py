"""Figures of air and aerofoils."""

import matplotlib.pyplot as plt
import numpy as np
from registry import figure


@figure
def polars() -> plt.Figure:
    """Coefficients of the NACA 0012 over the full range and near stall, from the table and by formula."""
    from samara import KirchhoffAerofoil, naca0012

    table, formula = naca0012(), KirchhoffAerofoil()
    picture, axes = plt.subplots(2, 3, figsize=(9.6, 5.4))
    for row, angles in zip(axes, (np.linspace(-180, 180, 721), np.linspace(-25, 25, 401)), strict=True):
        for mach, color in ((0.3, "C0"), (0.5, "C1"), (0.7, "C2"), (0.8, "C3")):
            values = np.array([table.coefficients(np.radians(a), mach) for a in angles])
            smooth = np.array([formula.coefficients(np.radians(a), mach) for a in angles])
            for panel, y, z in zip(row, values.T, smooth.T, strict=True):
                panel.plot(angles, y, color=color, linewidth=1.2, label=f"Mach {mach:g}")
                if mach in (0.3, 0.5):
                    panel.plot(angles, z, color=color, linewidth=0.9, linestyle=":")
    for panel, title in zip(axes[0], ("cl", "cd", "cm"), strict=True):
        panel.set(title=title, xticks=(-180, -90, 0, 90, 180))
    for panel in axes[1]:
        panel.set(xlabel="angle of attack [degrees]")
    axes[1, 0].legend(fontsize="x-small")
    return picture


@figure
def gusts() -> plt.Figure:
    """Gust shapes versus time, and a gust front at three points of a rotor disk."""
    from samara import Front, OneMinusCosine, SineGust, SmoothStep

    up, times = (0.0, 0.0, 5.0), np.linspace(0.0, 1.0, 401)
    shapes = {
        "OneMinusCosine": OneMinusCosine(up, duration=0.5, start=0.2),
        "SmoothStep": SmoothStep(up, duration=0.3, start=0.2),
        "SineGust": SineGust(up, frequency=20.0, start=0.2),
    }
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 3.2), sharey=True)
    for label, gust in shapes.items():
        axes[0].plot(times, [gust.velocity(np.zeros(3), t)[2] for t in times], label=label)
    front = Front(shapes["OneMinusCosine"], direction=(1, 0, 0), speed=30.0)
    for x in (-5.0, 0.0, 5.0):
        place = np.array([x, 0.0, 0.0])
        axes[1].plot(times, [front.velocity(place, t)[2] for t in times], label=f"x = {x:g} m")
    axes[0].set(xlabel="time [s]", ylabel="vertical velocity [m/s]", title="Uniform gusts")
    axes[1].set(xlabel="time [s]", title="Front at 30 m/s along x")
    for panel in axes:
        panel.legend(fontsize="small")
    return picture


@figure
def dryden() -> plt.Figure:
    """Turbulence at two points of a disk, and its spectrum with the published one."""
    from scipy.signal import welch

    from samara import Dryden, dryden_spectrum

    speed, rate = 30.0, 20.0
    field = Dryden.low_altitude(30.0, 15.0, speed=speed, seed=4, period=30e3, shortest=4.0)
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 3.4))
    times = np.arange(0.0, 20.0, 0.05)
    for x in (-10.0, 10.0):
        signal = [field.velocity(np.array([x, 0.0, 0.0]), t)[2] for t in times]
        axes[0].plot(times, signal, linewidth=1, label=f"w at x = {x:g} m")
    axes[0].set(xlabel="time [s]", ylabel="velocity [m/s]")
    samples = np.array([field.velocity(np.zeros(3), t) for t in np.arange(0.0, 1000.0, 1 / rate)])
    for k, name in ((0, "u"), (2, "w")):
        f, density = welch(samples[:, k], rate, "hann", 512)
        wave = 2 * np.pi * f[2:-1] / speed  # rad/m
        axes[1].loglog(wave, density[2:-1] * speed / (2 * np.pi), linewidth=0.8, label=f"{name}, realised")
        published = dryden_spectrum(wave, field.intensity[k], field.scale[k], k == 0)
        axes[1].loglog(wave, published, "k--" if k else "k-", linewidth=1, label=f"{name}, MIL-F-8785C")
    axes[1].set(xlabel="wave number [rad/m]", ylabel="density [(m/s)²/(rad/m)]", ylim=(1e-4, None))
    for panel in axes:
        panel.legend(fontsize="small")
    return picture


@figure
def dynamic_stall() -> plt.Figure:
    """Loops of a pitching NACA 0012 at Mach 0.3, k = 0.1, by Leishman and Beddoes' model, with the steady loads."""
    from scipy.integrate import solve_ivp

    from samara import KirchhoffAerofoil, LeishmanBeddoes

    section, steady = LeishmanBeddoes(), KirchhoffAerofoil()
    speed, chord, sound = 102.0, 0.5, 340.0
    omega = 2 * speed * 0.1 / chord
    period = 2 * np.pi / omega
    picture, axes = plt.subplots(1, 3, figsize=(9.6, 3.4))
    angles = np.linspace(0.0, 25.0, 126)
    static = np.array([steady.coefficients(np.radians(a), 0.3) for a in angles])
    for panel, y, title in zip(axes, static.T, ("cl", "cd", "cm"), strict=True):
        panel.plot(angles, y, "k:", linewidth=1, label="steady")
        panel.set(xlabel="angle of attack [degrees]", title=title)
    for mean, amplitude in ((5.0, 5.0), (10.0, 10.0), (15.0, 10.0)):

        def motion(t, mean=mean, amplitude=amplitude):
            swing = np.radians(amplitude)
            return np.radians(mean) + swing * np.sin(omega * t), swing * omega * np.cos(omega * t)

        times = np.linspace(period, 2 * period, 401)
        start = section.steady(motion(0.0)[0], 0.0, speed, chord, sound)
        run = solve_ivp(
            lambda t, y, motion=motion: section(y, *motion(t), speed, chord, sound)[0],
            (0.0, 2 * period), start, method="BDF", t_eval=times, rtol=1e-5, atol=1e-7, max_step=period / 200,
        )  # fmt: skip
        loads = [section(y, *motion(t), speed, chord, sound)[1:] for t, y in zip(times, run.y.T, strict=True)]
        alpha = np.degrees(motion(times)[0])
        for panel, load in zip(axes, np.transpose(loads), strict=True):
            panel.plot(alpha, load, linewidth=1.2, label=f"{mean:g}° + {amplitude:g}° sin")
    axes[0].legend(fontsize="x-small")
    return picture
