"""Chains from tables of Denavit and Hartenberg: kinematics by plain matrices, a known robot, closed forms of an arm."""

import numpy as np
import pytest

import samara as sm

Row = sm.DenavitHartenbergRow
CONVENTIONS = ("standard", "modified")


# ---- written here once more, with homogeneous 4x4 matrices
def about(axis: str, angle: float) -> np.ndarray:
    c, s, T = np.cos(angle), np.sin(angle), np.eye(4)
    i, j = {"x": (1, 2), "z": (0, 1)}[axis]
    T[i, i], T[i, j], T[j, i], T[j, j] = c, -s, s, c
    return T


def along(axis: str, length: float) -> np.ndarray:
    T = np.eye(4)
    T["xyz".index(axis), 3] = length
    return T


def link(row: Row, q: float, convention: str) -> np.ndarray:
    theta, d = (row.offset + q, row.d) if row.joint == "revolute" else (row.theta, row.offset + q)
    if convention == "standard":
        return about("z", theta) @ along("z", d) @ along("x", row.a) @ about("x", row.alpha)
    return about("x", row.alpha) @ along("x", row.a) @ about("z", theta) @ along("z", d)


def chain(rows, q, convention: str) -> list[np.ndarray]:
    """T_0k of all frames, that of the base first."""
    found = [np.eye(4)]
    for row, x in zip(rows, q, strict=True):
        found.append(found[-1] @ link(row, x, convention))
    return found


def joint_axes(rows, q, convention: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """A point and the direction of the axis of each joint: z of the frame before, or of its own."""
    frames = chain(rows, q, convention)
    at = frames[:-1] if convention == "standard" else frames[1:]
    return [(T[:3, 3], T[:3, 2]) for T in at]


def velocity_jacobian(rows, q, convention: str, point: np.ndarray, links: int) -> np.ndarray:
    """(v, w) in axes of the base of a point that is fixed to a link, by the rates of all joints."""
    J = np.zeros((6, len(rows)))
    for k, (p, z) in enumerate(joint_axes(rows, q, convention)[:links]):
        turns = rows[k].joint == "revolute"
        J[:3, k] = np.cross(z, point - p) if turns else z
        J[3:, k] = z if turns else 0.0
    return J


def random_rows(rng, count: int, bodies: bool = True) -> list[Row]:
    rows = []
    for _ in range(count):
        joint = str(rng.choice(["revolute", "prismatic"]))
        fixed = {"d": rng.normal()} if joint == "revolute" else {"theta": rng.normal()}
        points = rng.normal(size=(5, 3)) * 0.2
        inertia = sum(np.dot(x, x) * np.eye(3) - np.outer(x, x) for x in points)
        body = {"mass": rng.uniform(1.0, 3.0), "com": rng.normal(size=3) * 0.2, "inertia": inertia} if bodies else {}
        rows.append(
            Row(a=rng.normal(), alpha=rng.normal(), joint=joint, offset=rng.normal(), **fixed, **body)
        )  # fmt: skip
    return rows


# ---- kinematics
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_frames_are_products_of_homogeneous_transforms(rng, convention):
    rows = random_rows(rng, 6)
    model = sm.Model("random", gravity=(0, 0, -9.81))
    nodes = sm.add_denavit_hartenberg(model, "arm", rows, convention=convention)
    tree = sm.RigidTree(model)
    assert [node.name for node in nodes[1:]] == [f"arm.link{k}" for k in range(1, 7)]
    for q in (np.zeros(6), rng.normal(size=6), rng.normal(size=6)):
        s = rng.normal(size=6)
        for k, (node, T) in enumerate(zip(nodes[1:], chain(rows, q, convention)[1:], strict=True)):
            pose, twist = tree.frame(node, q, s)
            assert pose.R == pytest.approx(T[:3, :3], abs=1e-13)
            assert pose.p == pytest.approx(T[:3, 3], abs=1e-13)
            expected = velocity_jacobian(rows, q, convention, T[:3, 3], k + 1) @ s
            assert np.concatenate([pose.R @ twist[:3], pose.R @ twist[3:]]) == pytest.approx(expected, abs=1e-12)
    for node, T in zip(nodes[1:], chain(rows, np.zeros(6), convention)[1:], strict=True):
        assert node.place.position == pytest.approx(T[:3, 3], abs=1e-13)
        assert node.place.rotation == pytest.approx(T[:3, :3], abs=1e-13)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_row_tells_its_transform(rng, convention):
    for row in random_rows(rng, 8, bodies=False):
        q = rng.normal()
        found, T = row.transform(q, convention), link(row, q, convention)
        assert found.rotation == pytest.approx(T[:3, :3], abs=1e-14)
        assert found.position == pytest.approx(T[:3, 3], abs=1e-14)


def test_a_chain_stands_on_another_node_and_starts_somewhere(rng):
    rows = random_rows(rng, 3)
    q, rates = rng.normal(size=3), rng.normal(size=3)
    model = sm.Model("carried")
    cart = model.node("cart", (1.0, 2.0, 0.0), rotation=sm.rotations.rotation_z(0.4))
    model.add("cart.body", sm.Body(cart, mass=4.0, inertia=(1, 1, 1)))
    model.add("rail", sm.Prismatic(model.ground, cart, axis=(1, 0, 0)))
    place = sm.Placement((0.1, 0.0, 0.3), sm.rotations.rotation_x(0.2))
    last = sm.add_denavit_hartenberg(model, "arm", rows, root=cart, place=place, start=q, start_rates=rates)[-1]
    tree = sm.RigidTree(model)
    start, speeds = tree.start()
    # angles are read between -pi and pi
    turning = np.array([row.joint == "revolute" for row in rows])
    away = start[1:] - q
    assert np.where(turning, (away + np.pi) % (2 * np.pi) - np.pi, away) == pytest.approx(0.0, abs=1e-12)
    assert speeds[1:] == pytest.approx(rates, abs=1e-12)
    base = np.eye(4)
    at = cart.place @ place
    base[:3, :3], base[:3, 3] = at.rotation, at.position
    T = base @ chain(rows, q, "standard")[-1]
    assert tree.frame(last, start)[0].p == pytest.approx(T[:3, 3], abs=1e-12)


# ---- Puma 560
def puma() -> list[Row]:
    """Unimation Puma 560, standard convention.

    Lengths, masses and centres of mass: P. I. Corke, B. Armstrong-Helouvry, A search for consensus among model
    parameters reported for the PUMA 560 robot, ICRA 1994, as in Corke's Robotics Toolbox (mdl_puma560). Inertias too,
    but for links 1 and 3, whose moments are not those of a body (one is larger than the sum of the others): that one
    is lowered, or the others raised. No test here reads them off. Link 1 has its mass on its axis; 1 kg stands for it.
    """
    half = 0.5 * np.pi
    return [
        Row(alpha=half, mass=1.0, inertia=(0.35, 0.35, 0.35)),
        Row(a=0.4318, mass=17.4, com=(-0.3638, 0.006, 0.2275), inertia=(0.13, 0.524, 0.539)),
        Row(a=0.0203, alpha=-half, d=0.15005, mass=4.8, com=(-0.0203, -0.0141, 0.070), inertia=(0.066, 0.0785, 0.0125)),
        Row(alpha=half, d=0.4318, mass=0.82, com=(0, 0.019, 0), inertia=(1.8e-3, 1.3e-3, 1.8e-3)),
        Row(alpha=-half, mass=0.34, inertia=(0.3e-3, 0.4e-3, 0.3e-3)),
        Row(mass=0.09, com=(0, 0, 0.032), inertia=(0.15e-3, 0.15e-3, 0.04e-3)),
    ]


@pytest.fixture(scope="module")
def puma_tree() -> sm.RigidTree:
    model = sm.Model("puma560", gravity=(0, 0, -9.81))
    sm.add_denavit_hartenberg(model, "puma", puma())
    return sm.RigidTree(model)


def test_gravity_torques_of_the_puma_are_those_published(puma_tree):
    # P. Corke, Robotics, Vision and Control, 2011, chapter 9: gravload at qn, printed with four digits
    torques = puma_tree.bias([0, np.pi / 4, np.pi, 0, np.pi / 4, 0], np.zeros(6))
    assert torques == pytest.approx([0.0, 31.6399, 6.0351, 0.0, 0.0283, 0.0], abs=5e-5)


def test_the_puma_by_its_geometric_jacobian(puma_tree, rng):
    rows, q = puma(), rng.normal(size=6)
    frames = chain(rows, q, "standard")
    R = frames[-1][:3, :3]
    J, _ = puma_tree.jacobian("puma.link6", q)
    expected = velocity_jacobian(rows, q, "standard", frames[-1][:3, 3], 6)
    assert np.vstack([R @ J[:3], R @ J[3:]]) == pytest.approx(expected, abs=1e-13)
    # weights and kinetic energy, link by link
    torques, H = np.zeros(6), np.zeros((6, 6))
    for k, row in enumerate(rows, 1):
        T = frames[k]
        point = T[:3, :3] @ np.array(row.com) + T[:3, 3]
        at = velocity_jacobian(rows, q, "standard", point, k)
        torques += 9.81 * row.mass * at[2]
        H += row.mass * at[:3].T @ at[:3] + at[3:].T @ T[:3, :3] @ np.diag(row.inertia) @ T[:3, :3].T @ at[3:]
    assert puma_tree.bias(q, np.zeros(6)) == pytest.approx(torques, abs=1e-12)
    assert puma_tree.mass_matrix(q) == pytest.approx(H, abs=1e-12)


def test_an_arm_of_two_links_in_closed_form(rng):
    # textbooks have it, such as M. W. Spong, M. Vidyasagar, Robot Dynamics and Control, 1989; gravity along -y
    a, c = (0.8, 0.6), (0.3, 0.2)  # lengths, and centres of mass from the inner ends
    m, inertia = (2.0, 1.5), (0.11, 0.07)
    bodies = [
        {"mass": m[k], "inertia": (inertia[k],) * 3, "com": (c[k] - a[k], 0, 0)} for k in range(2)
    ]  # the standard frame is at the outer end
    model = sm.Model("two-links", gravity=(0, -9.81, 0))
    sm.add_denavit_hartenberg(model, "arm", [Row(a=a[k], **bodies[k]) for k in range(2)])
    tree = sm.RigidTree(model)
    q, s = rng.normal(size=2), rng.normal(size=2)
    d12 = m[1] * (c[1] ** 2 + a[0] * c[1] * np.cos(q[1])) + inertia[1]
    d11 = m[0] * c[0] ** 2 + m[1] * (a[0] ** 2 + c[1] ** 2 + 2 * a[0] * c[1] * np.cos(q[1])) + sum(inertia)
    H = np.array([[d11, d12], [d12, m[1] * c[1] ** 2 + inertia[1]]])
    h = -m[1] * a[0] * c[1] * np.sin(q[1])
    gyroscopic = np.array([h * (2 * s[0] * s[1] + s[1] ** 2), -h * s[0] ** 2])
    outer = m[1] * c[1] * 9.81 * np.cos(q[0] + q[1])
    weight = np.array([(m[0] * c[0] + m[1] * a[0]) * 9.81 * np.cos(q[0]) + outer, outer])
    assert tree.mass_matrix(q) == pytest.approx(H, abs=1e-13)
    assert tree.coriolis(q, s) @ s == pytest.approx(gyroscopic, abs=1e-13)
    assert tree.bias(q, s) == pytest.approx(gyroscopic + weight, abs=1e-12)


# ---- both formulations
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_both_formulations_have_the_same_accelerations(rng, convention):
    rows = random_rows(rng, 4)
    model = sm.Model("both", gravity=(0, 0, -9.81))
    q, rates = rng.normal(size=4), rng.normal(size=4)
    nodes = sm.add_denavit_hartenberg(model, "arm", rows, convention=convention, start=q, start_rates=rates)
    found = []
    for formulation in ("redundant", "recursive"):
        run = sm.transient(model, 1e-4, 1e-4, formulation=formulation, progress=False)
        found.append(np.concatenate([run[f"{node.name}.acceleration"][0] for node in nodes[1:]]))
    assert found[1] == pytest.approx(found[0], rel=1e-9, abs=1e-9)
    tree = sm.RigidTree(model)
    J, J_dot = tree.jacobian(nodes[-1], *tree.start())
    pose, twist = tree.frame(nodes[-1], *tree.start())
    in_axes = (J @ tree.forward_dynamics(*tree.start()) + J_dot @ tree.start()[1])[:3] + np.cross(twist[3:], twist[:3])
    assert pose.R @ in_axes == pytest.approx(found[0][-3:], rel=1e-9, abs=1e-9)


# ---- what is refused
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"joint": "ball"}, "joint must be"),
        ({"a": np.nan}, "a must be a finite number"),
        ({"theta": 0.3}, "theta of a revolute joint is its coordinate: leave it out.*offset=0.3"),
        ({"joint": "prismatic", "d": 0.3}, "d of a prismatic joint is its coordinate"),
        ({"mass": -1.0, "inertia": (1, 1, 1)}, "mass must not be negative"),
        ({"mass": 1.0}, "needs its inertia"),
        ({"inertia": (1, 1, 1)}, "inertia is given without a mass"),
    ],
)
def test_rows_that_are_refused(given, words):
    with pytest.raises(sm.ArgumentError, match=words):
        Row(**given)


GOOD = Row(a=1.0, mass=1.0, inertia=(1, 1, 1))


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"rows": []}, sm.ArgumentError, "chain 'arm': rows must be one or more"),
        ({"rows": [GOOD, (1, 2, 3, 4)]}, sm.ArgumentError, "row 2 must be a DenavitHartenbergRow"),
        ({"convention": "craig"}, sm.ArgumentError, "convention must be"),
        ({"start": [0.1, 0.2]}, sm.ArgumentError, "start must be 1 finite numbers"),
        ({"start_rates": "fast"}, sm.ArgumentError, "start_rates must be 1 finite numbers"),
        ({"root": "ground"}, sm.ModelError, "root must be a node"),
        ({"place": "here"}, sm.ModelError, "place must be a Placement"),
        ({"rows": [GOOD, Row(mass=1.0, inertia=(1, 1, 3))]}, sm.ModelError, "arm.body2.*inertia is not physical"),
        ({"name": "taken"}, sm.ModelError, "already has an item named 'taken.link1'"),
    ],
)
def test_chains_that_are_refused_leave_the_model_as_it_was(given, error, words):
    model = sm.Model("refused")
    model.node("taken.link1")
    before = (list(model.nodes), list(model.elements))
    name, rows = given.pop("name", "arm"), given.pop("rows", [GOOD])
    with pytest.raises(error, match=words):
        sm.add_denavit_hartenberg(model, name, rows, **given)
    assert (list(model.nodes), list(model.elements)) == before


def test_links_without_mass_and_with_a_body_of_ones_own():
    model = sm.Model("light", gravity=(0, 0, -9.81))
    rows = [Row(a=0.5, mass=0.0), Row(a=0.5, alpha=0.5 * np.pi)]
    _, first, second = sm.add_denavit_hartenberg(model, "arm", rows)
    assert first.kind == "static" and second.kind == "dynamic"
    assert list(model.elements) == ["arm.joint1", "arm.joint2"]
    model.add("own", sm.Body(second, mass=sm.Parameter("m", 2.0, "kg"), inertia=(1, 1, 1)))
    assert sm.RigidTree(model).speed_names == ["arm.joint1.angle_rate", "arm.joint2.angle_rate"]
