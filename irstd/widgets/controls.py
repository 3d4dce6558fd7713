"""Common frame of the lessons' widgets: controls, figures and a sentence.

Figures are PNG images in HTML, with the sentence as alternative text: an Image widget has none, and
an Output widget would stall nbclient.
"""

from __future__ import annotations

import base64
import html
import io
import re
import warnings
from collections.abc import Callable, Iterable

import ipywidgets as widgets
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from irstd._base.messages import import_optional
from irstd.plots.style import look


def ignore_warnings() -> warnings.catch_warnings:
    """Ignore warnings of irstd, which a widget cannot show."""
    return warnings.catch_warnings(action="ignore", category=UserWarning)


class Explorer(widgets.VBox):
    """Widget of controls, two figures that they change, and a sentence.

    Parameters
    ----------
    draw : callable
        ``draw(left, right, **values)`` draws on two Axes and returns a sentence (HTML).
    **controls : widget
        Controls by argument of `draw`, such as sliders of ipywidgets; each has a ``value``.

    Attributes
    ----------
    controls : dict of str to widget
        The controls by name. To set one by code: ``explorer.controls["n"].value = 5``.
    text : ipywidgets.HTML
        The figures and the sentence.

    Examples
    --------
    >>> import ipywidgets
    >>> explorer = Explorer(lambda left, right, n: f"n is {n}", n=ipywidgets.IntSlider(1))
    >>> explorer.controls["n"].value = 5
    >>> explorer
    Explorer(n=5)
    >>> explorer.text.value.partition("<p>")[2]
    'n is 5</p>'
    """

    def __init__(self, draw: Callable[..., str], **controls: widgets.Widget):
        self.draw = draw
        self.controls = controls
        self.text = widgets.HTML()
        for control in controls.values():
            control.observe(self._redraw, names="value")
        super().__init__([*controls.values(), self.text])
        self._redraw()

    def __repr__(self) -> str:
        values = (f"{name}={control.value!r}" for name, control in self.controls.items())
        return f"Explorer({', '.join(values)})"

    def _repr_html_(self) -> str:
        """Return a static picture for pages without a kernel."""
        return self.text.value

    def _redraw(self, _: dict | None = None) -> None:
        values = {name: control.value for name, control in self.controls.items()}
        with look(), ignore_warnings():
            figure = Figure(figsize=(10, 4.25), dpi=100)
            left, right = figure.subplots(1, 2)
            sentence = self.draw(left, right, **values)
            png = io.BytesIO()
            FigureCanvasAgg(figure).print_png(png)  # savefig would draw twice
        address = f"data:image/png;base64,{base64.b64encode(png.getvalue()).decode()}"
        text = re.sub("<[^>]+>", "", sentence)
        picture = f'<img src="{address}" alt="{text}" style="max-width: 100%">'
        self.text.value = f"{picture}<p>{sentence}</p>"


def isolate_name(name: object) -> str:
    """Return a name as HTML, with its writing direction isolated from other text."""
    return f"<bdi>{html.escape(str(name))}</bdi>"


def make_slider(value: float, low: float, high: float, step: float, label: str) -> widgets.Widget:
    """Return a slider from `low` to `high`, in steps of `step`."""
    kind = import_optional("irstd.widgets.slider").Slider
    return kind(value=value, range={"min": low, "max": high, "step": step}, description=label)


def make_dropdown(value: str, options: Iterable[str], label: str) -> widgets.Widget:
    """Return a dropdown list of options."""
    style = {"description_width": "12em"}
    return widgets.Dropdown(
        options=list(options), value=value, description=label, layout={"width": "32em"}, style=style
    )
