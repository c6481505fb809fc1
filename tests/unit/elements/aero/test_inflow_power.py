"""What every inflow model owes: power is thrust times induced velocity, ground effect, and no place of its own."""

import inflow_rotors as ir
import numpy as np
import pytest
from inflow_rotors import AREA, DENSITY, RADIUS, SPEED, bladed, gauss_stations, pushed, rings_of, settled

import samara as sm
from samara import Annular, FilteredMomentum, Momentum, PetersHe, PittPeters
from samara.elements.aero.inflow.inflow import GRADIENTS
from samara.elements.aero.inflow.peters_he import shapes_at

BLADES = 2
ALONG = gauss_stations(lambda x: 0.2 - 0.05 * x, 6)
LINEAR = {
    **{kind: Momentum(kind) for kind in GRADIENTS},
    "at once": Momentum(dynamic=False),
    "Pitt-Peters": PittPeters(),
    "filtered": FilteredMomentum(frequency=40.0),
}
SHAPED = {
    "rings": Annular(radii=rings_of(ALONG)),
    "rings, gradient": Annular(radii=(0.3, 0.5, 0.8, 0.95), gradient="drees", losses="tip"),
    "one shape": PetersHe((1,)),
    "Peters-He": PetersHe((3, 2, 1)),
    "Peters-He as printed": PetersHe((2, 2), momentum=False),
}
MODELS = LINEAR | SHAPED
every_model = pytest.mark.parametrize("inflow", MODELS.values(), ids=MODELS)


def velocity(inflow, found, x, y):
    """Induced velocity at (x, y) [R], from the states of the rotor and the definition of the model."""
    states = found["rotor.induced"]
    if isinstance(inflow, PetersHe):
        return sum(a * shape for a, shape in zip(states[1:], shapes_at(inflow.shapes, x, y), strict=True))
    linear = states[1] * x + states[2] * y if np.size(states) == 3 else 0.0
    if isinstance(inflow, Annular):
        return np.interp(np.hypot(x, y), inflow.radii, found["rotor.ring_induced"]) + linear
    return states[0] + linear


def station_loads(found, k: int):
    """Of blade k: thrust, force ahead [N], both at its stations."""
    name = f"blade_{k + 1}"
    return found[f"{name}.normal"] * ALONG.length, found[f"{name}.chordwise"] * ALONG.length


@every_model
@pytest.mark.parametrize("wind", [(0.0, 0.0, -3.0), (16.0, 7.0, -3.0)], ids=["climb", "forward flight"])
def test_lift_takes_the_power_of_the_wake_alone(inflow, wind):
    """Without drag no station works on the air at its place: its torque is v dT but for what the wind does, ring by
    ring and at any instant; so is the power of the rotor. Lift is normal to the flow to rounding, and Newton's method
    ends at 1e-8 or so of the loads.
    """
    found = settled(bladed(inflow, stations=ALONG, wind=wind), turns=4)
    total, size, wind = 0.0, found["rotor.thrust"] * ir.TIP, np.asarray(wind)
    for k in range(BLADES):
        psi = found["rotor.azimuth"] + k * 2 * np.pi / BLADES
        out, ahead = np.array([np.cos(psi), np.sin(psi), 0]), np.array([-np.sin(psi), np.cos(psi), 0])
        v = velocity(inflow, found, *(ALONG.x[:, None] / RADIUS * out[:2]).T)
        dT, force = station_loads(found, k)
        torque, against = -force * ALONG.x * SPEED, force * (wind @ ahead)
        np.testing.assert_allclose(torque, dT * (v - wind[2]) - against, rtol=0, atol=1e-7 * size)
        total += np.sum(dT * v)
    power = total - found["rotor.force"] @ wind
    assert found["rotor.power"] == pytest.approx(power, abs=1e-7 * size)


@every_model
@pytest.mark.parametrize("climb", [0.0, 3.0])
def test_power_in_axial_flight(inflow, climb):
    """P = T (V + u) with T = 2 rho A u (V + u) where the velocity is uniform; otherwise the sum of dT (V + v) over the
    rings, and the same u of the mean over the disk. Still air counts as 0.05 m/s.
    """
    found = settled(bladed(inflow, stations=ALONG, wind=(0.0, 0.0, -climb)), turns=25)
    T, u = found["rotor.thrust"], np.ravel(found["rotor.induced"])[0]
    lifted = sum(station_loads(found, k)[0] for k in range(BLADES))
    v = velocity(inflow, found, ALONG.x / RADIUS, 0.0 * ALONG.x)
    assert found["rotor.power"] == pytest.approx(np.sum(lifted * (climb + v)), rel=1e-6)
    if isinstance(inflow, Annular):
        return  # see test_annular: each ring by hand
    if isinstance(inflow, PetersHe) and not inflow.momentum:
        assert 2 * DENSITY * AREA * u * (climb + u) > 1.01 * T  # as printed, too much
        return
    assert 2 * DENSITY * AREA * u * (climb + u) == pytest.approx(T, rel=2e-4)
    if inflow in LINEAR.values():
        ideal = 0.5 * climb + np.sqrt(0.25 * climb**2 + T / (2 * DENSITY * AREA))
        assert found["rotor.power"] == pytest.approx(T * ideal, rel=2e-4)


@pytest.mark.parametrize("name", ["rings, gradient", "Peters-He"])
def test_mirrored_turned_and_boosted(name):
    """The other sense of rotation is the mirror image; disk and wind may be turned; to fly through still air is to
    stand in a wind. To what Newton's method leaves.
    """
    inflow, wind = MODELS[name], np.array([14.0, 5.0, -2.0])
    c, s = np.cos(2.2), np.sin(2.2)
    left = gauss_stations(lambda x: 0.2 - 0.05 * abs(x), 6, sense=-1)
    kinds = {
        "turned": {"wind": (c * wind[0] - s * wind[1], s * wind[0] + c * wind[1], wind[2]), "turn": 2.2},
        "mirrored": {"wind": wind * [1, -1, 1], "sense": -1.0, "stations": left},
        "boosted": {"motion": tuple((lambda t, w=w: -w * t) for w in wind)},
    }  # fmt: skip
    base = settled(bladed(inflow, stations=ALONG, wind=wind), turns=3)
    signs = np.array([-1.0 if n.startswith(("sin", "g_y")) else 1.0 for n in names_of(inflow)])
    for kind, how in kinds.items():
        found = settled(bladed(inflow, **({"stations": ALONG} | how)), turns=3)
        sign = signs if kind == "mirrored" else 1.0
        for channel, factor in (("thrust", 1.0), ("torque", 1.0), ("induced", sign)):
            np.testing.assert_allclose(
                found[f"rotor.{channel}"] * factor, base[f"rotor.{channel}"], rtol=1e-6, atol=1e-6, err_msg=kind
            )


def names_of(inflow) -> list[str]:
    """Of the channel `induced`."""
    return ["u", "g_x", "g_y"] if isinstance(inflow, Annular) else ["u", *(mode.name for mode in inflow.modes)]


@pytest.mark.parametrize(("name", "blades"), [("rings", 1), ("rings", 5), ("Peters-He", 3), ("Peters-He", 5)])
def test_any_number_of_blades(name, blades):
    """The same disk loading by more blades of less chord each, without losses, in hover: the same velocities.

    PetersHe sees the blades one by one, and N blades have harmonics N, 2 N, ... of the load, which are not among its
    shapes from three blades on; with one blade they are.
    """
    inflow = Annular(radii=rings_of(ALONG), losses="none") if name == "rings" else MODELS[name]
    found = []
    for count in (blades, 4):
        along = sm.Stations(**{n: np.array(getattr(ALONG, n)) for n in ALONG.__dataclass_fields__})
        along.chord = along.chord * 4 / count
        found.append(settled(bladed(inflow, stations=along, blades=count), turns=12, outputs=("rotor.*",)))
    channel = "rotor.ring_induced" if name == "rings" else "rotor.induced"
    for which in ("rotor.thrust", "rotor.power", channel):
        np.testing.assert_allclose(found[0][which], found[1][which], rtol=1e-6, atol=1e-6)


# ---- ground
PUSH_RADII, PUSH_WIDTHS = np.array([0.3, 0.55, 0.8]), np.array([0.3, 0.25, 0.3])
GROUNDED = {
    "momentum": Momentum(), "at once": Momentum(dynamic=False), "filtered": FilteredMomentum(frequency=40.0),
    "Pitt-Peters": PittPeters(), "rings": Annular(radii=PUSH_RADII, losses="none"), "Peters-He": PetersHe((2, 1)),
}  # fmt: skip


@pytest.mark.parametrize("inflow", GROUNDED.values(), ids=GROUNDED)
def test_ground_at_constant_power(inflow):
    """Cheeseman and Bennett in hover: with the thrust 1 / k times that far away, every induced velocity is k times,
    so that the power is the same: 1e-3. k = 1 - (R / 4 h)^2.
    """
    forces = np.array([60.0, 200.0, 400.0])

    def induced(thrust, h):
        more = {} if h is None else {"ground": True, "height": 7.0}
        model = pushed(
            inflow, thrust * forces, PUSH_RADII, PUSH_WIDTHS, start=5.0, position=(0.0, 0.0, 7.0 + (h or 0.0)), **more
        )
        run = sm.transient(model, end=3.0, step=1e-2, progress=False, outputs="rotor.*")
        channel = "ring_induced" if isinstance(inflow, Annular) else "induced"
        return run[f"rotor.{channel}"][-1]

    far = induced(1.0, None)
    for h in (4.0 * RADIUS, RADIUS, 0.5 * RADIUS):
        k = 1 - (RADIUS / (4 * h)) ** 2
        np.testing.assert_allclose(induced(1 / k, h), k * far, rtol=1e-3, atol=1e-4)
