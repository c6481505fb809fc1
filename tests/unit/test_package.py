"""The package as a whole: everything is there when it is asked for by name."""

import pkgutil
import subprocess
import sys

import pytest

import samara as sm

ROOMS = [module.name for module in pkgutil.iter_modules(sm.__path__) if module.ispkg]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_there_without_an_earlier_import(room):
    if room == "dashboard":
        pytest.importorskip("nicegui")
    code = f"import samara as sm; assert sm.{room}.__name__ == 'samara.{room}'; assert {room!r} in dir(sm)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_rotations_in_the_first_line():
    code = "import samara as sm; print(sm.rotations.rotation_z(0.0)[0, 0])"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "1.0\n"


def test_what_is_not_there_is_an_attribute_error():
    for name in ("rotation", "__main__", "nothing"):
        with pytest.raises(AttributeError, match=f"module 'samara' has no attribute '{name}'"):
            getattr(sm, name)
