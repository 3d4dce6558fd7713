"""What is clipped, missing or hard to read on a page."""

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
