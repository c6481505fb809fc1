"""The model: nodes, placements, drives, parameters, and the contract of an element."""

from samara.arguments import ArgumentError, ModelError
from samara.model.declarations.declared_rotor import DeclaredRotor
from samara.model.declarations.ornament import Ornament
from samara.model.declarations.sticks import Stick, Sticks
from samara.model.element import Contribution, Element, Grip, Measure, Output, Site, Touch
from samara.model.frames.kinematics import Frame
from samara.model.frames.node import Motion, Node
from samara.model.junction import ABSTRACT, ELECTRIC, HYDRAULIC, THERMAL, Connection, Domain, Junction, Way
from samara.model.model import Model
from samara.model.quantities.parameters import Parameter
from samara.model.quantities.placement import Placement, as_placement
from samara.model.quantities.state import State, StateMotion
from samara.model.schema.drives import (
    Constant,
    Cosine,
    Drive,
    Expression,
    Input,
    Product,
    Ramp,
    Sine,
    Step,
    Sum,
    Tabulated,
    as_drive,
)
from samara.model.schema.fields import (
    direction,
    driven,
    matrix,
    node,
    number,
    numbers,
    option,
    placement,
    reads,
    record,
    records,
    setting,
    signal,
    signals,
    state,
    table,
    vector,
)
from samara.model.schema.record import KeywordRecord, Record
from samara.model.sketch import Sketch

__all__ = [
    "ABSTRACT",
    "ELECTRIC",
    "HYDRAULIC",
    "THERMAL",
    "ArgumentError",
    "Connection",
    "Constant",
    "Contribution",
    "Cosine",
    "DeclaredRotor",
    "Domain",
    "Drive",
    "Element",
    "Expression",
    "Frame",
    "Grip",
    "Input",
    "Junction",
    "KeywordRecord",
    "Measure",
    "Model",
    "ModelError",
    "Motion",
    "Node",
    "Ornament",
    "Output",
    "Parameter",
    "Placement",
    "Product",
    "Ramp",
    "Record",
    "Sine",
    "Site",
    "Sketch",
    "State",
    "StateMotion",
    "Step",
    "Stick",
    "Sticks",
    "Sum",
    "Tabulated",
    "Touch",
    "Way",
    "as_drive",
    "as_placement",
    "direction",
    "driven",
    "matrix",
    "node",
    "number",
    "numbers",
    "option",
    "placement",
    "reads",
    "record",
    "records",
    "setting",
    "signal",
    "signals",
    "state",
    "table",
    "vector",
]
