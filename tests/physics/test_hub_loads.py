"""Hub loads against reactions and closed forms; harmonics of what N blades alike pass into the fixed frame."""

import contextlib
import io
import json

import numpy as np
import pytest

import samara as sm
from samara.cli import main
from samara.models.rotors.hinged_rotor import SPEED, hinged_rotor
from samara.results import Channel, Channels

PERIOD = 2.0 * np.pi / SPEED


def flying(blades, speed=SPEED):
    """A rotor in forward flight in its periodic motion, and what was recorded of a revolution."""
    model = hinged_rotor(blades=blades, speed=speed, wind=(18.0, 0.0, -2.4))
    found = sm.periodic(model, PERIOD, PERIOD / 72, tolerance=1e-9)
    assert found.settled
    return model, found.results


@pytest.mark.parametrize(("blades", "speed"), [(3, SPEED), (4, -SPEED)])
def test_blades_alike_pass_only_multiples_of_their_number(blades, speed):
    """Fixed frame: n/rev for n = N, 2 N alone. Turning axes: forces across the shaft for n = N - 1 and N + 1."""
    model, results = flying(blades, speed)
    loads = sm.hub_loads(results, model)
    for what in ("force", "moment"):
        fixed, turning = (
            sm.harmonics(loads, f"rotor.{axes}_{what}", "rotor.hub_azimuth", orders=8) for axes in ("fixed", "hub")
        )
        passed = fixed.orders % blades == 0
        largest = fixed.amplitude.max()
        assert largest > 0.1
        assert np.abs(fixed.amplitude[~passed]).max() < 1e-4 * largest
        sides = (turning.orders + 1) % blades == 0, (turning.orders - 1) % blades == 0
        assert np.abs(turning.amplitude[~(sides[0] | sides[1])][:, :2]).max() < 1e-4 * largest
        # N/rev across the shaft in the fixed frame is the sum of both sides in turning axes
        n = blades - 1
        assert turning.amplitude[n - 1, 0] + turning.amplitude[n + 1, 0] >= (1 - 1e-6) * fixed.amplitude[n, :2].max()
        assert turning.mean[2] == pytest.approx(fixed.mean[2], rel=1e-9)


def test_loads_are_the_reactions_of_the_hinges():
    """All that holds these blades are hinges, so their reactions are the hub's loads, found in another way."""
    model, results = flying(4)
    loads = sm.hub_loads(results, model)
    force, moment = 0.0, 0.0
    for k in range(1, 5):
        hinge = model.elements[f"blade_{k}.flap"]  # in the centre of the disk
        R = results[f"blade_{k}.arm.rotation"].reshape(-1, 3, 3) @ hinge.place_b.rotation
        force = force - np.einsum("tij,tj->ti", R, results[f"blade_{k}.flap.force"])
        moment = moment - np.einsum("tij,tj->ti", R, results[f"blade_{k}.flap.couple"])
    assert loads["rotor.fixed_force"] == pytest.approx(force, abs=1e-7 * np.abs(force).max())
    assert loads["rotor.fixed_moment"] == pytest.approx(moment, abs=1e-6 * np.abs(moment).max())


def test_unequal_elastic_blades_shake_the_hub_once_per_revolution():
    """Two beams, one 10 % heavier: W^2 dm L / 2 at 1/rev in the fixed frame, constant in turning axes.

    Their stretch adds W^2 L^2 m / (3 EA) of it, 1e-4.
    """
    length, mass, speed = 2.0, 3.0, 20.0
    model = sm.Model("two beams", gravity=(0, 0, -9.81))
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, sm.Ramp(speed))))
    for k, m in enumerate((1.1 * mass, mass), 1):
        span = sm.Span(
            station=[0.0, length], mass=m, EA=1e7, GJ=1e4, EI_y=1e6, EI_z=1e6, inertia_y=1e-3, inertia_z=1e-3
        )
        place = sm.Placement((0, 0, 0), np.diag([1.0, 1.0, 1.0]) if k == 1 else np.diag([-1.0, -1.0, 1.0]))
        options = {"root": hub, "place": place, "elements": 2, "angular_velocity": (0, 0, speed), "damping": 1e-3}
        sm.add_beam(model, f"blade_{k}", span, **options)
    model.declare_rotor("rotor", hub=hub, blades=["blade_1", "blade_2"], radius=length)
    sim = sm.steady_rotation(model, speed)
    turn = 2.0 * np.pi / speed
    results = sm.transient(sim, end=turn, step=turn / 48, progress=False)
    loads = sm.hub_loads(results, model)
    shake = speed**2 * 0.1 * mass * length**2 / 2
    fixed = sm.harmonics(loads, "rotor.fixed_force", "rotor.hub_azimuth", orders=4)
    assert fixed.amplitude[0, :2] == pytest.approx(shake, rel=5e-4)
    assert np.abs(fixed.amplitude[1:]).max() < 1e-3 * shake
    assert np.diff(fixed.phase[0, :2])[0] == pytest.approx(0.5 * np.pi, abs=1e-3)
    assert fixed.mean[2] == pytest.approx(-9.81 * 2.1 * mass * length, rel=1e-6)
    assert loads["rotor.hub_force"][:, 0] == pytest.approx(shake, rel=1e-3)


def test_harmonics_of_known_waves():
    """Mean, amplitudes, phases and what is left, at unequal azimuths and both senses."""
    t = np.linspace(0.0, 1.0, 400)
    for sense in (1, -1):
        psi = 2.5 * 2 * np.pi * (t + 0.02 * np.sin(9 * t))
        x = 3.0 + 2.0 * np.cos(psi - 0.4) + 0.5 * np.cos(3 * psi + 1.0)
        channels = Channels([Channel("a.x", "N"), Channel("a.psi", "rad")])
        wrapped = np.angle(np.exp(1j * sense * psi))
        found = sm.harmonics(sm.Results(channels, t, np.column_stack([x, wrapped])), "a.x", "a.psi", orders=4)
        assert found.turns == 2
        assert found.mean[0] == pytest.approx(3.0)
        assert found.amplitude[:, 0] == pytest.approx([2.0, 0.0, 0.5, 0.0], abs=1e-12)
        assert found.phase[[0, 2], 0] == pytest.approx([0.4, -1.0])
        assert found.rest[0] < 1e-12
        with pytest.raises(sm.ModelError, match=r"4 revolutions of .* are asked for, 2 were"):
            sm.harmonics(sm.Results(channels, t, np.column_stack([x, wrapped])), "a.x", "a.psi", turns=4)


def test_what_is_not_known_on_a_blade_is_refused():
    model = hinged_rotor()
    model.add("blade_1.pull", sm.Force(model.nodes["blade_1.root"], force=(1.0, 0, 0)))
    results = sm.transient(model, end=1e-3, step=1e-3, progress=False)
    with pytest.raises(sm.ModelError, match=r"'blade_1.pull' \(Force\) acts on a blade"):
        sm.hub_loads(results, model)
    few = sm.transient(hinged_rotor(), end=1e-3, step=1e-3, outputs="rotor.*", progress=False)
    with pytest.raises(sm.ModelError, match="was not recorded"):
        sm.hub_loads(few, hinged_rotor())


def test_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tunnel.py").write_text(
        "from samara.models.rotors.hinged_rotor import hinged_rotor\n\n\n"
        "def make_model():\n    return hinged_rotor(wind=(18.0, 0.0, -2.4))\n"
    )
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        words = ["--channel", "rotor.fixed_force", "rotor.hub_force.x", "blade_1.flap.angle", "--json"]
        assert main(["harmonics", "tunnel.py", "--steps", "72", "--orders", "4", *words]) == 0
    force, across, flap = json.loads(said.getvalue())["channels"]
    sizes = np.array(force["amplitude"])
    assert sizes[:3].max() < 1e-3 * sizes[3].max()
    assert across["amplitude"][0][0] > sizes.max()
    assert flap["unit"] == "rad" and flap["amplitude"][0][0] > 0.01
