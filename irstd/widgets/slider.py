"""Slider with a label for screen readers, which those of ipywidgets lack."""

from __future__ import annotations

import anywidget
from traitlets import Any, Dict, Unicode


class Slider(anywidget.AnyWidget):
    """Slider of integers, or of floats if its step is fractional."""

    _esm = """
    function render({ model, el }) {
      const slider = document.createElement("input");
      const number = document.createElement("output");
      const label = document.createElement("label");
      const digits = (String(model.get("range").step).split(".")[1] ?? "").length;
      const show = () => { number.textContent = Number(slider.value).toFixed(digits); };
      const update = () => { slider.value = model.get("value"); show(); };
      Object.assign(slider, { type: "range" }, model.get("range"));
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
    value = Any().tag(sync=True)  # a number
    range = Dict().tag(sync=True)  # min, max and step
    description = Unicode().tag(sync=True)
