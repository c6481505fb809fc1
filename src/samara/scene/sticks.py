"""The sticks of a model as plain numbers for another process, such as the panel from which it is flown.

They are those that the model declares, see `samara.model.Sticks`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.model import Sticks
from samara.scene.outline import Pen


def sticks(pen: Pen, declared: Sticks) -> dict[str, Any]:
    """JSON of declared sticks.

    craft       number of the node that flies; name: of this node, with which names of its measures begin
    forward, up in the craft's axes; north: in the world, level: where forward points if the axes are the world's
    ground      height of the ground that is drawn [m]
    axes        {axis: {input, unit, ends, neutral, springs, rate, failsafe}}, in the input's unit; see `model.Stick`
    """
    return {
        "craft": pen.number[declared.craft.name],
        "name": declared.craft.name,
        "forward": declared.forward.tolist(),
        "up": declared.up.tolist(),
        "north": _level(declared.forward).tolist(),
        "ground": declared.ground,
        "axes": {
            axis: {
                "input": stick.input.name,
                "unit": stick.input.unit or "1",
                "ends": list(stick.ends),
                "neutral": stick.neutral,
                "springs": stick.springs,
                "rate": stick.rate,
                "failsafe": stick.failsafe,
            }
            for axis, stick in declared.axes.items()
        },
    }


def _level(direction: np.ndarray) -> np.ndarray:
    """Its part in the horizontal plane, of length 1; one that is upright counts as -x."""
    flat = np.array([direction[0], direction[1], 0.0])
    size = float(np.linalg.norm(flat))
    return flat / size if size > 1e-6 else np.array([-1.0, 0.0, 0.0])
