"""Elements in the wake of a rotor under the contract."""

from row import Row, placement
from rows_aero import THIN, air, on_the_hub, rotor, stations

from samara import AeroBody, Drag, Momentum, PittPeters, RotorWake


def wing(nodes, rng, turn):
    support = rotor(PittPeters)(nodes, rng, turn)
    body = AeroBody(
        nodes[2], place=placement(rng), stations=stations(rng), aerofoil=THIN, air=air(rng, turn),
        wakes=RotorWake(support, factor=0.9),
    )  # fmt: skip
    return support, body


def carried(nodes, rng, turn):
    """A body on the node that carries the rotor itself."""
    support = rotor(Momentum)(nodes, rng, turn)
    area = rng.uniform(0.5, 3.0, 3)
    return support, Drag(nodes[0], place=placement(rng), area=area, air=air(rng, turn), wakes=RotorWake(support))


def blown_blade(nodes, wing):
    return on_the_hub(nodes, wing.wakes[0].rotor)


ROWS = [
    Row("AeroBody in a wake", wing, nodes=3, then=blown_blade, outside=True),
    Row("Drag below its own rotor", carried, nodes=2, then=blown_blade, outside=True),
]
