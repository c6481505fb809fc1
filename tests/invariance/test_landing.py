"""A landing does not depend on where, which way round and how fast deck and machine go together."""

import numpy as np
import pytest
from twins import FAR, MOVED, TURNED, View, twin

import samara as sm
from samara.models.ground.deck import Deck
from samara.models.ground.landing_gear import gear_of
from samara.models.ground.ship import ShipMotion
from samara.rotations import rotation_from_euler

END, STEP, TOLERANCE = 1.5, 2.5e-3, 1e-8
BOOST = (10.0, -4.0, 0.0)


def craft(kind: str, contact: str, boost=(0.0, 0.0, 0.0)) -> sm.Model:
    """A rigid machine, leaning, that comes down on a deck that moves; both faster by the boost."""
    gear = gear_of(kind, contact)
    model = sm.Model("craft", gravity=(0, 0, -9.81))
    lean = rotation_from_euler("ZYX", (0.0, 0.04, 0.06))
    body = model.node("fuselage", rotation=lean, velocity=np.add((0.3, 0.1, -0.5), boost))
    model.add("body", sm.Body(body, mass=5500.0, inertia=(9638.0, 33240.0, 25889.0)))
    ship = ShipMotion(0.1, 0.05, 0.5, (2.0, 1.5, 1.8), tuple(boost))
    gear.add(model, body, Deck(gear.low - 0.3, ship=ship))
    return model


def run(model: sm.Model) -> sm.Results:
    return sm.transient(model, END, STEP, tolerance=TOLERANCE, progress=False)


@pytest.mark.parametrize("contact", ["unilateral", "penalty"])
@pytest.mark.parametrize("kind", ["wheels", "skids"])
@pytest.mark.parametrize(("view", "tolerance"), [(TURNED, 1e-7), (MOVED, 1e-6)], ids=["turned", "10 km away"])
def test_seen_from_elsewhere(view, tolerance, kind, contact):
    """Newton's tolerance is 1e-8 of the speeds; 10 km away a place is known to 2e-12 m, a velocity to 1e-9 m/s."""
    here, there = run(craft(kind, contact)), run(twin(craft(kind, contact), view))
    seen = (there["fuselage.position"] - view.shift) @ view.turn
    np.testing.assert_allclose(seen, here["fuselage.position"], atol=tolerance)
    for channel in [name for name in here.channels.names if name.startswith("gear.") and name.endswith(".effort")]:
        np.testing.assert_allclose(there[channel], here[channel], atol=10.0 * tolerance * 5e4)
    assert np.abs(here["fuselage.velocity"][-1, 2]) < 1.5 and np.linalg.norm(FAR) > 9e3


@pytest.mark.parametrize("contact", ["unilateral", "penalty"])
@pytest.mark.parametrize("kind", ["wheels", "skids"])
def test_deck_and_machine_boosted_together(kind, contact):
    """At 10.8 m/s; what is left is rounding and Newton's tolerance, of a speed that is ten times as large."""
    here, boosted = run(craft(kind, contact)), run(craft(kind, contact, BOOST))
    view = View(boost=np.array(BOOST))
    seen = boosted["fuselage.position"] - view.boost * boosted.time[:, None]
    np.testing.assert_allclose(seen, here["fuselage.position"], atol=1e-6)
