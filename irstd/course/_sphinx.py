"""What the site needs of Sphinx: formulas as MathML, and anchors as in Jupyter.

MathML is drawn by the browser itself: no script, no font and no address elsewhere, and a screen
reader can say it.
"""

from __future__ import annotations

from latex2mathml.converter import convert


def jupyter_anchor(title: str) -> str:
    """Return the anchor that JupyterLab gives to a heading."""
    return title.replace(" ", "-")


def _formula(writer, node, display: str) -> str:
    return convert(node.astext(), display=display)


def visit_inline(writer, node) -> None:
    from docutils.nodes import SkipNode

    writer.body.append(_formula(writer, node, "inline"))
    raise SkipNode


def visit_block(writer, node) -> None:
    from docutils.nodes import SkipNode

    writer.body.append(f'<div class="math">{_formula(writer, node, "block")}</div>')
    raise SkipNode


def setup(app) -> dict:
    """Register with Sphinx."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
