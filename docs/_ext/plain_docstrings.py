"""Show docstrings as they are written: plain text, not a markup language.

An author writes p_WB, R*v and |x| without a thought for escapes. Paragraphs flow, lines that begin with
"- " are a list, `code` is code, and anything indented, ruled or drawn as a table is kept line by line.
"""

import re


def escape(text: str) -> str:
    """Escape what reStructuredText would read as markup, except code between backticks."""
    pieces = re.split(r"(``[^`]+``|`[^`]+`)", text)
    # code that touches other text, as in `angle`(t), is set off by a space that is not shown
    return "".join(
        f"\\ ``{piece.strip('`')}``\\ " if index % 2 else re.sub(r"([\\*_|`])", r"\\\1", piece)
        for index, piece in enumerate(pieces)
    )


def literal(lines: list[str]) -> list[str]:
    return ["::", "", *("    " + line for line in lines)]


def to_rst(lines: list[str]) -> list[str]:
    """Turn a plain docstring into reStructuredText that shows it unchanged."""
    result: list[str] = []
    for block in re.split(r"\n(?:[ \t]*\n)+", "\n".join(lines).strip("\n")):
        rows = block.split("\n")
        drawn = any(re.match(r"\s|\||[-=]{3,}\s*$|>>>", row) for row in rows)
        if all(re.match(r"- |  +\S", row) for row in rows) and rows[0].startswith("- "):
            # Join the lines of an item, so that its indentation cannot be misread.
            items = re.split(r"\n(?=- )", block)
            shown = ["- " + escape(re.sub(r"\s*\n\s*", " ", item[2:])) for item in items]
        elif drawn and not re.match(r"\s", rows[0]) and len(rows) > 1 and re.match(r"\s", rows[1]):
            # A sentence and, directly below it, what it announces.
            cut = next(i for i, row in enumerate(rows) if re.match(r"\s", row))
            shown = [escape(re.sub("::$", ":", " ".join(rows[:cut]))), "", *literal(rows[cut:])]
        elif drawn:
            shown = literal(rows)
        else:
            shown = [escape(re.sub("::$", ":", row)) for row in rows]
        if shown and re.match(r"\d+[.)]\s|[A-Za-z#][.)]\s|[+•]\s|\.\. |:\w+:", shown[0]):
            shown[0] = "\\" + shown[0]
        result += [*shown, ""]
    return result


def process(app, what, name, obj, options, lines):
    lines[:] = to_rst(lines)


def setup(app):
    """Hook into autodoc."""
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
