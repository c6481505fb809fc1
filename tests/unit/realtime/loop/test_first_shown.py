"""What a model plots is what a panel shows first."""

from samara.models import find
from samara.realtime import Session
from samara.realtime.loop.clock import made_up
from samara.realtime.loop.options import Options
from samara.realtime.loop.simulator import RealTime


def test_the_session_tells_which_signals_the_model_plots():
    plot = ("bob.position", "nothing.like.it", "hinge.angle")
    with RealTime(find("pendulum").make(), Options(200.0, plot=plot), clock=made_up(), session="test-first-shown"):
        with Session.connect("test-first-shown") as session:
            assert session.scene["plot"] == ["bob.position.x", "bob.position.y", "bob.position.z", "hinge.angle"]
