"""Motors against closed forms: time constants, no-load speed, gears, the current loop, heat."""

import numpy as np
import pytest
from scipy import integrate

import samara as sm
from samara.model import HYDRAULIC

K, R, L, J = 0.05, 1.0, 2e-3, 2e-4


def driven(motor, voltage=12.0, inertia=J, damping=0.0, speed=0.0) -> sm.Model:
    """A disc in a hinge, turned by what `motor` makes between ground, disc, feed and earth."""
    model = sm.Model("motor")
    e, a, disc = model.potential("e"), model.potential("a"), model.node("disc")
    model.add("body", sm.Body(disc, mass=0.1, inertia=(inertia, inertia, inertia)))
    model.add("hinge", sm.Revolute(model.ground, disc, axis=(0, 0, 1), start={"angle_rate": speed}))
    if damping:
        model.add("drag", sm.Torsion(model.ground, disc, axis=(0, 0, 1), law=sm.DamperLaw(damping=damping)))
    model.add("earth", sm.Earth(e))
    model.add("feed", sm.VoltageSource(a, e, voltage=voltage))
    model.add("motor", motor(model.ground, disc, a, e))
    return model


def dc(gear=None, **changes):
    numbers = {"constant": K, "resistance": R, "inductance": L} | changes

    def made(*places):
        return sm.Motor(*places, **numbers, **({"gear": gear} if gear else {}))

    return made


def test_both_time_constants_of_a_dc_motor():
    """A linear system: di/dt = (u - R i - k w) / L, dw/dt = k i / J, whose exact solution is known."""
    run = sm.transient(driven(dc()), end=0.5, step=1e-4, progress=False)
    A = np.array([[-R / L, -K / L], [K / J, 0.0]])
    s = np.sort(np.linalg.eigvals(A))  # about -L / R and -k^2 / (R J): the electric and the mechanical one
    assert s[0] == pytest.approx(-R / L, rel=0.03)
    assert s[1] == pytest.approx(-(K**2) / (R * J), rel=0.03)
    end = 12.0 / K
    w = end * (1 + (s[1] * np.exp(s[0] * run.time) - s[0] * np.exp(s[1] * run.time)) / (s[0] - s[1]))
    np.testing.assert_allclose(run["motor.angle_rate"], w, atol=1e-4 * end)  # (h R / L)^2 / 12 = 2e-4 of a part of it
    linear = sm.state_space(driven(dc(), sm.Input("voltage")), outputs=("motor.angle_rate",))
    found = np.linalg.eigvals(linear.A)
    for value in s:
        assert np.abs(found - value).min() < 1e-8 * abs(value)


def test_a_motor_in_a_circuit_is_the_motor_of_a_drive():
    """`DCMotor` has the same equations, without junctions."""
    model = sm.Model("alone")
    disc = model.node("disc")
    model.add("body", sm.Body(disc, mass=0.1, inertia=(J, J, J)))
    model.add("hinge", sm.Revolute(model.ground, disc, axis=(0, 0, 1)))
    numbers = {"constant": K, "resistance": R, "inductance": L}
    model.add("motor", sm.DCMotor(model.ground, disc, voltage=12.0, **numbers))
    other = sm.transient(model, end=0.1, step=1e-4, progress=False)
    run = sm.transient(driven(dc()), end=0.1, step=1e-4, progress=False)
    np.testing.assert_allclose(run["motor.current.value"], other["motor.current.value"], atol=1e-8)
    np.testing.assert_allclose(run["motor.angle_rate"], other["motor.angle_rate"], atol=1e-6)


def test_a_stiff_gear_reflects_the_inertia_of_the_rotor():
    """Ratio squared times the rotor's inertia, beside that of the load: the mechanical time constant with both."""
    ratio, rotor, load = 20.0, 1e-5, 3e-3
    gear = sm.ElasticMotorGear(ratio=ratio, inertia=rotor, stiffness=1e7, damping=1e3)
    run = sm.transient(driven(dc(gear), inertia=load), end=0.4, step=1e-4, progress=False)
    felt = load + ratio**2 * rotor
    constant = ratio * K
    s = np.sort(np.linalg.eigvals(np.array([[-R / L, -constant / L], [constant / felt, 0.0]])))
    end = 12.0 / constant
    w = end * (1 + (s[1] * np.exp(s[0] * run.time) - s[0] * np.exp(s[1] * run.time)) / (s[0] - s[1]))
    # the gear is stiffer than the step resolves: what is left is of second order in h, as of the rigid motor
    np.testing.assert_allclose(np.real(w), run["motor.angle_rate"], atol=1e-4 * end)
    assert run["motor.rotor_speed"][-1] == pytest.approx(ratio * run["motor.angle_rate"][-1], rel=1e-6)


def test_gear_friction_holds_a_motor_until_its_torque_is_enough():
    """Dry friction of 1 N m at the shaft: nothing but creep below, and the speed where the rest is in balance above."""
    gear = sm.MotorGear(ratio=20.0, friction=1.0, viscous=0.01, transition=1e-3)
    for voltage in (0.5, 12.0):
        run = sm.transient(driven(dc(gear), voltage, inertia=3e-3), end=2.0, step=1e-3, progress=False)
        rate = run["motor.angle_rate"][-1]
        if voltage * 20.0 * K / R < 1.0:
            assert 0.0 <= rate < 1e-3
        else:
            # 20 k (u - 20 k w) / R = 1 + 0.01 w
            assert rate == pytest.approx((voltage * 20.0 * K / R - 1.0) / (0.01 + (20.0 * K) ** 2 / R), rel=1e-6)


def test_energy_of_a_motor_is_accounted_for():
    """What the source gives is stored in winding, gear and disc, or heat: at every instant, and in the sum."""
    gear = sm.ElasticMotorGear(
        ratio=20.0, inertia=1e-5, stiffness=50.0, damping=0.05, friction=0.2, viscous=0.01, transition=0.5
    )
    model = driven(dc(gear), inertia=3e-3)
    run = sm.transient(model, end=0.3, step=2e-4, tolerance=1e-13, progress=False)
    i, di = run["motor.current.value"], run["motor.current.rate"]
    w, dw = run["motor.speed.value"], run["motor.speed.rate"]
    x, dx = run["motor.twist.value"], run["motor.twist.rate"]
    rate, turned = run["motor.angle_rate"], run["disc.angular_acceleration"][:, 2]
    stored = L * i * di + 1e-5 * w * dw + 50.0 * x * dx + 3e-3 * rate * turned
    power = run["model.supplied"]
    assert np.abs(stored + run["model.dissipated"] - power)[1:].max() < 1e-9 * power.max()
    np.testing.assert_allclose(power, -12.0 * run["feed.current.value"], atol=1e-12)


PM = {"pole_pairs": 4, "flux": 0.02, "inductance_d": 1e-3, "inductance_q": 1.5e-3, "resistance": 0.2}


def magnets(current, gear=None, link=48.0, bandwidth=500.0):
    def made(*places):
        kept = {"gear": gear} if gear else {}
        return sm.PermanentMagnetMotor(*places, **PM, current=current, bandwidth=bandwidth, link=link, **kept)

    return made


def test_the_current_loop_follows_with_its_bandwidth():
    """Pole and zero cancel: i_q = 10 A (1 - exp(-bandwidth t)), whatever the speed; i_d stays zero."""
    model = driven(magnets(10.0), voltage=48.0, inertia=0.05)
    run = sm.transient(model, end=0.03, step=2e-5, progress=False)
    expected = 10.0 * (1.0 - np.exp(-500.0 * run.time))
    # the round limit of the inverter takes a little: |m| sqrt(3) = 0.28 at the start, ^8 / 8 = 5e-6
    np.testing.assert_allclose(run["motor.quadrature.value"], expected, atol=1e-3)
    assert np.abs(run["motor.direct.value"]).max() < 1e-3
    torque = 1.5 * 4 * 0.02 * expected
    np.testing.assert_allclose(run["motor.rotor_torque"], torque, atol=2e-4)
    turned = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(run.time) * (torque[1:] + torque[:-1]))]) / 0.05
    np.testing.assert_allclose(run["motor.angle_rate"], turned, atol=1e-3)


def test_a_permanent_magnet_motor_takes_the_power_it_gives():
    model = driven(magnets(10.0), voltage=48.0, inertia=5e-4, damping=1e-3)
    run = sm.transient(model, end=0.3, step=5e-5, tolerance=1e-13, progress=False)
    d, q = run["motor.direct.value"], run["motor.quadrature.value"]
    magnetic = 1.5 * (1e-3 * d * run["motor.direct.rate"] + 1.5e-3 * q * run["motor.quadrature.rate"])
    turning = 5e-4 * run["motor.angle_rate"] * run["disc.angular_acceleration"][:, 2]
    power = 48.0 * run["motor.link_current"]
    rest = magnetic + turning + run["model.dissipated"] - power
    assert np.abs(rest)[1:].max() < 1e-9 * power.max()


def test_a_permanent_magnet_motor_reaches_what_its_link_lets_it():
    """Without load and at its voltage limit it turns where the magnets induce link / sqrt(3): pole_pairs w flux."""
    model = driven(magnets(20.0), voltage=48.0, inertia=5e-5)
    run = sm.transient(model, end=1.5, step=2e-4, progress=False)
    assert run["motor.modulation"].max() < 1 / np.sqrt(3) + 1e-12
    speed = 48.0 / np.sqrt(3.0) / (4 * 0.02)
    assert run["motor.angle_rate"][-1] == pytest.approx(speed, rel=0.01)  # asked / limit sets the last per cent
    assert abs(run["motor.quadrature.value"][-1]) < 0.1


def test_a_shorted_motor_brakes_as_its_coils_have_it():
    """No voltage at the inverter: three coils in axes that stand still, magnets that turn, integrated by SciPy.

    For the two components of a phase quantity in fixed axes, L di/dt = -R i - d(flux (cos, sin))/dt.
    """
    w, salient = 100.0, PM | {"inductance_q": PM["inductance_d"]}

    def motor(*places):
        return sm.PermanentMagnetMotor(*places, **salient, current=0.0, bandwidth=500.0, link=48.0)

    run = sm.transient(driven(motor, voltage=0.0, inertia=1e6, speed=w), end=0.03, step=1e-5, progress=False)
    W, flux, L1, R1 = 4 * w, salient["flux"], salient["inductance_d"], salient["resistance"]

    def slope(t, i):
        return [(-R1 * i[0] + flux * W * np.sin(W * t)) / L1, (-R1 * i[1] - flux * W * np.cos(W * t)) / L1]

    found = integrate.solve_ivp(slope, (0.0, 0.0301), [0.0, 0.0], rtol=1e-10, atol=1e-12, t_eval=run.time).y
    torque = 1.5 * 4 * flux * (found[1] * np.cos(W * run.time) - found[0] * np.sin(W * run.time))
    np.testing.assert_allclose(run["motor.rotor_torque"], torque, atol=1e-4 * np.abs(torque).max())  # (W h)^2 = 2e-5
    assert run["motor.rotor_torque"].max() < 1e-12  # it brakes
    steady = -1.5 * 4 * flux**2 * W * R1 / (R1**2 + (W * L1) ** 2)
    assert run["motor.rotor_torque"][-1] == pytest.approx(steady, rel=5e-3)  # exp(-R t / L) is left


def test_a_salient_motor_that_is_shorted():
    """The known currents at rest in axes of the rotor, with unequal inductances."""
    w = 100.0
    model = driven(magnets(0.0), voltage=0.0, inertia=1e6, speed=w)
    run = sm.transient(model, end=0.15, step=1e-4, progress=False)
    W, Ld, Lq, R1, flux = 4 * w, PM["inductance_d"], PM["inductance_q"], PM["resistance"], PM["flux"]
    below = R1**2 + W**2 * Ld * Lq
    assert run["motor.direct.value"][-1] == pytest.approx(-(W**2) * Lq * flux / below, rel=1e-6)
    assert run["motor.quadrature.value"][-1] == pytest.approx(-W * R1 * flux / below, rel=1e-6)


def test_a_tachometer_and_a_potentiometer_tell_the_motion():
    model = driven(dc(), voltage=1.0, inertia=0.1)
    disc, e = model["disc"], model.states["e"]
    speed, p, wiper = (model.potential(name) for name in ("speed", "p", "wiper"))
    model.add("tachometer", sm.Tachometer(model.ground, disc, speed, e, constant=0.1, resistance=100.0))
    model.add("meter", sm.Resistor(speed, e, resistance=900.0))
    model.add("reference", sm.VoltageSource(p, e, voltage=5.0))
    model.add(
        "potentiometer",
        sm.Potentiometer(model.ground, disc, p, wiper, e, lower=-1.0, upper=3.0, resistance=1e4, contact=1e-6),
    )
    run = sm.transient(model, end=2.0, step=1e-3, progress=False)
    assert np.ptp(run["motor.angle"]) > 0.4
    np.testing.assert_allclose(run["speed.value"], 0.09 * run["motor.angle_rate"], atol=1e-9)
    np.testing.assert_allclose(run["wiper.value"], 5.0 * (run["motor.angle"] + 1.0) / 4.0, atol=1e-6)


def test_a_winding_heats_up_to_where_it_cools_as_much():
    """R i^2 with the resistance of the temperature, through a thermal resistance to the air: an exponential."""
    model = sm.Model("winding")
    e, a = model.potential("e"), model.potential("a")
    copper, air = model.temperature("copper", 293.15), model.temperature("air")
    model.add("earth", sm.Earth(e))
    model.add("feed", sm.CurrentSource(e, a, current=3.0))
    model.add("winding", sm.HeatingResistor(a, e, copper, resistance=0.5, coefficient=0.0039))
    model.add("capacity", sm.HeatCapacity(copper, capacity=20.0))
    model.add("wall", sm.ThermalResistance(copper, air, resistance=4.0))
    model.add("room", sm.TemperatureSource(air, temperature=293.15))
    run = sm.transient(model, end=300.0, step=0.1, progress=False)
    heat, rise = 0.5 * 9.0, 0.5 * 9.0 * 0.0039
    slope = (1 / 4.0 - rise) / 20.0
    expected = heat / (1 / 4.0 - rise) * (1.0 - np.exp(-slope * run.time))
    np.testing.assert_allclose(run["copper.value"] - 293.15, expected, atol=1e-4)
    assert run["winding.resistance"][-1] == pytest.approx(0.5 * (1 + 0.0039 * expected[-1]), rel=1e-6)
    given, kept = run["feed.voltage"] * -3.0, run["capacity.heat"]
    np.testing.assert_allclose(kept - run["room.inflow.value"], given, rtol=1e-9)
    np.testing.assert_allclose(run["model.supplied"], kept, rtol=0, atol=1e-9 * given.max())


def test_heat_that_is_given_from_outside():
    model = sm.Model("oven")
    oven = model.temperature("oven", 300.0)
    model.add("capacity", sm.HeatCapacity(oven, capacity=50.0))
    model.add("coil", sm.HeatSource(oven, heat=100.0))
    run = sm.transient(model, end=10.0, step=0.1, progress=False)
    np.testing.assert_allclose(run["oven.value"], 300.0 + 2.0 * run.time, rtol=1e-12)


def test_nothing_is_colder_than_absolute_zero():
    model = sm.Model("cold")
    ice = model.temperature("ice", 200.0)
    model.add("capacity", sm.HeatCapacity(ice, capacity=1.0))
    model.add("pump", sm.HeatSource(ice, heat=-100.0))
    with pytest.raises(sm.SolveError, match=r"'ice'.*'capacity'") as caught:
        sm.transient(model, end=5.0, step=0.01, progress=False)
    assert caught.value.results.time[-1] == pytest.approx(2.0, abs=0.03)  # type: ignore[attr-defined]


def test_a_load_cell_tells_the_weight_that_hangs_on_it():
    """3 kg below a cell of 0.01 V/N, at rest; a meter of as much resistance as its output takes half of it."""
    model = sm.Model("scales", gravity=(0, 0, -9.81))
    load, e, p = model.node("load", position=(0, 0, -1.0)), model.potential("e"), model.potential("p")
    model.add("mass", sm.Body(load, mass=3.0, inertia=(0.1, 0.1, 0.1)))
    model.add("rail", sm.Prismatic(model.ground, load, axis=(0, 0, 1)))
    model.add("earth", sm.Earth(e))
    model.add("cell", sm.LoadCell(model.ground, load, p, e, stiffness=1e5, sensitivity=0.01, resistance=1e3))
    model.add("meter", sm.Resistor(p, e, resistance=1e3))
    assert sm.static(model)["cell.voltage"][0] == pytest.approx(0.5 * 0.01 * 3.0 * 9.81, rel=1e-9)


def test_a_motor_refuses_junctions_of_another_kind():
    model = sm.Model("wrong")
    pipe, live, disc = model.junction("pipe", HYDRAULIC), model.potential("live"), model.node("disc")
    with pytest.raises(sm.ModelError, match=r"'motor': .*'pipe' is hydraulic, and this is an electric element"):
        model.add("motor", sm.Motor(model.ground, disc, pipe, live, constant=K, resistance=R, inductance=L))


def test_a_motor_that_a_state_feeds_is_that_of_a_drive():
    """The voltage of a `DCMotor` may be a signal: the output of a gain that is 1."""
    runs = []
    for fed in (False, True):
        model = sm.Model("fed")
        disc = model.node("disc")
        model.add("body", sm.Body(disc, mass=0.1, inertia=(J, J, J)))
        model.add("hinge", sm.Revolute(model.ground, disc, axis=(0, 0, 1)))
        wave = sm.Sine(12.0, 5.0)
        voltage = model.add("gain", sm.Gain(wave, gain=1.0)).output if fed else wave
        numbers = {"constant": K, "resistance": R, "inductance": L}
        model.add("motor", sm.DCMotor(model.ground, disc, voltage=voltage, **numbers))
        runs.append(sm.transient(model, end=0.1, step=1e-4, progress=False))
    for channel in ("motor.current.value", "motor.angle_rate", "motor.voltage", "model.supplied"):
        size = np.abs(runs[0][channel]).max()
        np.testing.assert_allclose(runs[1][channel], runs[0][channel], rtol=0, atol=1e-8 * size)


@pytest.mark.parametrize("start", [-48.0, 48.0])
def test_an_inverter_the_wrong_way_round_is_named(start):
    """p below n, from the start or later: the loop would drive currents the wrong way. The results so far are kept."""
    voltage = -48.0 if start < 0.0 else sm.Ramp(-4800.0, initial=48.0)
    model = driven(magnets(5.0), voltage=voltage, inertia=0.05)
    words = r"'motor'.*the link of the inverter is the wrong way round: p must be its plus pole"
    with pytest.raises(sm.Diverged if start > 0.0 else sm.SolveError, match=words) as error:
        sm.transient(model, end=0.05, step=1e-4, progress=False)
    if start > 0.0:
        kept = error.value.results
        assert kept.time[-1] == pytest.approx(0.0101, abs=2.1e-4)  # 48 V and 1 % more at 4800 V/s


@pytest.mark.parametrize("kind", ["motor", "magnets", "inductor"])
@pytest.mark.parametrize("size", [1.0, 1e-6])
def test_small_circuits_are_stepped_by_their_own_scale(kind, size):
    """A rotor that is held, volts or microvolts: the current rises as 1 - exp(-t / T), as exactly as is asked for.

    By a scale of an ampere, steps would grow without bound over microamperes. The accuracy is that of a step, and the
    errors of several of them add up.
    """
    accuracy = 1e-4
    model = sm.Model("small")
    e, a, disc = model.potential("e", scale=size), model.potential("a", scale=size), model.node("disc")
    model.add("earth", sm.Earth(e))
    model.add("feed", sm.VoltageSource(a, e, voltage=48.0 * size))
    model.add("body", sm.Body(disc, mass=1.0, inertia=(1.0, 1.0, 1.0)))
    model.add("hold", sm.Clamp(model.ground, disc))
    top, time = 48.0 * size / R, L / R
    if kind == "motor":
        numbers = {"constant": K, "resistance": R, "inductance": L}
        model.add("motor", sm.Motor(model.ground, disc, a, e, **numbers))
        channel = "motor.current.value"
    elif kind == "magnets":
        numbers = PM | {"current": 5.0 * size, "bandwidth": 500.0, "link": 48.0 * size}
        model.add("motor", sm.PermanentMagnetMotor(model.ground, disc, a, e, **numbers))
        channel, top, time = "motor.quadrature.value", 5.0 * size, 1.0 / 500.0
    else:
        b = model.potential("b", scale=size)
        model.add("coil", sm.Inductor(a, b, inductance=L))
        model.add("load", sm.Resistor(b, e, resistance=R))
        channel = "coil.current.value"
    run = sm.transient(model, end=0.02, accuracy=accuracy, progress=False)
    assert len(run.time) > 20
    np.testing.assert_allclose(run[channel], top * (1.0 - np.exp(-run.time / time)), rtol=0, atol=10 * accuracy * top)
