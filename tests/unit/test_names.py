"""One name for one thing: no two modules define a class of the same public name."""

import ast
from collections import defaultdict
from pathlib import Path

import samara

SOURCE = Path(samara.__file__).parent


def test_class_names_are_unique():
    places = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for statement in ast.parse(path.read_text()).body:
            if isinstance(statement, ast.ClassDef) and not statement.name.startswith("_"):
                places[statement.name].append(str(path.relative_to(SOURCE)))
    doubled = {name: where for name, where in places.items() if len(where) > 1}
    assert doubled == {}
