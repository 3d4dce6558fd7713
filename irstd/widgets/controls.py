"""The frame of the lessons' widgets: controls, figures and a sentence.

Figures are shown as PNG in an Image widget. An Output widget would stall nbclient, and nbval could
not compare it.
"""

from __future__ import annotations

import base64
import html
import io
import re
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import ipywidgets as widgets
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from irstd.plots.style import look


def ignore_warnings() -> warnings.catch_warnings:
    """Ignore warnings of irstd, for which a widget has no place."""
    return warnings.catch_warnings(action="ignore", category=UserWarning)


class Explorer(widgets.VBox):
    """A widget with controls, the two figures that they change, and a sentence.

    Parameters
    ----------
    draw : callable
        ``draw(left, right, **values)`` draws on two Axes and returns a sentence (HTML).
    **controls : widget
        By the names of the arguments of `draw`; each has a ``value``.

    Examples
    --------
    >>> explorer = Explorer(lambda left, right, n: f"n is {n}", n=slider(1, 0, 9, 1, "n"))
    >>> explorer.controls["n"].value = 5
    >>> explorer.text.value
    '<p>n is 5</p>'
    """

    def __init__(self, draw: Callable[..., str], **controls: widgets.Widget):
        self.draw = draw
        self.controls = controls
        # No tooltip: JupyterLab cannot show an Image that has one. The sentence says what is in it.
        layout = {"max_width": "100%", "align_self": "flex-start", "margin": "2px 0"}
        self.image = widgets.Image(format="png", layout=layout)
        self.text = widgets.HTML()
        for control in controls.values():
            control.observe(self._update, names="value")
            control.style = {"description_width": "12em"}
            control.layout.width = "32em"
        column = widgets.VBox(list(controls.values()))
        super().__init__([column, self.image, self.text])
        self._update()

    def __repr__(self) -> str:
        values = (f"{name}={control.value!r}" for name, control in self.controls.items())
        return f"Explorer({', '.join(values)})"

    def _repr_mimebundle_(self, **settings: Any) -> dict[str, Any]:
        """Return the widget, and a static picture for pages without a kernel."""
        picture = base64.b64encode(self.image.value).decode()
        alternative = re.sub("<[^>]+>", "", self.text.value)
        still = f'<img src="data:image/png;base64,{picture}" alt="{alternative}">{self.text.value}'
        return super()._repr_mimebundle_(**settings) | {"text/html": still}

    def _update(self, _: dict | None = None) -> None:
        values = {name: control.value for name, control in self.controls.items()}
        with look(), ignore_warnings():
            figure = Figure(figsize=(10, 4.25), dpi=100)
            left, right = figure.subplots(1, 2)
            sentence = self.draw(left, right, **values)
            picture = io.BytesIO()
            FigureCanvasAgg(figure).print_png(picture)  # savefig would draw twice
        self.image.value = picture.getvalue()
        self.text.value = f"<p>{sentence}</p>"


def isolate_name(name: object) -> str:
    """Return a name as HTML whose direction of writing affects no other text."""
    return f"<bdi>{html.escape(str(name))}</bdi>"


def slider(value: float, low: float, high: float, step: float, label: str) -> widgets.Widget:
    """Return a slider of integers, or of floats if `value` is one."""
    kind = widgets.IntSlider
    if isinstance(value, float):
        kind = widgets.FloatSlider
    return kind(
        value=value,
        min=low,
        max=high,
        step=step,
        continuous_update=False,
        description=label,
        tooltip=label,  # without one, a label's tooltip is "null"
    )


def choice(value: str, options: Iterable[str], label: str) -> widgets.Widget:
    """Return a list to choose from."""
    return widgets.Dropdown(options=list(options), value=value, description=label)
