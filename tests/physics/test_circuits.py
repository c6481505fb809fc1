"""Circuits against closed forms and independent integration; charge and energy are accounted for."""

import numpy as np
import pytest
from scipy import integrate

import samara as sm

R, L, C = 0.3, 2.0, 0.5


def series(voltage, resistance=R, inductance=L, capacitance=C) -> sm.Model:
    """A source, a resistor, an inductor and a capacitor in a ring."""
    model = sm.Model("series")
    e, a, b, c = (model.potential(name) for name in "eabc")
    model.add("earth", sm.Earth(e))
    model.add("source", sm.VoltageSource(a, e, voltage=voltage))
    model.add("resistor", sm.Resistor(a, b, resistance=resistance))
    model.add("inductor", sm.Inductor(b, c, inductance=inductance))
    model.add("capacitor", sm.Capacitor(c, e, capacitance=capacitance))
    return model


def step_response(t: np.ndarray, resistance: float) -> np.ndarray:
    """Voltage of the capacitor after one volt at t = 0, swinging or creeping."""
    s = np.roots([L * C, resistance * C, 1.0]).astype(complex)
    return np.real(1.0 + (s[1] * np.exp(s[0] * t) - s[0] * np.exp(s[1] * t)) / (s[0] - s[1]))


@pytest.mark.parametrize("resistance", [0.3, 9.0])
def test_step_of_a_series_circuit(resistance):
    """Below and above critical damping; second order, so a quarter of the error for half the step."""
    errors = []
    for step in (0.01, 0.005):
        run = sm.transient(series(1.0, resistance), end=10.0, step=step, progress=False)
        errors.append(np.abs(run["capacitor.voltage.value"] - step_response(run.time, resistance)).max())
    assert errors[1] < 1e-4
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.15)


@pytest.mark.parametrize("time", [1e-9, 1e-3, 1e3])
@pytest.mark.parametrize("impedance", [1e-3, 1e6])
@pytest.mark.parametrize("volts", [1e-6, 1e4])
def test_fast_and_slow_weak_and_strong_circuits_swing_alike(time, impedance, volts):
    """Nanoseconds or hours, microvolts or kilovolts: the same motion in its own units, to Newton's tolerance.

    Kilovolts rush away from a start at zero, by the scale of a volt: they begin as after a jump, which is 1e-7 off.
    """
    plain = sm.transient(series(1.0), end=10.0, step=0.02, progress=False)
    model = series(volts, R * impedance, L * impedance * time, C * time / impedance)
    run = sm.transient(model, end=10.0 * time, step=0.02 * time, progress=False)
    for name, unit in (("capacitor.voltage.value", volts), ("inductor.current.value", volts / impedance)):
        np.testing.assert_allclose(run[name] / unit, plain[name], rtol=0, atol=2e-7)


def test_resonance_is_that_of_the_impedance():
    """All currents of an alternating voltage by 1 / (R + j (w L - 1 / (w C))), from the exact linear model."""
    model = series(sm.Input("voltage", unit="V"))
    linear = sm.state_space(model, outputs=("inductor.current.value", "capacitor.voltage.value"))
    resonance = 1 / np.sqrt(L * C)
    for w in (0.2 * resonance, resonance, 3.0 * resonance):
        admittance = 1 / (R + 1j * (w * L - 1 / (w * C)))
        gain = linear.D + linear.C @ np.linalg.solve(1j * w * np.eye(len(linear.A)) - linear.A, linear.B)
        np.testing.assert_allclose(gain[:, 0], [admittance, admittance / (1j * w * C)], rtol=1e-10)
    assert abs(admittance) < 1 / R
    values = np.linalg.eigvals(linear.A)
    np.testing.assert_allclose(np.sort_complex(values), np.sort_complex(np.roots([L * C, R * C, 1.0])), rtol=1e-10)


def test_at_resonance_current_and_voltage_swing_together():
    """After the start has died out, amplitude U / R, and the capacitor has the quality sqrt(L / C) / R of it."""
    resonance = 1 / np.sqrt(L * C)
    model = series(sm.Sine(1.0, resonance), resistance=1.0)
    run = sm.transient(model, end=20 * 2 * np.pi, step=2 * np.pi / 400, progress=False)
    late = run.time > 18 * 2 * np.pi
    # rounding of the period: (w h)^2 / 12 of the phase, 2e-5
    assert run["inductor.current.value"][late].max() == pytest.approx(1.0, rel=5e-4)
    assert run["capacitor.voltage.value"][late].max() == pytest.approx(np.sqrt(L / C), rel=5e-4)
    np.testing.assert_allclose(run["inductor.current.value"][late], np.sin(run.time[late]), atol=2e-3)


def test_charge_and_energy_are_accounted_for():
    """With Crank and Nicolson's rule, what flows adds up to what is stored, step by step, to rounding.

    Their rule keeps quadratic forms: C (u1^2 - u0^2) / 2 = h (u0 + u1) / 2 (i0 + i1) / 2.
    """
    model = series(sm.Sine(2.0, 1.7))
    run = sm.transient(model, end=20.0, step=0.02, progress=False, integrator=sm.CrankNicolson())
    h = np.diff(run.time)

    def mean(name: str) -> np.ndarray:
        values = run[name]
        return 0.5 * (values[1:] + values[:-1])

    charge = C * np.diff(run["capacitor.voltage.value"])
    np.testing.assert_allclose(np.cumsum(h * mean("inductor.current.value")), np.cumsum(charge), rtol=0, atol=1e-9)
    u, i = mean("resistor.voltage"), mean("inductor.current.value")
    given = np.cumsum(h * -mean("source.voltage") * mean("source.current.value"))
    stored = 0.5 * C * run["capacitor.voltage.value"] ** 2 + 0.5 * L * run["inductor.current.value"] ** 2
    np.testing.assert_allclose(run["model.potential"], stored, rtol=0, atol=1e-12)
    np.testing.assert_allclose(stored[1:] - stored[0] + np.cumsum(h * u * i), given, rtol=0, atol=1e-9)


def test_power_is_balanced_at_every_instant():
    model = series(sm.Sine(2.0, 1.7))
    run = sm.transient(model, end=5.0, step=0.02, progress=False)
    u, i = run["capacitor.voltage.value"], run["inductor.current.value"]
    stored = C * u * run["capacitor.voltage.rate"] + L * i * run["inductor.current.rate"]
    rest = stored + run["model.dissipated"] - run["model.supplied"]
    assert np.abs(rest[1:]).max() < 1e-9
    for end in ("resistor.current", "capacitor.current"):
        np.testing.assert_allclose(run[end], i, rtol=0, atol=1e-9)
    np.testing.assert_allclose(run["source.current.value"], -i, rtol=0, atol=1e-9)
    np.testing.assert_allclose(run["earth.inflow.value"], 0.0, rtol=0, atol=1e-9)


SATURATION, THERMAL, SERIES = 1e-12, 0.02585, 0.5
LOAD, KEPT = 100.0, 1e-4


def rectifier(impedance: float = 1.0) -> sm.Model:
    """A transformer's winding, a diode, and a capacitor beside a load; impedance: factor on all of them."""
    model = sm.Model("rectifier")
    e, a, b = (model.potential(name) for name in "eab")
    model.add("earth", sm.Earth(e))
    model.add("winding", sm.VoltageSource(a, e, voltage=sm.Sine(10.0, 2 * np.pi * 50.0)))
    diode = {"saturation": SATURATION / impedance, "thermal": THERMAL, "resistance": SERIES * impedance, "leak": 0.0}
    model.add("diode", sm.Diode(a, b, **diode))
    model.add("capacitor", sm.Capacitor(b, e, capacitance=KEPT / impedance))
    model.add("load", sm.Resistor(b, e, resistance=LOAD * impedance))
    return model


def through_the_diode(u: float) -> float:
    """Shockley's equation with its series resistance, by bisection of the junction's voltage."""
    low, high = min(u, 0.0) - 1.0, min(u, 1.2) + 1e-9
    for _ in range(200):
        middle = 0.5 * (low + high)
        current = SATURATION * np.expm1(middle / THERMAL)
        low, high = (middle, high) if middle + SERIES * current < u else (low, middle)
    return float(SATURATION * np.expm1(0.5 * (low + high) / THERMAL))


def test_a_rectifier_as_an_independent_integration_has_it():
    def slope(t, u):
        return [(through_the_diode(10.0 * np.sin(2 * np.pi * 50.0 * t) - u[0]) - u[0] / LOAD) / KEPT]

    errors = []
    for step in (1e-5, 5e-6):
        run = sm.transient(rectifier(), end=0.04, step=step, progress=False)
        some = slice(None, None, round(2e-4 / step))
        found = integrate.solve_ivp(
            slope, (0.0, 0.0401), [0.0], method="LSODA", rtol=1e-9, atol=1e-10, t_eval=run.time[some], max_step=5e-5
        )
        errors.append(np.abs(run["capacitor.voltage.value"][some] - found.y[0]).max())
    assert errors[1] < 2e-5 * 10.0  # second order: of (w h)^2 and of the diode's sharp corner
    assert errors[1] < 0.4 * errors[0]
    assert run["capacitor.voltage.value"].max() > 8.0
    assert run["diode.current"].min() > -1e-9


def test_a_rectifier_of_higher_impedance_has_the_same_voltages():
    """Currents are a thousandth: no step may end because they are small. To Newton's tolerance, 1e-10 of 10 V."""
    runs = [sm.transient(rectifier(z), end=0.02, step=1e-5, progress=False) for z in (1.0, 1e3)]
    voltages = [run["capacitor.voltage.value"] for run in runs]
    np.testing.assert_allclose(voltages[1], voltages[0], atol=1e-8)


@pytest.mark.parametrize("voltage", [-1e4, -0.3, 0.0, 0.4, 0.8, 5.0, 1e4])
def test_a_diode_at_any_voltage(voltage):
    model = sm.Model("diode")
    e, a = model.potential("e"), model.potential("a")
    model.add("earth", sm.Earth(e))
    model.add("source", sm.VoltageSource(a, e, voltage=voltage))
    model.add("diode", sm.Diode(a, e, saturation=SATURATION, thermal=THERMAL, resistance=SERIES, leak=0.0))
    found = sm.static(model)["diode.current"][0]
    # a bisection that ends within 1e-16 V
    assert found == pytest.approx(through_the_diode(voltage), rel=1e-10, abs=1e-24)


def test_a_switch_lets_a_capacitor_charge_and_keeps_it():
    """Closed at 1 s, open again at 3 s: an exponential, then nothing but what the open switch leaks."""
    model = sm.Model("switch")
    e, a, b, c = (model.potential(name) for name in "eabc")
    model.add("earth", sm.Earth(e))
    model.add("source", sm.VoltageSource(a, e, voltage=5.0))
    closed = sm.Step(1.0, time=1.0) + sm.Step(-1.0, time=3.0)
    model.add("switch", sm.Switch(a, b, closed=closed, resistance=1.0, open=1e9))
    model.add("resistor", sm.Resistor(b, c, resistance=9.0))
    model.add("capacitor", sm.Capacitor(c, e, capacitance=0.1))
    run = sm.transient(model, end=5.0, step=2e-3, progress=False)
    u, t = run["capacitor.voltage.value"], run.time
    within = (t >= 1.0) & (t <= 3.0)
    np.testing.assert_allclose(u[within], 5.0 * (1.0 - np.exp(-(t[within] - 1.0))), atol=2e-5)
    assert np.abs(u[t < 1.0]).max() < 1e-7
    assert np.ptp(u[t > 3.0]) < 1e-7


def test_a_diode_takes_over_the_current_of_a_coil():
    """A switch opens within 50 us; from then on L di/dt = -R i - u(i), u the voltage of the diode."""
    model = sm.Model("flyback")
    e, a, b, c = (model.potential(name) for name in "eabc")
    model.add("earth", sm.Earth(e))
    model.add("source", sm.VoltageSource(a, e, voltage=12.0))
    model.add("switch", sm.Switch(a, b, closed=sm.Cosine(-1.0, 5e-5, start=0.01, initial=1.0), open=1e6))
    model.add("coil", sm.Inductor(b, c, inductance=1e-3))
    model.add("resistor", sm.Resistor(c, e, resistance=1.0))
    model.add("diode", sm.Diode(e, b, saturation=SATURATION, thermal=THERMAL, resistance=SERIES, leak=0.0))
    run = sm.transient(model, end=0.013, step=1e-5, progress=False)
    after = run.time > 0.0101

    def slope(t, i):
        return -(i + SERIES * i + THERMAL * np.log1p(np.maximum(i, 0.0) / SATURATION)) / 1e-3

    start, times = run["coil.current.value"][after][0], run.time[after]
    assert start > 10.0
    found = integrate.solve_ivp(slope, (times[0], times[-1]), [start], rtol=1e-10, atol=1e-12, t_eval=times).y[0]
    flows = found > 0.1  # below, what the open switch lets through matters
    np.testing.assert_allclose(run["coil.current.value"][after][flows], found[flows], atol=2e-4)  # (h (R + r) / L)^2
    assert run["b.value"].min() > -12.0 * SERIES - 1.0


def test_a_battery_is_emptied_by_the_charge_that_flows():
    """Through a resistor: capacity dx/dt = -voltage(x) / (R + r), for a straight curve an exponential."""
    model = sm.Model("battery")
    e, a = model.potential("e"), model.potential("a")
    model.add("earth", sm.Earth(e))
    curve = sm.Curve([0.0, 1.0], [3.0, 4.0])
    battery = model.add("battery", sm.Battery(a, e, voltage=curve, capacity=100.0, resistance=0.2, start=0.9))
    model.add("load", sm.Resistor(a, e, resistance=1.8))
    run = sm.transient(model, end=40.0, step=0.05, tolerance=1e-14, progress=False)
    expected = (3.0 + 0.9) * np.exp(-run.time / 200.0) - 3.0
    np.testing.assert_allclose(run[f"{battery.charge.name}.value"], expected, atol=1e-7)
    np.testing.assert_allclose(run["load.voltage"], (3.0 + expected) * 0.9, rtol=1e-6)
    np.testing.assert_allclose(run["model.supplied"], run["model.dissipated"], rtol=1e-9)


def test_an_empty_battery_ends_the_run_with_its_results():
    model = sm.Model("empty")
    e, a = model.potential("e"), model.potential("a")
    model.add("earth", sm.Earth(e))
    model.add("battery", sm.Battery(a, e, voltage=sm.Curve([0.0, 1.0], [3.0, 4.0]), capacity=2.0, resistance=0.2))
    model.add("load", sm.CurrentSource(a, e, current=1.0))
    with pytest.raises(sm.SolveError, match=r"'battery'.*empty") as caught:
        sm.transient(model, end=4.0, step=0.01, progress=False)
    kept = caught.value.results  # type: ignore[attr-defined]
    assert kept.time[-1] == pytest.approx(2.0, abs=0.03)  # 2 C at 1 A


def test_an_amplifier_gives_what_it_can():
    model = sm.Model("amplifier")
    e, a = model.potential("e"), model.potential("a")
    model.add("earth", sm.Earth(e))
    model.add("amplifier", sm.Amplifier(a, e, input=sm.Input("x"), gain=10.0, limit=24.0, resistance=0.5))
    model.add("load", sm.Resistor(a, e, resistance=7.5))
    stepper = sm.Stepper(model, step=1e-3)
    for x, inner in ((0.0, 0.0), (1.0, 10.0), (-2.0, -20.0), (5.0, 24.0), (-50.0, -24.0)):
        stepper.feed("x", x)
        stepper.advance()
        assert stepper.measure("load.voltage") == pytest.approx(inner * 7.5 / 8.0, abs=1e-9)


def bridge(voltage: float, load: float) -> sm.Model:
    """Four diodes between a source that nothing else ties to earth and a resistor."""
    model = sm.Model("bridge")
    e, p, a, b = (model.potential(name) for name in "epab")
    model.add("earth", sm.Earth(e))
    model.add("source", sm.VoltageSource(a, b, voltage=sm.Sine(voltage, 50.0 * 2.0 * np.pi)))
    for name, ends in {"d1": (a, p), "d2": (b, p), "d3": (e, a), "d4": (e, b)}.items():
        model.add(name, sm.Diode(*ends))
    model.add("load", sm.Resistor(p, e, resistance=load))
    return model


@pytest.mark.parametrize("voltage", [10.0, 1e3, 1e5, 1e6])
@pytest.mark.parametrize("step", [1e-3, 1e-4])
def test_a_diode_bridge_at_any_voltage(voltage, step):
    """|u| = p + 2 (thermal ln(1 + i / saturation) + resistance i), i = p / load: two diodes in series with it.

    The knee is 26 mV wide, and steps of kilovolts go over it. Newton's tolerance, 1e-8 of the potentials or of a volt.
    """
    load, thermal, saturation, series = voltage / 10.0, 0.02585, 1e-12, 0.01
    run = sm.transient(bridge(voltage, load), end=0.02, step=step, progress=False)
    p = run["p.value"]
    i = np.maximum(p, 0.0) / load
    across = p + 2.0 * (thermal * np.log1p(i / saturation) + series * i)
    told = np.abs(run["source.voltage"])
    lit = told > 2.5  # the leaks of the other two are less than 1e-6 of the current
    assert lit.sum() > 0.5 * len(p)
    np.testing.assert_allclose(across[lit], told[lit], rtol=2e-7)
    np.testing.assert_allclose(
        run["source.voltage"], voltage * np.sin(2 * np.pi * 50.0 * run.time), atol=1e-6 * voltage
    )


def test_a_bridge_that_needs_more_iterations_is_told_of_them():
    """Hardly any load: diodes come back to their knee over many decades. More iterations find them."""
    model = bridge(3e5, 3e7)
    with pytest.raises(sm.Diverged, match=r"allow more than 20 iterations: Simulation\(model, iterations=60\)"):
        sm.transient(model, end=0.01, step=1e-4, progress=False)
    run = sm.transient(sm.Simulation(bridge(3e5, 3e7), iterations=60), end=0.01, step=1e-4, progress=False)
    assert run["p.value"].max() == pytest.approx(3e5, rel=1e-4)


@pytest.mark.parametrize("formulation", ["redundant", "recursive"])
def test_what_a_changed_parameter_keeps(formulation):
    """A capacitor its voltage, an inductor its current; both go on with the new rates, u' = i / C and i' = u / L."""
    sizes = {"C": sm.Parameter("C", 1e-3, unit="F"), "L": sm.Parameter("L", 1.0, unit="H")}
    model = sm.Model("changed")
    e, a, b, c = (model.potential(name) for name in "eabc")
    model.add("earth", sm.Earth(e))
    model.add("source", sm.VoltageSource(b, e, voltage=10.0))
    model.add("charging", sm.Resistor(b, a, resistance=100.0))
    model.add("capacitor", sm.Capacitor(a, e, capacitance=sizes["C"]))
    model.add("inductor", sm.Inductor(b, c, inductance=sizes["L"]))
    model.add("load", sm.Resistor(c, e, resistance=1.0))
    stepper = sm.Stepper(model, step=1e-5, formulation=formulation)
    stepper.advance(1000)
    u, i = stepper.measure("a.value"), stepper.measure("inductor.current.value")
    for name in sizes:
        stepper.sim.system.set_parameter(name, 2.0 * float(sizes[name]))
    stepper.advance()
    # over one step, in which the rates change by a ten-thousandth
    assert stepper.measure("a.value") - u == pytest.approx(1e-5 * (10.0 - u) / 100.0 / 2e-3, rel=1e-3)
    assert stepper.measure("inductor.current.value") - i == pytest.approx(1e-5 * (10.0 - i) / 2.0, rel=1e-3)
