"""Static solutions with scalar states: stable or not by closed forms, conserved, determined, and above their floors."""

from typing import Any

import numpy as np
import pytest

import samara as sm
from samara.tracing import fmax, fmin


class Own(sm.Element):
    """y' = rate y - cubic y^3."""

    rate: float = sm.number()
    cubic: float = sm.number(default=0.0)
    start: float = sm.number(default=0.1, plain=True)

    def own_states(self):
        return {"y": sm.State(1, value=self.start)}

    def formulate(self, site):
        y = site.states[0]
        return sm.Contribution(wrenches=[], balances=[y.rate - self.rate * y.value + self.cubic * y.value**3])


class LaggingPush(sm.Element):
    """time u' + u = x; the force gain u pushes back along x, with stiffness and damping beside it."""

    a: sm.Node = sm.node(kw_only=False)
    b: sm.Node = sm.node(kw_only=False)
    stiffness: float = sm.number()
    damping: float = sm.number()
    gain: float = sm.number()
    time: float = sm.number()

    def own_states(self):
        return {"u": sm.State(1, unit="m", scale=0.1)}

    def formulate(self, site):
        u, x = site.states[0], site.measure(lambda a, b: [b.p[0] - a.p[0]])
        effort = self.stiffness * x.value[0] + self.damping * x.rate[0] + self.gain * u.value
        return sm.Contribution(wrenches=x.wrenches([effort]), balances=[self.time * u.rate + u.value - x.value[0]])


MASS, STIFFNESS, DAMPING, TIME = 2.0, 50.0, 0.8, 0.3
#: Routh: time m s^3 + (m + time c) s^2 + (c + time k) s + k + gain.
LIMIT = (MASS + TIME * DAMPING) * (DAMPING + TIME * STIFFNESS) / (TIME * MASS) - STIFFNESS


def pushed(gain: float) -> sm.Model:
    model = sm.Model("pushed")
    cart = model.node("cart")
    model.add("mass", sm.Body(cart, mass=MASS, inertia=(1, 1, 1)))
    model.add("rail", sm.Prismatic(model.ground, cart, axis=(1, 0, 0)))
    push = LaggingPush(model.ground, cart, stiffness=STIFFNESS, damping=DAMPING, gain=gain, time=TIME)
    model.add("push", push)
    return model


def test_a_state_that_drives_itself_is_unstable():
    model = sm.Model("grows")
    model.add("own", Own(rate=1.0))
    sim = sm.Simulation(model)
    with pytest.warns(UserWarning, match=r"unstable: a disturbance grows by e in 1 s, with state 'own.y'"):
        rest = sm.static(sim)
    assert rest["own.y.value"][-1] == pytest.approx(0.0, abs=1e-9)
    assert rest.attrs.stability == "unstable"
    assert sm.stability(sim).growth == pytest.approx(1.0)


def test_a_state_that_returns_is_stable():
    model = sm.Model("falls")
    model.add("own", Own(rate=-1.0))
    assert sm.static(model).attrs.stability == "stable"


@pytest.mark.parametrize(("share", "verdict"), [(0.999, "stable"), (1.001, "unstable")])
def test_feedback_through_a_lag_is_judged_as_routh_says(share, verdict):
    """Every displacement meets resistance, k + gain, on both sides of the limit."""
    sim = sm.Simulation(pushed(share * LIMIT))
    rest = sm.static(sim, stable=False)
    assert rest.attrs.stability == verdict
    found = sm.stability(sim)
    assert found.stiffness == pytest.approx(STIFFNESS + share * LIMIT, rel=1e-9)
    if verdict == "unstable":
        roots = np.roots([TIME * MASS, MASS + TIME * DAMPING, DAMPING + TIME * STIFFNESS, STIFFNESS + share * LIMIT])
        assert found.growth.real == pytest.approx(roots.real.max(), rel=1e-5)
        assert "with state 'push.u'; joint 'rail' (Prismatic) slides along x" in found.reason
        assert sm.modes(sim).eigenvalues.real.max() == pytest.approx(roots.real.max(), rel=1e-5)


def test_an_undamped_mechanism_beside_states_is_stable():
    """Its eigenvalues are on the imaginary axis but for rounding; a filter that only listens changes nothing."""
    model = sm.Model("swing", gravity=(0, 0, -9.81))
    bob = model.node("bob", position=(0.3, 0, -1.0))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(0.01, 0.01, 0.01)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    model.add("filter", sm.Lag(command=1.0, time=0.1))
    assert sm.static(model).attrs.stability == "stable"


def test_what_acts_on_too_many_is_not_examined(monkeypatch):
    monkeypatch.setattr("samara.solve.statics.growth.LARGEST_GROWTH", 1)
    sim = sm.Simulation(pushed(0.5 * LIMIT))
    rest = sm.static(sim)
    assert rest.attrs.stability == "not examined"
    assert "coordinates act on each other with state 'push.u'" in sm.stability(sim).reason


def test_charge_is_shared_and_none_is_lost():
    """Two capacitors through a resistor: (C_1 V_1 + C_2 V_2) / (C_1 + C_2)."""
    model = sm.Model("charge")
    e, a, b = (model.potential(name) for name in "eab")
    model.add("earth", sm.Earth(e))
    model.add("C1", sm.Capacitor(a, e, capacitance=1e-3, start=5.0))
    model.add("C2", sm.Capacitor(b, e, capacitance=3e-3, start=1.0))
    model.add("R", sm.Resistor(a, b, resistance=10.0))
    rest = sm.static(model)
    assert rest["C1.voltage.value"][-1] == pytest.approx((1e-3 * 5.0 + 3e-3 * 1.0) / 4e-3, rel=1e-9)
    assert rest["C2.voltage.value"][-1] == pytest.approx(2.0, rel=1e-9)
    assert rest.attrs.stability == "stable"


def test_heat_is_shared_beside_a_hinge():
    """A mechanism in the same model rests where it would alone."""
    model = sm.Model("heat", gravity=(0, 0, -9.81))
    bob = model.node("bob", position=(0.3, 0, -1.0))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(0.01, 0.01, 0.01)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    hot, cold = model.temperature("hot", 400.0), model.temperature("cold", 300.0)
    model.add("one", sm.HeatCapacity(hot, capacity=10.0))
    model.add("other", sm.HeatCapacity(cold, capacity=30.0))
    model.add("wall", sm.ThermalResistance(hot, cold, resistance=2.0))
    rest = sm.static(model)
    assert rest["hot.value"][-1] == pytest.approx(325.0, rel=1e-9)
    assert rest["cold.value"][-1] == pytest.approx(325.0, rel=1e-9)
    assert rest["bob.position"][-1, 0] == pytest.approx(0.0, abs=1e-9)
    model.add("heater", sm.HeatSource(hot, heat=1.0))
    with pytest.raises(sm.SingularModel, match=r"equations of states 'hot' and 'cold' have no solution at rest"):
        sm.static(model)


OIL = sm.IncompressibleFluid(reference_density=850.0, viscosity=0.05, vapour_pressure=2000.0)


@pytest.mark.parametrize("speed", [5.0, 50.0])
def test_a_pressure_below_that_of_the_vapour_is_refused(speed):
    """A pump sucks through a thin pipe: p = p_0 - 8 mu L Q / (pi r^4)."""
    model = sm.Model("suction")
    back, inlet = model.pressure("back"), model.pressure("inlet")
    model.add("tank", sm.Tank(back, fluid=OIL))
    model.add("pipe", sm.Pipe(back, inlet, fluid=OIL, length=2.0, radius=2e-3))
    model.add("pump", sm.Pump(inlet, back, fluid=OIL, displacement=1e-6, speed=speed))
    drop = 8.0 * 0.05 * 2.0 * 1e-6 * speed / (np.pi * 2e-3**4)
    if speed == 5.0:
        assert sm.static(model)["inlet.value"][-1] == pytest.approx(101325.0 - drop, rel=1e-9)
        return
    with pytest.raises(sm.Diverged, match=r"'inlet' would be at -.* Pa at rest, below 2000, .*'p[a-z]*' end: .* boils"):
        sm.static(model)


class Gate(sm.Branch):
    """Lets through opening(t) times the drop."""

    domain = sm.model.HYDRAULIC
    opening: Any = sm.driven()

    def flow(self, a, b):
        return self.opening * (a.value - b.value)


@pytest.mark.parametrize("time", [0.0, 1.0])
def test_a_pressure_that_nothing_determines_is_named(time):
    """Between two gates that shut, at the start or later; the hinge of the same model is not to blame."""
    model = sm.Model("shut", gravity=(0, 0, -9.81))
    bob = model.node("bob", position=(0.3, 0, -1.0))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(0.01, 0.01, 0.01)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    back, middle = model.pressure("back"), model.pressure("middle")
    model.add("tank", sm.Tank(back, fluid=OIL))
    for name, ends in (("one", (back, middle)), ("other", (middle, back))):
        model.add(name, Gate(*ends, opening=sm.Step(0.0, time=0.5 if time else -1.0, before=1e-9)))
    with pytest.raises(sm.SingularModel, match=r"nothing determines state 'middle'"):
        sm.static(model, time=time)


def test_flux_around_a_loop_of_coils_is_kept():
    """Two coils side by side take a current I: i_1 + i_2 = I, and L_1 i_1 - L_2 i_2 stays what it was."""
    model, I, L_1, L_2 = sm.Model("coils"), 4.0, 0.1, 0.3
    e, a = model.potential("e"), model.potential("a")
    model.add("earth", sm.Earth(e))
    model.add("source", sm.CurrentSource(e, a, current=I))
    model.add("load", sm.Resistor(a, e, resistance=5.0))
    model.add("L1", sm.Inductor(a, e, inductance=L_1, start=1.0))
    model.add("L2", sm.Inductor(a, e, inductance=L_2, start=-0.5))
    rest = sm.static(model)
    kept = L_1 * 1.0 - L_2 * -0.5
    expected = (kept + L_2 * I) / (L_1 + L_2)
    assert rest["L1.current.value"][-1] == pytest.approx(expected, rel=1e-9)
    assert rest["L2.current.value"][-1] == pytest.approx(I - expected, rel=1e-9)


def test_a_state_that_drives_itself_ends_where_it_is_held_back():
    """y' = y - y^3 from y = 0.1, and from zero itself, where nothing drives it yet: one, on either side."""
    for start in (0.1, 0.0):
        model = sm.Model("two ends")
        model.add("own", Own(rate=1.0, cubic=1.0, start=start))
        rest = sm.static(model)
        assert abs(rest["own.y.value"][-1]) == pytest.approx(1.0, rel=1e-9)
        assert rest.attrs.stability == "stable"
        assert sm.static(model, stable=False).attrs.stability == "unstable"


@pytest.mark.parametrize("start", [2e5, 1e7, 1e8])
def test_pressure_between_two_orifices_from_any_start(start):
    """Turbulent flow through both: (p_s - p) / (p - p_t) = (D_2 / D_1)^4; the density changes by 1e6 / 1.4e9."""
    oil = sm.LinearFluid(reference_density=850.0, viscosity=1e-4, bulk_modulus=1.4e9)
    model, D_1, D_2 = sm.Model("orifices"), 1e-3, 1.5e-3
    supply, middle, back = model.pressure("supply", 1.1e6), model.pressure("middle", start), model.pressure("back")
    model.add("source", sm.PressureSource(supply, fluid=oil, pressure=1.1e6))
    model.add("tank", sm.Tank(back, fluid=oil))
    model.add("volume", sm.Volume(middle, fluid=oil, volume=1e-3))
    model.add("first", sm.Orifice(supply, middle, fluid=oil, diameter=D_1))
    model.add("second", sm.Orifice(middle, back, fluid=oil, diameter=D_2))
    rest = sm.static(model)
    p, ratio = rest["middle.value"][-1], (D_2 / D_1) ** 4
    assert p == pytest.approx((1.1e6 + ratio * rest["back.value"][-1]) / (1.0 + ratio), rel=1e-3)
    assert rest.attrs.stability == "stable"


def test_a_vessel_runs_empty():
    """Nothing flows at the end, where the slope of the square root is that of laminar flow alone."""
    oil = sm.LinearFluid(reference_density=850.0, viscosity=0.02, bulk_modulus=1.4e9)
    model = sm.Model("vessel")
    full, back = model.pressure("full", 2e7), model.pressure("back")
    model.add("tank", sm.Tank(back, fluid=oil))
    model.add("vessel", sm.Volume(full, fluid=oil, volume=1e-3))
    model.add("hole", sm.Orifice(full, back, fluid=oil, diameter=1e-3))
    assert sm.static(model)["full.value"][-1] == pytest.approx(101325.0, rel=1e-9)


class Slow(sm.Element):
    """y' = 10 - y, but no faster than 0.5."""

    def own_states(self):
        return {"y": sm.State(1)}

    def formulate(self, site):
        y = site.states[0]
        return sm.Contribution(wrenches=[], balances=[y.rate - fmin(fmax(10.0 - y.value, -0.5), 0.5)])


def test_what_is_limited_in_its_rate_arrives():
    """Far from its goal it only knows its rate, and no value."""
    model = sm.Model("slow")
    model.add("slow", Slow())
    rest = sm.static(model)
    assert rest["slow.y.value"][-1] == pytest.approx(10.0, rel=1e-9)
    assert rest.attrs.stability == "stable"


class Integrating(LaggingPush):
    """i' = x - goal, the force gain i pushes back beside spring and damper; `time` is not used."""

    goal: float = sm.number()

    def formulate(self, site):
        i, x = site.states[0], site.measure(lambda a, b: [b.p[0] - a.p[0]])
        effort = self.stiffness * x.value[0] + self.damping * x.rate[0] + self.gain * i.value
        return sm.Contribution(wrenches=x.wrenches([effort]), balances=[i.rate - x.value[0] + self.goal])


@pytest.mark.parametrize(("share", "verdict"), [(0.99, "stable"), (1.01, "unstable"), (-0.5, "unstable")])
def test_an_integral_holds_what_it_regulates(share, verdict):
    """At rest x is the goal; m s^3 + c s^2 + k s + gain is stable where c k > m gain > 0 (Routh)."""
    model, gain, goal = sm.Model("regulated"), share * DAMPING * STIFFNESS / MASS, 0.3
    cart = model.node("cart")
    model.add("mass", sm.Body(cart, mass=MASS, inertia=(1, 1, 1)))
    model.add("rail", sm.Prismatic(model.ground, cart, axis=(1, 0, 0)))
    numbers = {"stiffness": STIFFNESS, "damping": DAMPING, "gain": gain, "time": 1.0, "goal": goal}
    model.add("push", Integrating(model.ground, cart, **numbers))
    rest = sm.static(model, stable=False)
    assert rest["cart.position"][-1, 0] == pytest.approx(goal, rel=1e-9)
    assert rest["push.u.value"][-1] == pytest.approx(-STIFFNESS * goal / gain, rel=1e-9)
    assert rest.attrs.stability == verdict


SOFT_OIL = sm.LinearFluid(reference_density=850.0, viscosity=0.02, bulk_modulus=2e7)


def test_liquid_between_two_accumulators_is_kept():
    """However nonlinear the gas is: as many kilograms as at the start, at one pressure."""
    model = sm.Model("accumulators")
    a, b = model.pressure("a", 2e7), model.pressure("b", 6e6)
    model.add("A", sm.Accumulator(a, fluid=SOFT_OIL, gas=1e-3, precharge=5e6))
    model.add("B", sm.Accumulator(b, fluid=SOFT_OIL, gas=3e-3, precharge=5e6))
    model.add("hole", sm.Orifice(a, b, fluid=SOFT_OIL, diameter=1e-3))
    begun = sm.transient(model, 1e-9, 1e-9, progress=False)
    rest = sm.static(model)
    kept = begun["A.content"][0] + begun["B.content"][0]
    assert rest["A.content"][-1] + rest["B.content"][-1] == pytest.approx(kept, rel=1e-9)
    assert rest["a.value"][-1] == pytest.approx(rest["b.value"][-1], rel=1e-9)


def test_a_weight_on_a_shut_cylinder():
    """The liquid is a spring, soft and far from linear: rho(p) (V - A x) stays, and p A rises by the weight."""
    model, A, V, p_0, weight = sm.Model("jack", gravity=(0, 0, -9.81)), 1e-3, 1e-3, 101325.0, 1e4
    chamber = model.pressure("chamber", p_0)
    load = model.node("load", position=(0, 0, 2.0))
    model.add("mass", sm.Body(load, mass=weight / 9.81, inertia=(1, 1, 1)))
    model.add("guide", sm.Prismatic(model.ground, load))
    jack = sm.LinearActuator(model.ground, load, chamber, fluid=SOFT_OIL, area_1=A, volume_1=V, air=p_0)
    model.add("jack", jack)
    rest = sm.static(model)
    p, x = rest["chamber.value"][-1], 2.0 - rest["load.position"][-1, 2]
    assert p == pytest.approx(p_0 + weight / A, rel=1e-9)
    assert SOFT_OIL.density(p) * (V - A * x) == pytest.approx(SOFT_OIL.density(p_0) * V, rel=1e-9)
    assert 0.2 < x < 0.5  # of a metre: V / A
    assert rest.attrs.stability == "stable"


@pytest.mark.parametrize("later", [101325.0, 3e5])
def test_orifices_without_volumes_follow_a_supply_that_falls(later):
    """Pressures without a store, at a time when the supply is another: between supply and tank by D^4."""
    oil = sm.LinearFluid(reference_density=850.0, viscosity=1e-5, bulk_modulus=1.4e9)
    model, diameters = sm.Model("row"), (1e-3, 2e-3, 1.5e-3)
    ends = [model.pressure("supply", 2e7), *(model.pressure(f"p{k}") for k in range(2)), model.pressure("back")]
    model.add("source", sm.PressureSource(ends[0], fluid=oil, pressure=sm.Step(later, time=0.5, before=2e7)))
    model.add("tank", sm.Tank(ends[-1], fluid=oil))
    for k, diameter in enumerate(diameters):
        model.add(f"o{k}", sm.Orifice(*ends[k : k + 2], fluid=oil, diameter=diameter))
    rest = sm.static(model, time=1.0)
    drops = np.array(diameters) ** -4.0
    drops *= (later - 101325.0) / drops.sum()
    expected = later - np.cumsum(drops)[:2]
    assert [rest["p0.value"][-1], rest["p1.value"][-1]] == pytest.approx(expected, rel=1e-3)


class Keeper(sm.Element):
    """Keeps what flows into x, as a state of its own: content = capacity (x + x^3)."""

    x: sm.State = sm.state(kw_only=False)
    capacity: float = sm.number()
    start: float = sm.number(plain=True)

    def own_states(self):
        return {"content": sm.State(1, value=self.capacity * (self.start + self.start**3))}

    def formulate(self, site):
        x, content = site.states
        held = self.capacity * (x.value + x.value**3)
        return sm.Contribution(wrenches=[], balances=[content.rate, content.value - held])


class Leads(sm.Element):
    """Lets flow from x to y what their difference drives, and into x what comes from outside."""

    x: sm.State = sm.state(kw_only=False)
    y: sm.State = sm.state(kw_only=False)
    inflow: float = sm.number(default=0.0)

    def formulate(self, site):
        x, y = site.states
        flow = 0.2 * (x.value - y.value)
        return sm.Contribution(wrenches=[], balances=[flow - self.inflow, -flow])


@pytest.mark.parametrize("inflow", [0.0, 0.1])
def test_contents_that_are_states_are_kept(inflow):
    """The value is where C_1 (x + x^3) + C_2 (x + x^3) is what it was; what flows in on and on is named."""
    model = sm.Model("contents")
    x, y = model.state("x", 0, value=2.0), model.state("y", 0, value=-0.5)
    model.add("one", Keeper(x, capacity=1.0, start=2.0))
    model.add("other", Keeper(y, capacity=3.0, start=-0.5))
    model.add("between", Leads(x, y, inflow=inflow))
    if inflow:
        with pytest.raises(sm.SingularModel, match=r"states 'x' and 'y' have no solution at rest: what flows in"):
            sm.static(model)
        return
    rest = sm.static(model)
    kept = 1.0 * (2.0 + 8.0) - 3.0 * (0.5 + 0.125)
    found = rest["x.value"][-1]
    assert 4.0 * (found + found**3) == pytest.approx(kept, rel=1e-9)
    assert rest["y.value"][-1] == pytest.approx(found, rel=1e-9)
    assert rest.attrs.stability == "stable"
