"""Formulas as MathML, which browsers draw by themselves: no script, no network."""

from docutils import nodes
from latex2mathml.converter import convert


def inline(translator, node):
    """Write a formula within a line."""
    translator.body.append(convert(node.astext()))
    raise nodes.SkipNode


def block(translator, node):
    """Write a formula on lines of its own."""
    translator.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>\n')
    raise nodes.SkipNode


def setup(app):
    """Offer it as the way to show formulas."""
    app.add_html_math_renderer("mathml", inline_renderers=(inline, None), block_renderers=(block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
