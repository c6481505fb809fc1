"""What a recording keeps: everything of a small model, of a large one what fits; names as they are off line."""

import numpy as np
import pytest

from samara.models import find
from samara.realtime import Session, Signal
from samara.realtime.loop.clock import made_up
from samara.realtime.loop.simulator import RealTime
from samara.realtime.recording.recorder import DiskRecorder
from samara.realtime.recording.selection import BUDGET, everything, select
from samara.results import Channel, Results, UnknownChannelError
from samara.solve import transient

RATE = 400.0
BLADES = range(1, 5)


def rotor_channels():
    """About as many columns as the Puma's rotor has, of the same kinds."""
    found = [Channel("rotor.force", "N", ("x", "y", "z")), Channel("rotor.thrust", "N")]
    for b in BLADES:
        for k in range(12):
            name = f"blade_{b}.part{k}"
            found += [Channel(f"{name}.position", "m", ("x", "y", "z")), Channel(f"{name}.kinetic", "J")]
            found += [
                Channel(f"{name}.velocity", "m/s", ("x", "y", "z")),
                Channel(f"{name}.force", "N", ("x", "y", "z")),
            ]
        found += [Channel(f"blade_{b}.air.{q}", "1", tuple(map(str, range(1, 41)))) for q in ("alpha", "cl", "cd")]
    return found


@pytest.fixture
def large(name):
    channels = rotor_channels()
    sensors = [Signal(label, c.unit) for c in channels for label in c.labels]
    vectors = [c for c in channels if c.components]
    with Session.create(name, rate=RATE, sensors=sensors, vectors=vectors, record=512) as session:
        yield session


def test_a_large_model_is_thinned_to_what_a_disk_bears(large):
    chosen = select(large.card)
    names = {channel.name for channel in chosen.channels}
    assert everything(large.card).speed > 6 * BUDGET
    assert 0.5 * BUDGET < chosen.speed <= BUDGET
    assert {"rotor.force", "rotor.thrust", "blade_1.part0.position", "blade_4.part11.force"} <= names
    assert not any(n.endswith(("kinetic", "velocity", "alpha")) for n in names)
    assert f"{chosen.columns.size} of " in str(chosen) and "MB/s" in str(chosen)


def test_what_is_asked_for_is_kept(large):
    chosen = select(large.card, ["rotor.*", "blade_1.air.alpha"])
    assert [c.name for c in chosen.channels] == ["rotor.force", "rotor.thrust", "blade_1.air.alpha"]
    assert (chosen.columns.size, chosen.every) == (44, 1)
    assert select(large.card, rate=100.0).every == 4 and select(large.card, rate=1e6).every == 1
    assert select(large.card, every=1).columns.size == everything(large.card).total
    with pytest.raises(UnknownChannelError, match=r"rotor\.forse"):
        select(large.card, ["rotor.forse"])
    with pytest.raises(ValueError, match="not both"):
        select(large.card, every=2, rate=10.0)


def test_rows_of_chosen_channels_are_those_of_the_queue(large, tmp_path):
    rng = np.random.default_rng(2)
    count = len(large.card.sensors)
    rows = rng.normal(size=(300, count))
    with Session.connect(large.card.name) as guest:
        recorder = DiskRecorder(guest, tmp_path / "run.nc", channels=["blade_2.part3.force", "rotor.thrust"], every=3)
        for k, row in enumerate(rows):
            large.record.write(row, k / RATE)
        recorder.look()
        recorder.close()
    found = Results.load(tmp_path / "run.nc")
    labels = [signal.name for signal in large.card.sensors]
    at = labels.index("blade_2.part3.force.x")
    assert found["blade_2.part3.force"].shape == (100, 3)
    assert np.array_equal(found["blade_2.part3.force"], rows[::3, at : at + 3])
    assert np.array_equal(found["rotor.thrust"], rows[::3, labels.index("rotor.thrust")])
    assert "rotor.force" not in found


def test_a_script_for_a_run_off_line_reads_a_recording(name, tmp_path):
    """Every channel of the run is in the recording, with its name, unit and components; and it can be drawn."""
    with RealTime(find("pendulum").make(), RATE, clock=made_up(), session=name, record=512) as real:
        with Session.connect(name) as guest, DiskRecorder(guest, tmp_path / "run.nc") as recorder:
            real.run(0.5)
            recorder.look()
    recorded = Results.load(tmp_path / "run.nc")
    off_line = transient(find("pendulum").make(), end=0.01, step=1.0 / RATE, progress=False)
    for channel in off_line.channels:
        found = recorded.channels[channel.name]
        assert (found.unit, found.components) == (channel.unit, channel.components)
    assert recorded.scene["nodes"] == off_line.scene["nodes"]
