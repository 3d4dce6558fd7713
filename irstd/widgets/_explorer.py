"""The frame of the lessons' widgets: controls, the picture that they change, and a sentence.

A picture is drawn to PNG and shown by an Image widget: no Output widget, which stalls nbclient and
which nbval cannot compare.
"""

from __future__ import annotations

import html
import io
from collections.abc import Callable, Mapping

import ipywidgets as widgets
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from irstd.plots._look import look

WIDE = {"description_width": "12em"}


class Explorer(widgets.VBox):
    """Controls, the picture that they change, and a sentence that says what it shows.

    Parameters
    ----------
    draw : callable
        ``draw(figure, **values)`` draws on a matplotlib Figure and returns a sentence (HTML).
    controls : dict of str to widget
        The controls by the names of the arguments of `draw`; each has a ``value``.
    size : (float, float), default (9, 4)
        Of the picture, in inches.

    Attributes
    ----------
    controls : dict of str to widget
    image : ipywidgets.Image
    text : ipywidgets.HTML

    Examples
    --------
    >>> slider = widgets.IntSlider(value=1, min=0, max=9, description="n")
    >>> explorer = Explorer(lambda figure, n: f"n is {n}", {"n": slider})
    >>> before, slider.value = explorer.text.value, 5
    >>> explorer.text.value
    '<p>n is 5</p>'
    """

    def __init__(
        self,
        draw: Callable[..., str],
        controls: Mapping[str, widgets.Widget],
        *,
        size: tuple[float, float] = (9.0, 4.0),
    ):
        self.draw, self.controls, self.size = draw, dict(controls), size
        # No tooltip: JupyterLab cannot show an Image that has one. The sentence says what is in it.
        # Neither blown up to a blur nor, by a margin beside its full width, cut off.
        layout = {"max_width": "100%", "align_self": "flex-start", "margin": "2px 0"}
        self.image = widgets.Image(format="png", layout=layout)
        self.text = widgets.HTML()
        for control in self.controls.values():
            control.observe(self._update, names="value")
            control.style = WIDE
            control.layout.width = "32em"
        super().__init__([widgets.VBox([*self.controls.values()]), self.image, self.text])
        self._update()

    def __repr__(self) -> str:
        values = (f"{name}={control.value!r}" for name, control in self.controls.items())
        return f"Explorer({', '.join(values)})"

    def _update(self, _: dict | None = None) -> None:
        values = {name: control.value for name, control in self.controls.items()}
        with look():
            figure = Figure(figsize=self.size, dpi=100)
            sentence = self.draw(figure, **values)
            picture = io.BytesIO()
            FigureCanvasAgg(figure).print_png(picture)  # draws once, where savefig draws twice
        self.image.value = picture.getvalue()
        self.text.value = f"<p>{sentence}</p>"


def isolated(name: object) -> str:
    """A name, which may come from a file, as HTML that turns nothing after it round."""
    return f"<bdi>{html.escape(str(name))}</bdi>"


def slider(kind: type, value, low, high, step, label: str) -> widgets.Widget:
    options = {"description": label, "tooltip": label}  # without one, a label's tooltip is "null"
    return kind(value=value, min=low, max=high, step=step, continuous_update=False, **options)
