"""Solution in parts: the same numbers as the whole, whoever works on the parts."""

import numpy as np
import pytest
from scipy.sparse.linalg import splu

import samara as sm
from samara.models.articulated_rotors import puma
from samara.models.mechanisms import andrews
from samara.models.tiltrotors import tiltrotor, wrats
from samara.solve.native.codes import Counter
from samara.solve.redundant.newton import correction, evaluate
from samara.solve.redundant.renewal import renew
from samara.solve.start.start import start

STEPS = 40
MACHINES = {
    "puma": (lambda: puma.build(blades="elastic"), 1 / 400),
    "wrats": (lambda: wrats.build(blades="elastic", beams=4), 1 / 600),
    "tiltrotor": (tiltrotor.build, 1 / 400),
    "andrews": (andrews.build, 1e-4),  # closed loops
}
WAYS = [
    *((name, "blades", backend) for name in ("puma", "wrats", "tiltrotor") for backend in ("lanes", "threads")),
    *(("puma", count, "threads") for count in (2, 3, 4, 5, 6)),
    *(("wrats", count, "lanes") for count in (2, 3, 4, 5, 6)),
    ("tiltrotor", 2, "threads"),
    ("andrews", 2, "threads"),
    ("andrews", 3, "lanes"),
]


def simulation(name, cut=None, backend="lanes", **options):
    build, step = MACHINES[name]
    return sm.Simulation(build(), partition=cut, backend=backend, **options), step


def divided_as(sim):
    return {"partition": sim.division.cut, "backend": sim.division.backend}


def run(name, cut=None, backend="lanes", steps=STEPS, **options):
    sim, step = simulation(name, cut, backend, **options)
    return sm.transient(sim, steps * step, step, progress=False)


@pytest.fixture(scope="module")
def whole():
    return {name: run(name) for name in MACHINES}


def difference(found, expected):
    """Largest difference of all channels, relative to the largest number of the same unit."""
    largest = {}
    for channel in expected.channels:
        size = np.abs(expected[channel.name]).max()
        largest[channel.unit] = max(largest.get(channel.unit, 1e-300), size)
    return max(
        np.abs(found[c.name] - expected[c.name]).max() / largest[c.unit]
        for c in expected.channels
        if c.name != "model.violation"  # rounding
    )


@pytest.fixture(scope="module", params=WAYS, ids=lambda way: "-".join(map(str, way)))
def divided(request):
    name, cut, backend = request.param
    return name, *simulation(name, cut, backend)


def test_solution_of_the_same_matrix(divided, rng):
    """VALIDATION 15: to 1e-10 of the direct solution, by SuperLU."""
    _, sim, step = divided
    start(sim, step)
    assert renew(sim.work)
    values = sim.matrix_values()  # of the same state
    rows = sim.system.unknowns.rows
    right = np.abs(values).max() * rng.normal(size=rows.size)
    sim.machine.scratch.res[:] = 0.0
    sim.machine.scratch.res[rows] = right
    correction(sim.work)
    matrix = sim.system.pattern.matrix(values).tocsc()
    expected = splu(matrix).solve(right)
    assert np.abs(sim.machine.x[rows] - expected).max() < 1e-10 * np.abs(expected).max()


def test_same_trajectory(divided, whole):
    """Newton's method ends at 1e-10 of the speeds; forces of stiff parts magnify that."""
    name, sim, step = divided
    found = sm.transient(sm.Simulation(sim.system, **divided_as(sim)), STEPS * step, step, progress=False)
    assert difference(found, whole[name]) < 1e-9
    for counter in ("steps", "iterations"):
        assert found.attrs.counters[counter] == whole[name].attrs.counters[counter]
    assert found.attrs.options["backend"] == sim.division.backend


def test_equations_by_parts_are_those_of_the_whole(rng):
    """Parts add up their own equations; the correction they give is that of all equations together."""
    sim, step = simulation("puma", 3, "threads")
    start(sim, step)
    sim.state.move(1e-3 * rng.normal(size=sim.system.unknowns.size))  # out of balance
    assert renew(sim.work)
    evaluate(sim.work)
    by_parts = sim.machine.x.copy()
    sim.machine.scratch.res[:] = 0.0
    sim.machine.scratch.res[sim.system.unknowns.rows] = sim.state.residual()
    correction(sim.work)
    np.testing.assert_allclose(sim.machine.x, by_parts, rtol=0, atol=1e-12 * np.abs(by_parts).max())


def test_any_number_of_threads_gives_the_same_bits():
    tables = [run("puma", "blades", "threads", steps=30, threads=count).table for count in (1, 2, 3, 4, 7)]
    for table in tables[1:]:
        assert np.array_equal(table, tables[0])


def test_variable_step_and_events():
    """The paths beside a fixed step ask for the same solver: starts, events, projections."""
    model = lambda: wrats.build(blades="elastic", beams=2)  # noqa: E731
    ends = {}
    for cut in (None, "blades"):
        sim = sm.Simulation(model(), sm.TwoStep(0.8), stabilise=True, partition=cut)
        ends[cut] = sm.transient(sim, 0.02, accuracy=1e-5, progress=False)
    assert len(ends[None]) == len(ends["blades"])
    assert difference(ends["blades"], ends[None]) < 1e-7  # steps differ by their rounding


def static_between(parts: bool) -> sm.Simulation:
    """Two bodies joined by two springs in a row: the node between them has no mass, and the cut goes through it."""
    model = sm.Model("joined", gravity=(0, 0, -9.81))
    left, between = model.node("left"), model.node("between", (1.0, 0, 0), static=True)
    right = model.node("right", (2.0, 0, 0), velocity=(0.3, 0.5, -0.2))
    law = sm.LinearLaw6((2e4,) * 3 + (3e3,) * 3, damping=0.01)
    model.add("left.body", sm.Body(left, mass=1.0, inertia=(0.1, 0.2, 0.3)))
    model.add("left.hinge", sm.Revolute(model.ground, left, at=(0, 0, 0), axis=(0, 1, 0)))
    model.add("left.spring", sm.DeformableJoint(left, between, law=law, place_a=sm.Placement((1.0, 0, 0))))
    model.add("right.spring", sm.DeformableJoint(between, right, law=law, place_a=sm.Placement((1.0, 0, 0))))
    model.add("right.body", sm.Body(right, mass=2.0, inertia=(0.1, 0.2, 0.3)))
    cut = {part: [name for name in model.elements if name.startswith(part)] for part in ("left", "right")}
    return sm.Simulation(model, partition=sm.partition(model, cut) if parts else None)


def test_a_node_without_mass_on_a_cut_needs_none():
    """The paper gives such nodes a small inertia; on the interface, where it is, its equations are whole."""
    outputs = ("*.position", "*.velocity", "*.force")  # not its acceleration, which nothing but rounding determines
    found, expected = (
        sm.transient(static_between(parts), 0.5, 1e-3, outputs=outputs, progress=False) for parts in (True, False)
    )
    assert np.ptp(expected["between.position"][:, 2]) > 0.05
    assert difference(found, expected) < 1e-10


def test_what_a_part_cannot_determine_moves_to_the_interface():
    """Both ends of a bar are held by joints to nodes of others: held there, the bar alone is held twice."""
    model = sm.Model("bar", gravity=(0, 0, -9.81))
    nodes = [model.node(name, (float(k), 0.0, 0.0)) for k, name in enumerate(("a", "bar", "b"))]
    for node in nodes:
        model.add(f"{node.name}.body", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
    soft = sm.LinearLaw6((1e3,) * 3 + (1e2,) * 3)
    for node in nodes[::2]:
        model.add(f"{node.name}.spring", sm.DeformableJoint(model.ground, node, law=soft, place_a=node.place))
    for k, node in enumerate(nodes[::2]):
        model.add(f"bar.joint{k}", sm.Clamp(nodes[1], node))
    cut = sm.partition(model, {"bar": ["bar.body", "bar.joint0", "bar.joint1"]})
    sim = sm.Simulation(model, partition=cut)
    found = sm.transient(sim, 0.3, 1e-3, progress=False)
    assert sim.lu.n > cut.interface
    assert difference(found, sm.transient(sm.Simulation(model), 0.3, 1e-3, progress=False)) < 1e-9


def test_pivots_that_no_longer_suit_are_found_anew(whole):
    """A part whose pivots have become small asks for a new analysis, as the whole matrix does."""
    sim, step = simulation("puma", "blades")
    start(sim, step)
    analyses = int(sim.counters[Counter.ANALYSES])
    sim.factored.parts[0].lu.pivot_reference[:] *= 1e9
    found = sm.transient(sim, 60 * step, step, progress=False)
    assert sim.counters[Counter.ANALYSES] == analyses + 1
    assert found.attrs.status == "completed"


def test_checkpoint(tmp_path):
    """Bit by bit, and only with the same parts."""
    file, half, full = tmp_path / "half.npz", 20 / 400, 40 / 400
    options = {"progress": False, "step": 1 / 400}
    first = sm.transient(simulation("puma", "blades", "threads")[0], half, checkpoint=file, **options)
    second = sm.transient(simulation("puma", "blades", "threads")[0], full, resume=file, **options)
    whole = sm.transient(simulation("puma", "blades", "threads")[0], full, **options)
    assert np.array_equal(np.vstack([first.table, second.table]), whole.table)
    with pytest.raises(sm.SolveError, match="or partition than"):
        sm.transient(simulation("puma", 3)[0], full, resume=file, **options)


def test_refused():
    model = puma.build()
    for options, words in (
        ({"partition": "blades", "backend": "gpu"}, "backend must be one of 'lanes', 'threads', 'mpi'"),
        ({"partition": "blades", "threads": 2}, 'threads=2 requires backend="threads"'),
        ({"partition": "blades", "backend": "threads", "threads": 0}, "threads must be at least 1"),
        ({"partition": "wings"}, 'by must be "blades"'),
        ({"partition": sm.partition(puma.build(), by="blades")}, "partition belongs to another model"),
        ({"backend": "threads", "threads": 2}, "backend='threads' requires a partition: give one, such as"),
        ({"backend": "mpi"}, "backend='mpi' requires a partition.*or omit backend"),
        ({"threads": 2}, 'threads=2 requires backend="threads"'),
        ({"backend": "thread"}, "backend must be one of 'lanes', 'threads', 'mpi', got 'thread'"),
        ({"threads": 0}, "threads must be at least 1"),
    ):
        with pytest.raises(sm.ArgumentError, match=words):
            sm.Simulation(model, **options)
    with pytest.raises(sm.ArgumentError, match="was not compiled for these parts"):
        sm.Simulation(sm.System(model), partition="blades", backend="threads")
    with pytest.raises(sm.ModelError, match="cannot be partitioned"):
        sm.Simulation(sm.Model("loop", redundant="least-squares"), partition=2)


@pytest.mark.parametrize("free", ["", "b", "ab"])
@pytest.mark.parametrize("backend", ["lanes", "threads"])
def test_parts_that_share_nothing(free, backend):
    """Two pendulums on the ground, or falling bodies: each moves as it does in one piece, to Newton's tolerance."""
    model = sm.Model("apart", gravity=(0, 0, -9.81))
    for name in "ab":
        node = model.node(name, position=(1, 0, 0))
        model.add(f"{name}.body", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
        if name not in free:
            tip = model.node(f"{name}.tip", position=(2, 0, 0))
            model.add(f"{name}.tip.body", sm.Body(tip, mass=1.0, inertia=(1, 1, 1)))
            model.add(f"{name}.hinge", sm.Revolute(model.ground, node, at=(0, 0, 0), axis=(0, 1, 0)))
            model.add(f"{name}.tip.hinge", sm.Revolute(node, tip, at=(1, 0, 0), axis=(0, 1, 0)))
    parts = {name: [element for element in model.elements if element.startswith(name)] for name in "ab"}
    sim = sm.Simulation(model, partition=sm.partition(model, parts), backend=backend)
    cut, whole = (sm.transient(run, end=0.1, step=1e-3, progress=False) for run in (sim, model))
    for channel in whole.channels.names:
        np.testing.assert_allclose(cut[channel], whole[channel], atol=1e-6)
