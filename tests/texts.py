"""The texts of the project, and the code in them."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def read(name):
    """A file of the repository."""
    return (ROOT / name).read_text("utf-8")


def read_page(name):
    """A page of the site."""
    return read(f".site/{name}.md")


def code_of(text):
    """The blocks of Python in a text."""
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)
