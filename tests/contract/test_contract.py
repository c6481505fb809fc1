"""The contract that every element keeps, checked on every row of `rows_*.py` in random states.

The states do not satisfy the constraints: derivatives must hold there too.
"""

from __future__ import annotations

from dataclasses import replace

import complex_step
import numpy as np
import pytest
from bench import COUNT, Bench, bench
from row import Row, all_rows, rotation, vector

import samara.elements
from samara.elements import families
from samara.model import Element, Inertial, Model, ModelError, Networked, Record, Way
from samara.model.roles.network import connections
from samara.rotations import Pose
from samara.system.kernels.plain_equations import NodeState, extrapolated_difference

ROWS = all_rows()
#: Operations of a Jacobian whose derivative is looked at too.
SHORT = 3000


def sample(row: Row) -> Element:
    """One element of a row, not compiled."""
    model = Model(row.name)
    nodes = [model.node(f"n{i}", position=(i, 0, 0), static=True) for i in range(row.nodes)]
    made = row.make(nodes, np.random.default_rng(1), np.asarray)
    *supports, element = made if isinstance(made, tuple) else (made,)
    for i, support in enumerate(supports):
        model.add(f"support_{i}", support)
    return model.add("element", element)


every_row = pytest.mark.parametrize("row", ROWS, ids=repr)
every_row_that_holds = pytest.mark.parametrize(
    "row", [row for row in ROWS if isinstance(sample(row), families.Held)], ids=repr
)


def without_energy(row: Row) -> bool:
    """Of a hydraulic network, where the row does not say what a kilogram carries."""
    ends = [c.a.domain.name for _, c in connections([sample(row)])]
    return "hydraulic" in ends and row.carried is None


every_row_that_balances = pytest.mark.parametrize(
    "row", [row for row in ROWS if not row.unbalanced and not without_energy(row)], ids=repr
)
ROWS_OF_NETWORKS = [row for row in ROWS if isinstance(sample(row), Networked)]
ROWS_WITH_MASS = [row for row in ROWS if isinstance(sample(row), Inertial)]
every_row_of_networks = pytest.mark.parametrize("row", ROWS_OF_NETWORKS, ids=repr)
ROWS_THAT_TIE = [row for row in ROWS if any(state.tied for state in sample(row).owned.values())]
every_row_that_ties = pytest.mark.parametrize("row", ROWS_THAT_TIE, ids=repr)
every_row_with_mass = pytest.mark.parametrize("row", ROWS_WITH_MASS, ids=repr)
every_row_that_only_passes_on = pytest.mark.parametrize(
    "row",
    [row for row in ROWS if row.nodes > 1 and not row.outside and row not in ROWS_WITH_MASS],
    ids=repr,
)
every_row_that_may_be_anywhere = pytest.mark.parametrize("row", [row for row in ROWS if not row.fixed], ids=repr)
every_row_between_nodes = pytest.mark.parametrize("row", [row for row in ROWS if row.nodes > 1], ids=repr)


def size(values) -> float:
    """Largest magnitude, for relative tolerances; 1 where there is nothing."""
    flat = np.concatenate([np.ravel(v) for v in values]) if len(values) else np.zeros(0)
    return float(np.abs(flat).max(initial=0.0)) or 1.0


@every_row
def test_kernel_is_the_plain_residual(row: Row):
    follows_the_plain_residual(row, bench(row))


@pytest.mark.parametrize("row", {type(sample(row)): row for row in reversed(ROWS)}.values(), ids=repr)
def test_a_kernel_of_one_lane_too(row: Row, optimised):
    """The first row of each class, optimised as users have it: how lanes are read does not depend on options."""
    b = bench(row, 1)
    follows_the_plain_residual(row, b)
    derives_the_update(row, b)


def follows_the_plain_residual(row: Row, b: Bench) -> None:
    b.put(b.instances)
    tolerance = 1e-13 if row.analytic else 1e-9
    for found, instance in zip(b.residual(), b.instances, strict=True):
        plain = instance.plain(differences=not row.analytic, tied_rates=b.tied_rates)
        scale = size(plain.wrenches)
        np.testing.assert_allclose(found.nodes, np.array(plain.wrenches), rtol=0, atol=tolerance * scale)
        balances = np.array(plain.balances, dtype=float)
        np.testing.assert_allclose(found.states, balances, rtol=0, atol=tolerance * size([balances, 1.0]))
        forces = instance.multipliers if plain.touch is not None else ()  # that vanish until they are found
        rows = np.array([*plain.constraints, *plain.rates, *forces])
        np.testing.assert_allclose(found.constraints, rows, rtol=0, atol=1e-13 * size([rows, 1.0]))


@every_row
def test_outputs_are_the_plain_ones(row: Row):
    b = bench(row)
    b.put(b.instances)
    found, totals = b.outputs()
    expected = dict.fromkeys(totals, 0.0)
    tolerance = 1e-12 if row.analytic else 1e-9
    for values, instance in zip(found, b.instances, strict=True):
        plain = instance.plain(differences=not row.analytic)
        flat = np.concatenate([np.ravel(o.value) for o in plain.outputs]) if plain.outputs else np.zeros(0)
        # after the element's own outputs come its energies and powers, which the totals below check
        np.testing.assert_allclose(values[: flat.size], flat, rtol=0, atol=tolerance * size([flat]))
        for name in expected:
            expected[name] += float(getattr(plain, name))
    for name, value in expected.items():
        assert totals[name] == pytest.approx(value, rel=1e-11, abs=tolerance * 100), name


@every_row
def test_jacobian_is_the_derivative_through_the_update(row: Row):
    """Newton's correction as the solver makes it, in the middle of a step, against the entries of the kernel."""
    derives_the_update(row, bench(row))


def derives_the_update(row: Row, b: Bench) -> None:
    b.put(b.instances, np.random.default_rng(7))
    kernel = b.jacobian()
    count = len(b.unknowns(b.elements[0]))
    columns = [
        extrapolated_difference(lambda e, j=j: np.array(b.corrected(j, e)), step=row.step, levels=3)
        for j in range(count)
    ]
    differences = np.stack(columns, axis=-1)  # instance, equation, unknown
    rounding = np.array(b.corrected(0, 0.0))
    for k in range(COUNT):
        allowed = 1e-6 * np.abs(kernel[k]).max(axis=1) + 1e-11 * size([rounding[k]])
        worst = np.abs(kernel[k] - differences[k]).max(axis=1)
        assert np.all(worst <= allowed), (worst / allowed).round(2)


@every_row_that_ties
def test_a_tied_state_equals_what_it_is_tied_to(row: Row):
    """By values, as in a step: kernel and Jacobian; and where the values are equal, equal rates keep them so."""
    b = bench(row)
    b.tied_rates = False
    try:
        follows_the_plain_residual(row, b)
        derives_the_update(row, b)
    finally:
        b.tied_rates = True
    for instance in b.instances[::3]:
        tied = [k for k, state in enumerate(instance.element.states()) if state.tied]
        here = instance.tied()

        def gaps(t: float, here=here, tied=tied) -> np.ndarray:
            return np.array(here.after(t).plain(tied_rates=False).balances, dtype=float)[tied]

        alone_by = np.zeros(here.scalars.shape)
        alone_by[tied, 0] = 1e-3 * here.scalars[tied, 1]
        moved = replace(here, scalars=here.scalars + alone_by)
        alone = np.abs(np.array(moved.plain(tied_rates=False).balances, dtype=float)[tied] - gaps(0.0)).max() / 1e-3
        np.testing.assert_allclose(extrapolated_difference(gaps, step=1e-4, levels=3), 0.0, atol=1e-7 * alone)


@every_row
def test_derivatives_by_state_drives_and_parameters_are_exact(row: Row):
    """All at once, along a random direction: equations, constraint levels and measures.

    The Jacobian itself too, where it is short: native code of its derivative takes long to make.
    """
    b = bench(row)
    b.put(b.instances)
    s, rng = b.system, np.random.default_rng(11)
    group = s.find(b.elements[0])[0]
    T = s.tangents
    T.state[:] = rng.normal(size=T.state.size)
    T.par(group)[:] = rng.normal(size=group.par.shape)
    numbers = complex_step.Numbers(s, group, T.state, T.par(group))
    for function in group.kind.functions:
        if function.name == "jacobian" and function.graph.operations(n for _, n in function.outputs) > SHORT:
            continue
        expected, places = complex_step.derivatives(function, numbers), complex_step.places(s, group, function)
        results = np.zeros(max(s.unknowns.room, s.layout.output_room, s.pattern.nnz + 1))
        T.run(function.name, results, [s.groups.index(group)])
        found = results[places]
        scale = np.abs(expected).max(axis=0)
        assert np.all(np.abs(found - expected).max(axis=0, initial=0.0) <= 1e-11 * scale), function.name


@every_row_that_holds
def test_constraints_at_velocity_and_acceleration_level(row: Row):
    b = bench(row)
    held = [b._group(e)[0].kind.constraint_count for e in b.elements]

    def positions(t: float) -> np.ndarray:
        b.put([i.after(t) for i in b.instances])
        return np.array([r.constraints[:count] for r, count in zip(b.residual(), held, strict=True)])

    def velocities(t: float) -> np.ndarray:
        b.put([i.after(t) for i in b.instances])
        return np.array(b.velocity_level())

    b.put(b.instances)
    velocity, acceleration = np.array(b.velocity_level()), np.array(b.acceleration_level())
    rates = extrapolated_difference(positions, step=4e-3, levels=4)
    np.testing.assert_allclose(velocity[:, : rates.shape[1]], rates, rtol=0, atol=1e-8 * size([velocity]))
    second = extrapolated_difference(velocities, step=4e-3, levels=4)
    np.testing.assert_allclose(acceleration, second, rtol=0, atol=1e-8 * size([acceleration]))
    b.put(b.instances)
    values = [r.constraints[count:] for r, count in zip(b.residual(), held, strict=True)]
    np.testing.assert_allclose(velocity[:, rates.shape[1] :], np.array(values), rtol=1e-13)


@every_row_that_may_be_anywhere
def test_frame_invariance(row: Row, rng: np.random.Generator):
    """Moving the whole model, with all that is fixed in the world, changes no node equation in the node's own axes."""
    here = bench(row)
    H = Pose(rotation(rng, np.pi), vector(rng, 2.0))
    there = Bench(row, None, H.R)
    here.put(here.instances)
    there.put([instance.placed(H) for instance in there.instances])
    for a, b in zip(here.residual(), there.residual(), strict=True):
        np.testing.assert_allclose(a.nodes, b.nodes, rtol=0, atol=1e-11 * size([a.nodes]))
        np.testing.assert_allclose(a.states, b.states, rtol=0, atol=1e-11 * size([a.states]))
        np.testing.assert_allclose(a.constraints, b.constraints, rtol=0, atol=1e-11 * size([a.constraints]))


@every_row_that_only_passes_on
def test_action_equals_reaction(row: Row):
    b = bench(row)
    b.put(b.instances)
    for found, instance in zip(b.residual(), b.instances, strict=True):
        arm = 1.0 + size([s.p for s in instance.states])
        np.testing.assert_allclose(
            instance.sum_in_world(found.nodes), 0.0, rtol=0, atol=1e-13 * arm * size([found.nodes])
        )


@every_row_with_mass
def test_inertia_is_the_rate_of_momentum(row: Row):
    """The nodes' wrenches add up to d(momentum)/dt less the weight, and so do moments about the world's origin."""
    b = bench(row)
    b.put(b.instances)
    for found, instance in zip(b.residual(), b.instances, strict=True):

        def momentum(t: float, instance=instance) -> np.ndarray:
            moved = {o.name: o.value for o in instance.after(t).plain().outputs}
            return np.concatenate([moved["momentum"], moved.get("angular_momentum", ())])

        still = tuple(NodeState(s.R, s.p) for s in instance.states)
        at_rest = replace(instance, states=still, scalars=instance.scalars * np.array([1.0, 0.0, 0.0]))
        weight = -at_rest.sum_in_world(at_rest.plain().wrenches)
        rate = extrapolated_difference(momentum, step=4e-3, levels=3)
        given = instance.sum_in_world(found.nodes) + weight
        np.testing.assert_allclose(given[: rate.size], rate, rtol=0, atol=1e-8 * size([given]))


@every_row_that_balances
def test_power_balance(row: Row):
    """What the nodes give is stored, dissipated, or taken from outside; reactions work only on a violated constraint.

    sum of wrench . twist = d(kinetic + potential)/dt + dissipated - supplied + multipliers . d(constraints)/dt
    """
    b, few = bench(row), slice(None, None, 3)  # three states will do
    instances = [instance.settled(differences=not row.analytic) for instance in b.instances[few]]
    b.put(b.instances)
    b.put(instances)
    found, violation = b.residual()[few], b.velocity_level()[few]
    for rows, rates, instance in zip(found, violation, instances, strict=True):

        def energy(t: float, instance=instance) -> float:
            moved = instance.after(t).plain(differences=not row.analytic)
            return moved.kinetic + moved.potential

        here = instance.plain(differences=not row.analytic)
        assert here.dissipated >= 0
        given = instance.power(rows, row)
        stored = float(extrapolated_difference(energy, step=4e-3, levels=3))
        terms = [stored, here.dissipated, -here.supplied, float(instance.multipliers @ rates)]
        assert given == pytest.approx(sum(terms), abs=1e-8 * size([terms, given]))


@every_row_of_networks
def test_nothing_is_lost_at_junctions(row: Row):
    """What flows in at some ends comes out at the others, exactly; a store keeps what flows in, and a source brings it.

    sum over junctions of a domain: flow into the element = d content / dt - what comes from outside
    """
    b = bench(row)
    instances = [instance.tied() for instance in b.instances] if row in ROWS_THAT_TIE else b.instances
    b.put(instances)
    for rows, instance in zip(b.residual(), instances, strict=True):
        states, ends = instance.element.states(), instance.junctions()
        found = [c for _, c in connections([instance.element])]
        for domain in {states[k].domain for k in ends}:
            flows = [instance.flow_into(rows, k) for k in ends if states[k].domain is domain]
            ways = {c.way for c in found if c.a.domain is domain}
            if Way.STORES in ways:
                kept = extrapolated_difference(lambda t, i=instance: content(i.after(t)), step=2e-3, levels=3)
                assert sum(flows) == pytest.approx(float(kept), rel=1e-9, abs=1e-9 * size([flows]))
            elif Way.HOLDS in ways:
                inflow = instance.scalars[states.index(instance.element.owned["inflow"]), 0]
                assert sum(flows) == pytest.approx(-inflow, rel=1e-13)
            elif all(c.b is not None for c in found if c.a.domain is domain):  # else it comes from outside
                assert abs(sum(flows)) <= 4 * np.finfo(float).eps * size([flows])


def content(instance) -> float:
    """What a store keeps, by its own account."""
    return next(float(o.value) for o in instance.plain().outputs if o.name == "content")


@every_row_between_nodes
def test_a_node_is_not_joined_to_itself(row: Row):
    model = Model("bad")
    node = model.node("n", static=True)
    made = row.make([node] * row.nodes, np.random.default_rng(1), np.asarray)
    element = made[-1] if isinstance(made, tuple) else made
    if len(element.nodes()) == 1:
        pytest.skip("what carries the rotor may be what its wake blows on")
    with pytest.raises(ModelError, match="'culprit': node 'n' is given twice"):
        model.add("culprit", element)


@pytest.mark.parametrize(
    ("row", "words"), [(row, words) for row in ROWS for words in row.bad], ids=lambda value: str(value)
)
def test_bad_parameters_name_themselves(row: Row, words: str):
    model = Model("bad")
    nodes = [model.node(f"n{i}", position=(i, 0, 0), static=True) for i in range(row.nodes)]
    with pytest.raises(ModelError) as caught:
        model.add("culprit", row.bad[words](nodes))
    assert caught.value.culprit == "element 'culprit'"
    assert words in str(caught.value)


def records_in(record: Record):
    """A record and all records inside it."""
    yield record
    for name in record.specs():
        value = getattr(record, name)
        for inner in value if isinstance(value, (tuple, list)) else (value,):
            if isinstance(inner, Record):
                yield from records_in(inner)


def test_every_exported_element_and_law_has_a_row():
    exported = {getattr(samara, name) for name in samara.__all__}
    exported = {c for c in exported if isinstance(c, type) and c.__module__.startswith("samara.elements.")}
    wanted = {c for c in exported if issubclass(c, Record) and c.__module__ != families.__name__}
    wanted = {c for c in wanted if not c.__module__.startswith("samara.elements.networks.")}  # families
    wanted -= {c for c in wanted if issubclass(c, samara.Gust)}  # functions of place and time, without equations
    wanted -= {samara.Contacts}  # its equations are those of its slots, `PairSlot`, which have a row
    # a base that is only there to be derived from: it holds no equations of its own
    wanted -= {c for c in wanted if not issubclass(c, Element) and any(issubclass(d, c) for d in wanted - {c})}
    covered = {type(record) for row in ROWS for record in records_in(sample(row))}
    missing = sorted(c.__name__ for c in wanted - covered)
    assert not missing, f"no row in tests/contract/rows_*.py for {', '.join(missing)}"
