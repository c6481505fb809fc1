"""One name for one thing: no two modules define a class of the same public name, and texts use standard terms."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import samara

SOURCE = Path(samara.__file__).parent
ROOT = Path(__file__).parents[2]
TEXTS = sorted(
    [
        *(path for path in SOURCE.rglob("*") if path.suffix in (".py", ".js", ".html")),
        *(path for path in (ROOT / "docs").rglob("*.md") if not path.parts[len(ROOT.parts) + 1].startswith("_")),
        *ROOT.glob("*.md"),
    ]
)


def test_class_names_are_unique():
    places = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for statement in ast.parse(path.read_text()).body:
            if isinstance(statement, ast.ClassDef) and not statement.name.startswith("_"):
                places[statement.name].append(str(path.relative_to(SOURCE)))
    doubled = {name: where for name, where in places.items() if len(where) > 1}
    assert doubled == {}


#: What is said in other words, and the words.
PHRASES = {
    r"\bgreatest\b": "maximum",
    r"silence .{0,30}that is borne": "timeout",
    r"\bonly to look\b": "view-only",
    r"\b[Aa]gainst the clock\b": "in real time",
    r"\b[Ss]ize of letters\b": "font size",
    r"\bwho has it mapped\b": "whoever maps it",
    r"\b(for|to|by) who\b": "whoever, anyone who",
    r"\b(steps|iterations|Jacobians|us|samples|messages) a (step|second|turn|revolution|period)\b(?! is)": "per",
    r"\btorque a current\b": "torque per ampere",
}


def test_standard_terms():
    found = []
    for path in TEXTS:
        for k, line in enumerate(path.read_text().splitlines(), 1):
            where = f"{path.relative_to(ROOT)}:{k}: {line.strip()}"
            found += [f"{where}  (say: {say})" for words, say in PHRASES.items() if re.search(words, line)]
    assert not found, "\n" + "\n".join(found)
