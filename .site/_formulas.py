"""Formulas as MathML: drawn by the browser, without a script or a font, and said by a reader."""

from docutils.nodes import SkipNode
from latex2mathml.converter import convert


def inline(writer, node):
    """Write a formula in a line."""
    writer.body.append(convert(node.astext(), display="inline"))
    raise SkipNode


def block(writer, node):
    """Write a formula that stands alone."""
    writer.body.append(f'<div class="math">{convert(node.astext(), display="block")}</div>')
    raise SkipNode
