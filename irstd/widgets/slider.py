"""A slider with a name that screen readers say, which those of ipywidgets lack."""

from __future__ import annotations

import anywidget
from traitlets import Float, Int, Unicode, Union


class Slider(anywidget.AnyWidget):
    """A slider of integers, or of floats if `step` is one."""

    _esm = """
    function render({ model, el }) {
      const slider = document.createElement("input");
      const number = document.createElement("output");
      const label = document.createElement("label");
      const digits = (String(model.get("step")).split(".")[1] ?? "").length;
      const show = () => { number.textContent = Number(slider.value).toFixed(digits); };
      const update = () => { slider.value = model.get("value"); show(); };
      for (const name of ["min", "max", "step"]) slider[name] = model.get(name);
      slider.type = "range";
      slider.ariaLabel = model.get("description");
      // JupyterLab takes no key from a part with this attribute.
      slider.dataset.lmSuppressShortcuts = "true";
      slider.addEventListener("input", show);
      slider.addEventListener("change", () => {
        model.set("value", Number(slider.value));
        model.save_changes();
      });
      label.style = "display: grid; grid-template-columns: 12em 14em 4em; gap: 8px";
      label.append(model.get("description"), slider, number);
      el.append(label);
      model.on("change:value", update);
      update();
    }
    export default { render };
    """
    value = Union([Int(), Float()]).tag(sync=True)
    min = Union([Int(), Float()]).tag(sync=True)
    max = Union([Int(), Float()]).tag(sync=True)
    step = Union([Int(), Float()]).tag(sync=True)
    description = Unicode().tag(sync=True)
