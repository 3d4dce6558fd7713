"""The widgets of a notebook as a reader meets them: controls, a picture and a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pages import Notebook
    from playwright.sync_api import Locator

EXPLORER = ".widget-vbox:has(> img.widget-image)"
CONTROLS = ".widget-slider:visible, .widget-dropdown:visible"
FOCUSABLE = "[role=slider], select"
STEPS = 5  # after so many, a control that changes nothing is taken to be broken

# The pixels, not the address: an image can be drawn anew and be the same.
PIXELS = """async image => {
    await image.decode();
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const {data} = context.getImageData(0, 0, canvas.width, canvas.height);
    const digest = await crypto.subtle.digest('SHA-256', data);
    return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('');
}"""
VALUE = """root => {
    const part = root.querySelector('[role=slider], select');
    return part.getAttribute('aria-valuetext') || part.value;
}"""


@dataclass
class Control:
    """A slider or a list, moved by keyboard only."""

    notebook: Notebook
    root: Locator

    @property
    def kind(self) -> str:
        classes = self.root.get_attribute("class").split()
        return next(kind for kind in KEYS if f"widget-{kind}" in classes)

    @property
    def label(self) -> str:
        return self.root.locator("> label:visible").inner_text()

    @property
    def part(self) -> Locator:
        """What has the focus when the control is moved."""
        return self.root.locator(FOCUSABLE)

    def at_its_end(self) -> bool:
        if self.kind == "slider":
            end = self.part.get_attribute("aria-valuemax")
            return self.part.get_attribute("aria-valuenow") == end
        return self.part.evaluate("list => list.selectedIndex === list.length - 1")

    def step(self, forward: bool) -> None:
        """One step, and wait until what it changes has been drawn."""
        before = self.root.evaluate(VALUE)
        self.part.focus()
        for key in KEYS[self.kind][forward]:
            self.notebook.page.keyboard.press(key)
        changed = f"([root, before]) => ({VALUE})(root) !== before"
        arguments = [self.root.element_handle(), before]
        self.notebook.page.wait_for_function(changed, arg=arguments, timeout=30_000)
        self.notebook.settle()


# Backward and forward. A list is opened first: JupyterLab takes the arrow keys from a closed one.
KEYS = {
    "slider": (["ArrowLeft"], ["ArrowRight"]),
    "dropdown": (["Space", "ArrowUp", "Enter"], ["Space", "ArrowDown", "Enter"]),
}


@dataclass
class Explorer:
    notebook: Notebook
    root: Locator

    def controls(self) -> dict[str, Control]:
        """Those that are to be seen, by their labels."""
        found = [Control(self.notebook, root) for root in self.root.locator(CONTROLS).all()]
        by_label = {control.label: control for control in found}
        assert len(by_label) == len(found)
        return by_label

    @property
    def image(self) -> Locator:
        return self.root.locator("> img.widget-image")

    def picture_of(self, path: Path, width: int) -> None:
        """A screenshot of all of it, in a window that is high enough."""
        height = int(self.root.bounding_box()["height"]) + 300
        size = self.notebook.page.viewport_size
        self.notebook.resize(width, max(height, size["height"]))
        self.root.screenshot(path=path)
        self.notebook.resize(**size)

    def shows(self) -> tuple[str, str]:
        """A digest of the pixels of the picture, and the sentence."""
        return self.image.evaluate(PIXELS), self.root.locator(".widget-html-content").inner_text()

    def move(self, label: str) -> tuple[bool, bool]:
        """Move one control until something changes and back: whether the picture, the sentence did.

        Moved back, it must show exactly what it did before: then nothing else was the cause.
        """
        control, before = self.controls()[label], self.shows()
        forward, steps, after = not control.at_its_end(), 0, before
        while after == before and steps < STEPS:
            control.step(forward)
            steps, after = steps + 1, self.shows()
        for _ in range(steps):
            control.step(not forward)
        assert self.shows() == before, f"'{label}' moved back does not bring back what was shown"
        return after[0] != before[0], after[1] != before[1]

    def reached_by_tab(self) -> list[str]:
        """Labels of the controls that the Tab key comes to, from what stands before the first."""
        controls = self.controls()
        next(iter(controls.values())).root.locator(FOCUSABLE).first.focus()
        keyboard = self.notebook.page.keyboard
        keyboard.press("Shift+Tab")
        reached = {}
        for _ in range(8 * len(controls)):  # a slider has two stops
            keyboard.press("Tab")
            for label, control in controls.items():
                if control.root.evaluate("root => root.contains(document.activeElement)"):
                    reached[label] = True
        return list(reached)


def explorers(notebook: Notebook) -> list[Explorer]:
    return [Explorer(notebook, root) for root in notebook.page.locator(EXPLORER).all()]
