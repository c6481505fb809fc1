"""Figures of rotor joints."""

import matplotlib.pyplot as plt
import numpy as np
from registry import figure

import samara as sm
from samara import Body, Model, transient
from samara.models.mechanisms import gimbal
from samara.rotations import rotation_x


@figure
def gimbal_and_cardan() -> plt.Figure:
    """Speed of a tilted hub and lag of a blade, driven through a gimbal and through a Cardan joint."""
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 3.4))
    turn, axis = 2 * np.pi / gimbal.SPEED, rotation_x(np.deg2rad(gimbal.TILT_DEG))[:, 2]
    for coupling, label, style in (
        ("gimbal", "Gimbal", "-"),
        ("joints", "gimbal of base joints", ":"),
        ("cardan", "Universal (Cardan)", "-"),
    ):
        run = transient(gimbal.build(coupling), 2 * turn, turn / 360, progress=False)
        azimuth = run.time / turn
        axes[0].plot(azimuth, run["hub.angular_velocity"] @ axis / gimbal.SPEED, style, label=label)
        axes[1].plot(azimuth, np.rad2deg(run["blade_0.hinge.angle"]), style, label=label)
    axes[0].set(xlabel="revolutions of the mast", ylabel="hub speed / mast speed")
    axes[1].set(xlabel="revolutions of the mast", ylabel="lag of a blade [deg]")
    axes[0].legend(fontsize="x-small")
    return picture


@figure
def stop_law() -> plt.Figure:
    """Force versus indentation in an impact, and effective restitution of the laws."""
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 3.4))
    speed = 0.7
    for e in (0.9, 0.8, 0.5, 0.3):
        model = Model("impact")
        ball = model.node("ball", velocity=(0, 0, speed))
        model.add("mass", Body(ball, mass=3.0, inertia=(1, 1, 1)))
        stop = sm.OneSidedLaw(sm.FloresLaw(1e7, e, speed), side="tension")
        model.add("stop", sm.Axial(model.ground, ball, law=stop))
        run = transient(model, 0.02, 1e-5, progress=False)
        touching = run["stop.effort"] > 0
        axes[0].plot(1e3 * run["stop.displacement"][touching], 1e-3 * run["stop.effort"][touching], label=f"e = {e}")
    axes[0].set(xlabel="indentation [mm]", ylabel="force [kN]", title="Flores")
    nominal = np.linspace(0.05, 1.0, 96)
    for law in (sm.FloresLaw, sm.HuntCrossleyLaw):
        axes[1].plot(nominal, [law(1e7, e, speed).restitution_at(speed) for e in nominal], label=law.__name__)
    restoring = [sm.ContactLaw.restoring(1e7, e, speed).restitution_at(speed) for e in nominal]
    axes[1].plot(nominal, restoring, "k:", label="ContactLaw.restoring")
    axes[1].set(xlabel="nominal restitution", ylabel="effective restitution")
    for panel in axes:
        panel.legend(fontsize="x-small")
    return picture


@figure
def joint_friction() -> plt.Figure:
    """Steady friction versus sliding speed, and stick-slip of a block on a spring."""
    picture, axes = plt.subplots(1, 2, figsize=(9.6, 3.4))
    friction = sm.Friction(1.0, static=1.5, stribeck=0.01, transition=1e-3, viscous=2.0)
    v = np.linspace(-0.06, 0.06, 1201)
    axes[0].plot(v, [friction.traction(None, 1.0, np.array([x])).forces[0] for x in v])
    axes[0].set(xlabel="sliding speed [m/s]", ylabel="friction / normal force")
    model = Model("stick and slip")
    block = model.node("block")
    model.add("mass", Body(block, mass=1.0, inertia=(1, 1, 1)))
    bristles = sm.LuGre(1.0, 1e5, static=1.5, stribeck=1e-3, damping=316.0, viscous=0.4, preload=1.0)
    model.add("guide", sm.Prismatic(model.ground, block, axis=(1, 0, 0), friction=bristles))
    driver = model.prescribed("driver", sm.Motion(position=(lambda t: 0.1 * t, 0, 0)))
    model.add("spring", sm.Axial(driver, block, axis=(1, 0, 0), law=sm.LinearLaw(2.0)))
    run = transient(model, 30.0, 2e-3, progress=False)
    axes[1].plot(run.time, run["guide.displacement"], label="block [m]")
    axes[1].plot(run.time, 0.1 * run.time, "k:", label="driver [m]")
    axes[1].plot(run.time, run["guide.friction"], label="LuGre friction [N]", linewidth=0.8)
    axes[1].set(xlabel="time [s]")
    axes[1].legend(fontsize="x-small")
    return picture
