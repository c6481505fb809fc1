"""A whole rotor against closed forms: hover, climb, flapping in forward flight, ground, tip loss, mirror image."""

import numpy as np
import pytest
from scipy.optimize import brentq

import samara as sm
from samara import (
    AeroBody,
    Air,
    Momentum,
    NoInflow,
    PittPeters,
    QuasiSteady,
    Rotor,
    Stations,
    Theodorsen,
    ThinAerofoil,
    prandtl,
)
from samara.models.articulated_rotors import puma
from samara.models.rotors.hinged_rotor import CHORD, RADIUS, SLOPE, SPEED, hinged_rotor
from samara.rotations import rotation_y, rotation_z

TIP, PERIOD = SPEED * RADIUS, 2 * np.pi / SPEED


def bladed(
    theta, blades=4, stations=None, inflow=None, position=(0, 0, 0), cd_0=0.01, coning=0.0, control=0.0, unsteady=None,
    **rotor,
) -> sm.Model:  # fmt: skip
    """Blades fixed to the hub, without flapping: only the air has equations."""
    model = sm.Model("fixed blades")
    craft = model.prescribed("craft", sm.Motion(), position=position)
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: SPEED * t)), position=position)
    support = Rotor(craft, hub, radius=RADIUS, speed=SPEED, start=3.0, inflow=inflow or Momentum(), **rotor)
    model.add("rotor", support)
    aerofoil = ThinAerofoil(slope=SLOPE, cd_0=cd_0, stall=3.2)
    for k in range(blades):
        place = sm.Placement((0, 0, 0), rotation_z(k * 2 * np.pi / blades) @ rotation_y(-coning))
        along = stations or Stations.gauss(0.0, RADIUS, 12, CHORD, theta, control=control)
        more = {} if unsteady is None else {"unsteady": unsteady}
        model.add(f"blade_{k}", AeroBody(hub, place=place, stations=along, aerofoil=aerofoil, rotor=support, **more))
    return model


def last_turn(model, turns=15, steps=120, outputs=("*",)):
    """The last revolution of a run, its first point left out."""
    results = sm.transient(model, end=turns * PERIOD, step=PERIOD / steps, progress=False, outputs=outputs)
    return {name: results[name][-steps:] for name in results.channels.names}


def solidity(blades=4) -> float:
    return blades * CHORD / (np.pi * RADIUS)


def hover_inflow(theta, sigma) -> float:
    """lambda = (sigma a / 16) (sqrt(1 + 64 theta / (3 sigma a)) - 1), CT = 2 lambda^2."""
    s = sigma * SLOPE
    return s / 16 * (np.sqrt(1 + 64 * theta / (3 * s)) - 1)


@pytest.mark.parametrize("unsteady", [QuasiSteady(), Theodorsen()], ids=["at once", "lagged"])
@pytest.mark.parametrize("control", [0.0, -0.5 * CHORD], ids=["quarter", "three quarters"])
@pytest.mark.parametrize("coning", [0.0, 0.1])
def test_lift_takes_the_power_of_the_wake_alone(coning, control, unsteady):
    """Without drag, power is thrust times induced velocity, wherever a section looks at the flow: lift does no work on
    the air at its own point. A coned blade turns about its span, and sees another flow at three quarters of its chord.
    The apparent mass works against that turn too: Theodorsen's loads differ by 0.08 percent there.
    """
    model = bladed(np.radians(8.0), cd_0=0.0, coning=coning, control=control, unsteady=unsteady)
    found = last_turn(model, turns=20, outputs=("rotor.*",))
    power = found["rotor.thrust"][-1] * found["rotor.induced"][-1, 0]
    massless = coning == 0.0 or isinstance(unsteady, QuasiSteady)
    assert found["rotor.power"][-1] == pytest.approx(power, rel=1e-5 if massless else 2e-3)


@pytest.mark.parametrize("blades", [2, 5])
@pytest.mark.parametrize("theta_deg", [4.0, 8.0])
def test_hover_closed_form(blades, theta_deg):
    """Blade-element momentum theory with uniform inflow, within 0.5 percent.

    The closed form takes the inflow angle phi as small: lift is vertical, speed is that along the disk, alpha is
    theta - lambda / r, drag does not act downwards. The element does none of that, and differs by terms like phi^2 and
    cd phi / cl: lambda^2 is 0.0025 at most here.
    """
    theta, sigma = np.radians(theta_deg), solidity(blades)
    found = last_turn(bladed(theta, blades, solidity=sigma), outputs=("rotor.*",))
    inflow = hover_inflow(theta, sigma)
    CT = 2 * inflow**2
    assert found["rotor.CT"][-1] == pytest.approx(CT, rel=5e-3)
    assert found["rotor.CT_sigma"][-1] == pytest.approx(CT / sigma, rel=5e-3)
    assert found["rotor.induced"][-1, 0] == pytest.approx(inflow * TIP, rel=5e-3)
    # induced and profile power: CQ = lambda CT + sigma cd / 8
    assert found["rotor.CQ"][-1] == pytest.approx(inflow * CT + sigma * 0.01 / 8, rel=5e-3)
    assert found["rotor.power"][-1] == pytest.approx(found["rotor.torque"][-1] * SPEED)


def test_what_is_left_are_the_small_angles():
    """Without drag the difference from the closed form falls with the angles: a third of the pitch, a ninth of it."""
    off = []
    for theta in (0.12, 0.04):
        found = last_turn(bladed(theta, cd_0=0.0), outputs=("rotor.CT",))["rotor.CT"][-1]
        off.append(abs(found / (2 * hover_inflow(theta, solidity()) ** 2) - 1))
    assert off[1] < off[0] / 2.5  # lambda^2 goes like theta between its first and second power
    assert off[0] < 3e-3


def multiblade(found, blades=4):
    """beta0, beta1c, beta1s by harmonic analysis of the first blade over a revolution, in the sense of rotation."""
    beta = found["blade_1.flap.angle"]
    psi = 2 * np.pi * np.arange(1, len(beta) + 1) / len(beta)
    return beta.mean(), 2 * (beta * np.cos(psi)).mean(), 2 * (beta * np.sin(psi)).mean()


def closed_flapping(theta, mu, inflow, gamma, k_x=0.0, k_y=0.0, lateral=0.0, longitudinal=0.0):
    """Flapping of a centrally hinged rigid blade without twist, inflow lambda + k_x r cos psi + k_y r sin psi.

    The printed forms with the gradient added. Balance of the first harmonics of the moment about the hinge:
        cos: theta_1c (1 + mu^2/2) - beta_1s (1 + mu^2/2) - 4/3 mu beta_0 - k_x = 0
        sin: theta_1s (1 + 3/2 mu^2) + 8/3 mu theta_0 - 2 mu lambda + beta_1c (1 - mu^2/2) - k_y = 0
    """
    b0 = gamma * (theta * (1 + mu**2) / 8 - inflow / 6 + mu * longitudinal / 6 - mu * k_y / 12)
    b1s = lateral - (4 / 3 * mu * b0 + k_x) / (1 + mu**2 / 2)
    b1c = -(longitudinal * (1 + 1.5 * mu**2) + 8 / 3 * mu * (theta - 0.75 * inflow) - k_y) / (1 - mu**2 / 2)
    return b0, b1c, b1s


@pytest.mark.parametrize("sense", [1.0, -1.0])
@pytest.mark.parametrize(
    ("inflow", "control"),
    [
        (NoInflow(), {}),
        (Momentum(), {}),
        (Momentum("drees"), {"lateral": 0.01, "longitudinal": -0.02}),
        (PittPeters(), {}),
    ],
    ids=["none", "uniform", "Drees", "Pitt-Peters"],
)
def test_flapping_in_forward_flight(inflow, control, sense):
    """Closed forms of the flapping with linear inflow; the inflow itself is the one that the rotor reports.

    Left out by the closed forms: squares of angles (0.05^2 = 0.0025), reversed flow (mu^4 = 0.0005 of the moment), drag
    (cd / slope = 0.0018 of the lift where it acts downward), second harmonics. Together below 0.5 percent of the
    largest angle.
    """
    mu, theta, gamma = 0.15, 0.05, 8.0
    model = hinged_rotor(speed=sense * SPEED, collective=theta, wind=(mu * TIP, 0, -0.02 * TIP), inflow=inflow)
    for name, value in control.items():
        model.parameters[name].value = value
    found = last_turn(model)
    u, g_x, g_y = found["rotor.induced"].mean(axis=0) / TIP
    expected = closed_flapping(theta, mu, 0.02 + u, gamma, g_x, sense * g_y, **control)
    flap = multiblade(found)
    size = np.abs(expected).max()
    np.testing.assert_allclose(flap, expected, atol=0.005 * size)


def test_pitch_flap_equivalence_in_hover():
    """beta_1s = theta_1c and beta_1c = -theta_1s without inflow: the disk follows the swashplate."""
    model = hinged_rotor(collective=0.05, inflow=NoInflow())
    model.parameters["lateral"].value, model.parameters["longitudinal"].value = 0.01, -0.02
    b0, b1c, b1s = multiblade(last_turn(model))
    assert (b1c, b1s) == pytest.approx((0.02, 0.01), rel=5e-3)
    assert b0 == pytest.approx(8.0 * 0.05 / 8, rel=5e-3)


def test_the_wind_may_come_from_anywhere():
    """Disk and wind turned together: the same rotor."""
    found = []
    for angle in (0.0, 2.0):
        wind = rotation_z(angle) @ [15.0, 3.0, -2.0]
        found.append(last_turn(hinged_rotor(wind=wind, azimuth=angle, inflow=PittPeters()), turns=3))
    for name in ("rotor.force", "rotor.moment", "rotor.induced", "blade_2.flap.angle", "blade_3.air.normal"):
        scale = np.abs(found[0][name]).max()
        np.testing.assert_allclose(found[0][name], found[1][name], rtol=0, atol=1e-7 * scale)


@pytest.mark.parametrize("inflow", [Momentum("drees"), PittPeters()], ids=["Drees", "Pitt-Peters"])
def test_the_other_sense_of_rotation_is_the_mirror_image(inflow):
    right, left = (
        last_turn(hinged_rotor(speed=sense * SPEED, wind=(15.0, sense * 4.0, -2.0), inflow=inflow), turns=3)
        for sense in (1.0, -1.0)
    )
    mirror = {"rotor.force": [1, -1, 1], "rotor.moment": [-1, 1, -1], "rotor.induced": [1, 1, -1], "rotor.torque": 1}
    for name, sign in {**mirror, "blade_2.flap.angle": 1}.items():
        scale = np.abs(right[name]).max()
        np.testing.assert_allclose(right[name], left[name] * np.array(sign), rtol=0, atol=1e-7 * scale)


def near_ground(theta, h):
    """Thrust and induced velocity at a pitch and a height over the ground; far from it without one."""
    more = {} if h is None else {"ground": True, "height": 7.0}
    model = bladed(theta, position=(1.0, 2.0, 7.0 + (h or 0.0)), **more)
    run = last_turn(model, outputs=("rotor.*",))
    return float(run["rotor.thrust"][-1]), float(run["rotor.induced"][-1, 0])


def test_ground_at_constant_power():
    """Cheeseman and Bennett in hover: u is 1 - (R / 4 h)^2 of that far away, thrust the inverse, at the same T u."""
    far_thrust, far_u = near_ground(0.1, None)
    for h in (4.0 * RADIUS, RADIUS, 0.5 * RADIUS):
        pitch = brentq(lambda theta, h=h: np.prod(near_ground(theta, h)) - far_thrust * far_u, 0.09, 0.11, xtol=1e-6)
        thrust, u = near_ground(pitch, h)
        k = 1 - (RADIUS / (4 * h)) ** 2
        assert u / far_u == pytest.approx(k, abs=1e-3)
        assert thrust / far_thrust == pytest.approx(1 / k, abs=1e-3)
    assert near_ground(0.1, 0.2 * RADIUS) == pytest.approx(near_ground(0.1, 0.5 * RADIUS))  # no nearer than R / 2


def test_the_ground_is_less_felt_in_flight():
    """k = 1 - (R / 4 h)^2 / (1 + (V / u)^2): at twice the induced velocity a fifth of the effect is left."""
    h = 0.6 * RADIUS
    for speed in (0.0, 4.0, 15.0):
        more = {"air": sm.Air(wind=(speed, 0.0, 0.0)), "position": (0.0, 0.0, h)}
        run = last_turn(bladed(0.1, ground=True, **more), outputs=("rotor.*",))
        thrust, u = run["rotor.thrust"].mean(), run["rotor.induced"][:, 0].mean()
        k = 1 - (RADIUS / (4 * h)) ** 2 / (1 + (speed / u) ** 2)
        v = u / k**1.5
        assert 2 * 1.225 * np.pi * RADIUS**2 * v * np.hypot(v, speed) == pytest.approx(thrust, rel=2e-3)


def test_tip_cut():
    """No lift beyond B R: CT = sigma a / 2 (theta B^3 / 3 - lambda B^2 / 2), with the inflow that the rotor reports."""
    theta, B = 0.1, 0.97
    inner = Stations.gauss(0.0, B * RADIUS, 8, CHORD, theta)
    tip = Stations.gauss(B * RADIUS, RADIUS, 2, CHORD, theta, lift=0.0)
    run = last_turn(bladed(theta, stations=Stations.joined(inner, tip)), outputs=("rotor.*",))
    inflow = run["rotor.induced"][-1, 0] / TIP
    expected = solidity() * SLOPE / 2 * (theta * B**3 / 3 - inflow * B**2 / 2)
    assert run["rotor.CT"][-1] == pytest.approx(expected, rel=5e-3)
    # drag remains
    assert run["rotor.CQ"][-1] == pytest.approx(inflow * run["rotor.CT"][-1] + solidity() * 0.01 / 8, rel=5e-3)


def test_prandtl_loses_the_span_that_the_textbook_says():
    """int (1 - F) dr = (2 ln 2 / N_b) lambda, in closed form."""
    factor = prandtl(RADIUS, 4, 0.05)
    along = Stations.gauss(0.0, RADIUS, 200, CHORD, lift=factor)
    lost = (along.length * (1 - along.lift)).sum() / RADIUS
    assert lost == pytest.approx(2 * np.log(2) / 4 * 0.05, rel=1e-3)
    assert factor(RADIUS) == 0.0
    assert factor(0.5 * RADIUS) == pytest.approx(1.0, abs=1e-4)
    with pytest.raises(ValueError, match="inflow must be a positive number"):
        prandtl(RADIUS, 4, 0.0)


def test_a_rotor_without_blades_is_refused():
    model = sm.Model("bare")
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: SPEED * t)))
    model.add("main", Rotor(model.ground, hub, radius=RADIUS, speed=SPEED))
    with pytest.raises(sm.ModelError, match="'main': Rotor: it has no blades: give rotor="):
        sm.transient(model, end=1.0, step=0.1, progress=False)


def test_bodies_in_its_wake_are_no_blades():
    model = sm.Model("bare")
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: SPEED * t)))
    rotor = model.add("main", Rotor(model.ground, hub, radius=RADIUS, speed=SPEED))
    model.add("roof", sm.Drag(model.prescribed("stand", sm.Motion()), area=(0, 0, 1.0), rotor=rotor))
    with pytest.raises(sm.ModelError, match="'main': Rotor: it has no blades: give rotor="):
        model.check()


def test_air_is_that_of_the_rotor():
    """Half the density, half the thrust coefficient's force at the same inflow ratio; blades follow the rotor's air."""
    thin, thick = (
        last_turn(bladed(0.1, air=Air(density=density)), outputs=("rotor.*",))["rotor.thrust"][-1]
        for density in (0.6, 1.2)
    )
    assert thick / thin == pytest.approx(2.0, rel=1e-6)


@pytest.mark.parametrize("length", [1.005, 1.02])
def test_a_blade_that_is_longer_than_the_radius_is_refused(length):
    """Up to 1 percent is taken for rounding. The stations are Gauss points: none of them is at the tip."""
    stations = Stations.gauss(0.0, length * RADIUS, 4, CHORD, 0.1)
    model = bladed(0.1, stations=stations, position=(3.0, 0.0, 1.0))
    if length < 1.01:
        model.check()
        return
    with pytest.raises(sm.ModelError, match=rf"'rotor': Rotor: 'blade_0' reaches {length * RADIUS:.4g} m from"):
        model.check()


def test_elastic_blades_are_measured_too():
    model = puma.build(blades="elastic")
    model.check()
    rotor = model.elements["rotor"]
    rotor.thaw()
    rotor.radius = 0.95 * puma.RADIUS
    with pytest.raises(sm.ModelError, match=rf"'blade_1.air4' reaches {puma.RADIUS:.4g} m from the shaft"):
        model.check()


def test_an_inflow_by_name_is_answered_with_the_models():
    model = sm.Model("named")
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: SPEED * t)))
    with pytest.raises(sm.ModelError, match=r"'main': Rotor: inflow must be .* Momentum\(\), .*got 'momentum'"):
        model.add("main", Rotor(model.ground, hub, radius=RADIUS, speed=SPEED, inflow="momentum"))
