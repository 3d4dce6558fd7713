"""What is clipped, missing, hard to read or drawn over something else on a page."""

from itertools import combinations
from pathlib import Path

# A pixel of rounding is allowed.
TOO_WIDE = """selector => [...document.querySelectorAll(selector)]
    .filter(part => part.scrollWidth > part.clientWidth + 1)
    .map(part => `${part.className}: ${part.scrollWidth} > ${part.clientWidth}: `
        + part.textContent.trim().slice(0, 80))"""
BROKEN_IMAGES = """async selector => {
    const images = [...document.querySelectorAll(selector)];
    await Promise.allSettled(images.map(image => image.decode()));
    return images.filter(image => !image.naturalWidth).map(image => image.outerHTML.slice(0, 200));
}"""

RUN_AXE = "part => axe.run(part, {resultTypes: ['violations']})"


def violations(page, selector: str = "html") -> list[tuple[str, str]]:
    """What axe objects to in a part: the name of each rule, and the first place that breaks it."""
    import axe_playwright_python

    axe = Path(axe_playwright_python.__file__).parent / "axe.min.js"
    page.evaluate(axe.read_text(encoding="utf-8"))
    found = page.evaluate(RUN_AXE, selector)["violations"]
    return [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in found]


def too_wide(page, selector: str) -> list[str]:
    """Elements with more in them than their width shows."""
    return page.evaluate(TOO_WIDE, selector)


def broken_images(page, selector: str) -> list[str]:
    return page.evaluate(BROKEN_IMAGES, selector)


def outside(box: dict, frame: dict) -> bool:
    """Whether a box is wider than the frame shows."""
    right, end = box["x"] + box["width"], frame["x"] + frame["width"]
    return box["x"] < frame["x"] - 1 or right > end + 1


def overlaps(boxes: list[dict]) -> list[tuple[dict, dict]]:
    """The pairs of boxes that share more than an edge."""

    def meet(a: dict, b: dict, start: str, length: str) -> bool:
        return a[start] + a[length] > b[start] + 1 and b[start] + b[length] > a[start] + 1

    sides = ("x", "width"), ("y", "height")
    pairs = combinations(boxes, 2)
    return [(a, b) for a, b in pairs if all(meet(a, b, *side) for side in sides)]


def boxes(parts: list) -> list[dict]:
    return [part.bounding_box() for part in parts]
