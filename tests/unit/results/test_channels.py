"""Names, columns and selection of channels."""

import pickle

import numpy as np
import pytest

from samara.results import Channel, Channels, UnknownChannelError

XYZ = ("x", "y", "z")
CHANNELS = Channels(
    [
        Channel("arm.position", "m", XYZ),
        Channel("arm.angle", "rad"),
        Channel("hinge.reaction_force", "N", XYZ),
        Channel("rod.reaction_force", "N", XYZ),
        Channel("blade[1].flap", "rad"),
    ]
)


def test_columns_lie_side_by_side_in_order():
    assert CHANNELS.width == 11
    assert [CHANNELS.offset(name) for name in CHANNELS.names] == [0, 3, 4, 7, 10]
    assert CHANNELS.columns("hinge.reaction_force") == slice(4, 7)
    assert CHANNELS.columns("arm.angle") == slice(3, 4)
    assert CHANNELS.labels[2:5] == ("arm.position.z", "arm.angle", "hinge.reaction_force.x")


def test_width_of_a_scalar_is_one():
    assert Channel("arm.angle", "rad").width == 1
    assert Channel("arm.position", "m", XYZ).width == 3


@pytest.mark.parametrize(
    ("patterns", "names"),
    [
        (("arm.*",), ["arm.position", "arm.angle"]),
        (("*.reaction_force",), ["hinge.reaction_force", "rod.reaction_force"]),
        (
            ("rod.*", "*"),
            ["rod.reaction_force", "arm.position", "arm.angle", "hinge.reaction_force", "blade[1].flap"],
        ),
        (("arm.angle", "arm.?????"), ["arm.angle"]),
        (("blade[1].flap",), ["blade[1].flap"]),
        ((), list(CHANNELS.names)),
    ],
)
def test_patterns_select_in_the_order_asked(patterns, names):
    assert list(CHANNELS.select(*patterns).names) == names


def test_indices_are_the_columns_of_the_selection():
    indices = CHANNELS.indices("rod.*", "arm.angle")
    assert indices.dtype == np.uint32
    assert indices.tolist() == [7, 8, 9, 3]
    assert CHANNELS.indices().tolist() == list(range(11))
    assert Channels().indices().tolist() == []


@pytest.mark.parametrize(
    ("pattern", "near"),
    [
        ("arm.positon", "arm.position"),
        ("*.reaction_forces", "hinge.reaction_force"),
        ("tail.angle*", "arm.angle"),
    ],
)
def test_a_miss_lists_near_names(pattern, near):
    with pytest.raises(UnknownChannelError) as caught:
        CHANNELS.select("arm.*", pattern)
    message = str(caught.value)
    assert repr(pattern) in message
    assert near in message
    assert "\n" not in message


def test_a_miss_without_near_names_lists_what_there_is():
    with pytest.raises(UnknownChannelError, match=r"'qqqq'; there are: arm\.position, arm\.angle"):
        CHANNELS.select("qqqq")
    with pytest.raises(UnknownChannelError, match="nothing was recorded"):
        Channels().select("arm.*")


def test_a_miss_is_a_key_error_with_a_plain_message():
    with pytest.raises(KeyError) as caught:
        CHANNELS["arm.positon"]
    assert str(caught.value).startswith("no channel matches 'arm.positon'")


def test_duplicate_names_are_refused():
    with pytest.raises(ValueError, match=r"two channels are named 'arm\.angle'"):
        Channels([Channel("arm.angle", "rad"), Channel("arm.angle", "deg")])


@pytest.mark.parametrize("name", ["", " arm", "arm angle", "arm/angle", "arm.*", ".angle", "time", "parameters"])
def test_bad_names_are_refused(name):
    with pytest.raises(ValueError, match="channel name"):
        Channel(name, "m")


def test_missing_unit_and_repeated_components_are_refused():
    with pytest.raises(ValueError, match=r"'arm\.angle' has no unit"):
        Channel("arm.angle", " ")
    with pytest.raises(ValueError, match="distinct"):
        Channel("arm.position", "m", ("x", "x"))
    with pytest.raises(ValueError, match="distinct"):
        Channel("arm.position", "m", ("x", ""))


def test_equality_hash_and_pickle():
    copy = pickle.loads(pickle.dumps(CHANNELS))
    assert copy == CHANNELS
    assert hash(copy) == hash(CHANNELS)
    assert CHANNELS != CHANNELS.select("arm.*")
    assert CHANNELS != 3


@pytest.mark.parametrize("index", [0, -1, slice(3), (slice(None), 0), None, 1.5])
def test_channels_go_by_their_names(index):
    channels = Channels([Channel("arm.angle", "rad"), Channel("arm.position", "m", ("x", "y", "z"))])
    message = r"channels go by their names, got .*: take a sample of one by results\['arm\.angle'\]\[0\]"
    for call in (lambda: channels[index], lambda: channels.select(index)):
        with pytest.raises(UnknownChannelError, match=message):
            call()
