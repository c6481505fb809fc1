"""Air and gusts: closed forms, delays, and the same numbers inside a kernel."""

import numpy as np
import pytest

import samara as sm
from samara import Air, DrivenGust, Dryden, Front, OneMinusCosine, SineGust, SmoothStep, Standing
from samara.model import ModelError, record
from samara.rotations import norm

HERE = np.zeros(3)
UP = (0.0, 0.0, 2.0)


def test_still_air_does_not_move():
    assert not np.any(Air().velocity(HERE, 3.0))


def test_wind_follows_its_drives():
    air = Air(wind=(10.0, sm.Sine(2.0, 3.0), lambda t: t**2))
    np.testing.assert_allclose(air.velocity(HERE, 0.7), [10.0, 2.0 * np.sin(2.1), 0.49])


def test_one_minus_cosine_has_the_shape_of_the_regulation():
    """CS-25.341: U = Uds/2 (1 - cos(pi s / H)) for 0 <= s <= 2H, s the distance flown into the gust."""
    H, V = 30.0, 60.0
    gust = OneMinusCosine.of_gradient(UP, gradient=H, speed=V, start=0.5)
    for t in np.linspace(0.0, 2.0, 41):
        s = V * (t - 0.5)
        expected = 0.5 * 2.0 * (1 - np.cos(np.pi * s / H)) if 0 <= s <= 2 * H else 0.0
        np.testing.assert_allclose(gust.velocity(HERE, t), [0, 0, expected], atol=1e-12)


def test_smooth_step_comes_and_stays():
    gust = SmoothStep(UP, duration=0.4, start=1.0)
    np.testing.assert_allclose(
        [gust.velocity(HERE, t)[2] for t in (0.0, 1.0, 1.2, 1.4, 9.0)], [0, 0, 1, 2, 2], atol=1e-15
    )


def test_sine_gust_starts_from_calm():
    gust = SineGust(UP, frequency=4.0, start=1.0)
    np.testing.assert_allclose(gust.velocity(HERE, 0.5), 0.0)
    np.testing.assert_allclose(gust.velocity(HERE, 1.3), [0, 0, 2.0 * np.sin(1.2)])


GUSTS = {
    "one minus cosine": OneMinusCosine(UP, duration=0.4, start=0.1),
    "smooth step": SmoothStep(UP, duration=0.4, start=0.1),
    "sine": SineGust(UP, frequency=5.0),
    "driven": DrivenGust((sm.Sine(1.0, 7.0), 0.5, lambda t: np.exp(-t))),
}
each_gust = pytest.mark.parametrize("gust", GUSTS.values(), ids=GUSTS.keys())


@each_gust
def test_a_front_passes_points_one_after_the_other(gust, rng):
    """A point further along the way by d sees the same d / speed later; points abreast see it together."""
    n, speed = np.array([0.6, 0.0, 0.8]), 25.0
    front = Front(gust, n, speed, point=(1.0, 2.0, 3.0))
    front.validate()
    for _ in range(10):
        t, d, p = rng.uniform(0.0, 1.0), rng.uniform(0.0, 9.0), rng.uniform(-3.0, 3.0, 3)
        later = front.velocity(p + d * n, t + d / speed)
        np.testing.assert_allclose(later, front.velocity(p, t), atol=1e-12)
        abreast = front.velocity(p + np.cross(n, rng.uniform(-5.0, 5.0, 3)), t)
        np.testing.assert_allclose(abreast, front.velocity(p, t), atol=1e-12)
    np.testing.assert_allclose(front.velocity(np.array([1.0, 2.0, 3.0]), 0.3), gust.velocity(HERE, 0.3))


@each_gust
def test_flying_through_a_standing_gust_is_the_gust_in_time(gust):
    standing = Standing(gust, (1.0, 0.0, 0.0), 40.0, point=(5.0, 0.0, 0.0))
    for t in (0.0, 0.2, 0.45):
        flown = np.array([5.0 + 40.0 * t, 3.0, -1.0])
        np.testing.assert_allclose(standing.velocity(flown, 99.0), gust.velocity(HERE, t), atol=1e-12)


class Vane(sm.Element):
    """Measures the air at a node, for the tests."""

    n: sm.Node = sm.node(kw_only=False)
    air: Air = record()

    def formulate(self, site):
        place = site.world.see(site.frames[0].p)
        value = self.air.velocity(place, site.time)
        still = site.measure(lambda n: [norm(n.p - site.world.p)])
        return sm.Contribution(
            [np.zeros(6)],
            outputs=[sm.Output("wind", "m/s", value, ("x", "y", "z")), sm.Output("r", "m", still.value[0])],
        )


def test_a_kernel_sees_the_same_air():
    """Recorded in a run of compiled code, at the places where the node was, against the plain function."""
    dryden = Dryden((1.0, 2.0, 3.0), (20.0, 30.0, 40.0), speed=15.0, seed=3, direction=(1.0, 0.2, 0.0))
    gain = sm.Parameter("gain", 1.5)
    gusts = (*GUSTS.values(), Front(GUSTS["driven"], (0, 1, 0), 12.0), Standing(GUSTS["sine"], (1, 0, 0), 9.0), dryden)
    air = Air(wind=(sm.Sine(2.0, 3.0), gain, lambda t: t**2), gusts=gusts)
    model = sm.Model("vane")
    ball = model.node("ball", position=(1.0, 2.0, 3.0), velocity=(30.0, -4.0, 2.0))
    model.add("mass", sm.Body(ball, mass=1.0, inertia=(1, 1, 1)))
    model.add("vane", Vane(ball, air=air))
    results = sm.transient(model, end=1.0, step=1e-2, progress=False)
    wind = Air(wind=(sm.Sine(2.0, 3.0), 1.5, lambda t: t**2), gusts=gusts)
    expected = [wind.velocity(p, t) for p, t in zip(results["ball.position"], results.time, strict=True)]
    np.testing.assert_allclose(results["vane.wind"], expected, atol=1e-11)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Air(density=-1.0), "density must be a number that is not negative"),
        (lambda: Air(sound=0.0), "sound must be a positive number"),
        (lambda: Air(wind=(1.0, 2.0)), "wind must have 3 components"),
        (lambda: Air(gusts=(sm.LinearLaw(1.0),)), "is not a gust"),
        (lambda: Air(gusts=OneMinusCosine(UP, duration=0.0)), "duration must be a positive number"),
        (lambda: Air(gusts=Front(sm.LinearLaw(1.0), (1, 0, 0), 1.0)), "Front: gust does not take"),
        (lambda: Air(gusts=Front(GUSTS["sine"], (0, 0, 0), 1.0)), "direction is a direction"),
        (lambda: Air(gusts=5.0), r"Air: gusts must be gusts such as OneMinusCosine\(...\), in a list, got 5.0"),
        (lambda: Air(gusts="front"), "Air: gusts must be gusts"),
        (lambda: DrivenGust((1.0, 2.0)), "three drives"),
        (lambda: Dryden((1, 1, 1), (1, 1)), "scale must be three numbers"),
        (lambda: Dryden((1, 1, 1), (1, 1, 0)), "scale must be positive"),
        (lambda: Dryden((1, 1, 1), (1, 1, 1), up=(1, 0, 0)), "parallel"),
        (lambda: Dryden((1, 1, 1), (1, 1, 1), shortest=30.0), "shortest"),
        (lambda: Dryden.low_altitude(500.0, 10.0), "low altitude"),
    ],
)
def test_wrong_air_names_itself(make, words):
    with pytest.raises(ModelError, match=words):
        make().validate()


@pytest.mark.parametrize("offset", [0.0, 15.0])
def test_stratified_air_is_the_standard_atmosphere(offset):
    """From an airfield at 1200 m, below and above the tropopause; rounding only."""
    air = Air.standard(1200.0, offset, stratified=True)
    for z in (-900.0, 0.0, 300.0, 9700.0, 10500.0, 15000.0):
        day, here = sm.standard_atmosphere(1200.0 + z, offset), air.at((5.0, 3.0, z))
        assert (here.density, here.sound) == pytest.approx((day.density, day.sound), rel=1e-12)


def test_air_is_the_same_all_over_unless_told_otherwise():
    air = Air.standard(1200.0)
    assert air.at((0.0, 0.0, 4000.0)) is air


def test_a_fall_through_layers():
    """Terminal speed goes with 1 / sqrt(density): at each height sqrt(2 m g / (rho(z) S)), but for the air's change.

    While it falls by a scale height H of 10 km the terminal speed v_t changes by half: v lags by v_t^2 / (4 g H), 1 %.
    """
    model = sm.Model("fall", gravity=(0.0, 0.0, -9.80665))
    body = model.node("body", position=(0.0, 0.0, 8000.0))
    model.add("mass", sm.Body(body, mass=100.0, inertia=(1.0, 1.0, 1.0)))
    form = sm.QuadraticCoefficients.slender((1.0, 1.0, 1.0), 0.0, 1.0, 1.0)
    load = sm.Fuselage(body, coefficients=form, area=1.0, length=1.0, air=Air.standard(stratified=True))
    model.add("load", load)
    run = sm.transient(model, 120.0, 0.05, progress=False)
    late = run.time > 30.0
    z, v = run["body.position"][late, 2], -run["body.velocity"][late, 2]
    final = np.sqrt(2.0 * 100.0 * 9.80665 / sm.standard_atmosphere(z).density)
    assert np.ptp(z) > 3000.0
    assert np.abs(v / final - 1.0).max() < 0.015
    assert (v > final).all()  # it comes from thinner air


def test_stratified_air_refuses_what_is_beyond_its_table():
    with pytest.raises(ModelError, match="altitude"):
        Air(stratified=True, altitude=30e3).validate()
