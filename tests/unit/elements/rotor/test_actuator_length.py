"""Drives that are made of others know when these jump and bend: a step ends there."""

import importlib
import inspect
import pkgutil

import numpy as np
import pytest

import samara
import samara as sm
from samara.elements.rotor.actuator_length import ActuatorLength
from samara.model import Drive


def made_of_drives() -> list[type[Drive]]:
    """All kinds of drives with a field that holds drives, wherever in the package."""
    for room in ("model", "elements", "models", "nonsmooth"):
        path = [f"{samara.__path__[0]}/{room}"]
        for module in pkgutil.walk_packages(path, f"samara.{room}."):
            importlib.import_module(module.name)
    found, kinds = [], [Drive]
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        if any("Drive" in str(note) for note in inspect.get_annotations(kind).values()):
            found.append(kind)
    return [kind for kind in found if kind.__module__.startswith("samara.")]


def test_all_that_are_made_of_drives_pass_on_their_times():
    kinds = made_of_drives()
    assert {ActuatorLength, sm.model.schema.drives.Sum} <= set(kinds)
    silent = [kind.__name__ for kind in kinds if kind.jumps is Drive.jumps or kind.bends is Drive.bends]
    assert not silent


def test_an_actuator_jumps_and_bends_with_what_moves_the_plate():
    height, tilt = sm.Step(0.1, time=0.3) + sm.Ramp(0.2, start=0.4), sm.Cosine(0.1, duration=0.5, start=1.0)
    length = ActuatorLength((height, tilt, sm.Constant(0.0)), 0.2, 0.0, 0.5)
    assert length.jumps() == [0.3]
    assert sorted(length.bends()) == pytest.approx([0.4, 1.0, 1.5])


@pytest.mark.parametrize("stiffness", [None, 1e5], ids=["rigid", "elastic"])
def test_a_plate_that_is_told_to_jump_ends_a_step_there(stiffness):
    """The collective jumps at 0.1 s: a time that no step may pass over, whatever holds the plate."""
    model = sm.Model("plate")
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: 10.0 * t)))
    more = {} if stiffness is None else {"stiffness": stiffness, "damping": 10.0}
    body = {"mass": 1.0, "inertia": (0.1, 0.1, 0.2)}
    sm.add_swashplate(
        model, "plate", mast=model.ground, hub=hub, horn=0.2, station=0.3, collective=sm.Step(0.02, time=0.1234),
        lateral=0.0, longitudinal=0.0, fixed_body=body, rotating_body=body, **more,
    )  # fmt: skip
    assert np.any(np.isclose(sm.Simulation(model).machine.jumps.times, 0.1234))
