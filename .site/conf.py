"""The course and the reference as a site of static pages, which load nothing from elsewhere.

At the root of the repository, with the extra ``site`` installed::

    sphinx-build -W .site build/site
    sphinx-build -W -D notebooks=handout .site build/site    # notebooks of your own

The notebooks are shown as they are stored; only the gallery and the list of data sets are run.
"""

import importlib.metadata
import os
import re
import sys
import tempfile
from pathlib import Path

from docutils.nodes import SkipNode, raw, section
from latex2mathml.converter import convert
from sphinx.addnodes import desc_signature

HERE = Path(__file__).parent
SCRATCH = tempfile.TemporaryDirectory()  # goes when the build ends
sys.path.insert(0, str(HERE))

from _sources import show_uses, write_sources  # noqa: E402

project = html_title = "irstd"
release = importlib.metadata.version("ir-standardization")
extensions = ["myst_nb", "numpydoc", "sphinx.ext.viewcode", "sphinx_copybutton"]
default_role = "obj"
autodoc_typehints = "none"
autodoc_default_options = {"members": True}
numpydoc_show_class_members = False
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 4
myst_heading_slug_func = "_sources.jupyter_anchor"
nb_execution_mode = "off"
nb_ipywidgets_js = {}
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]
nb_render_markdown_format = "myst"
html_css_files = ["site.css"]
html_math_renderer = "mathml"
html_show_copyright = html_show_sphinx = html_show_sourcelink = html_copy_source = False
templates_path = ["_templates"]
html_static_path = ["_static", f"{SCRATCH.name}/extra"]
html_theme = "pydata_sphinx_theme"
html_theme_options = {"footer_start": ["license"]}


def prepare(app, config):
    """Read this folder, with what is made of notebooks and docstrings, from a temporary one."""
    app.srcdir, app.doctreedir = Path(SCRATCH.name, "source"), Path(SCRATCH.name, "doctrees")
    write_sources(app.srcdir, HERE, Path(config.notebooks), places(config.repository, config.lite))
    # For what is run: figures are pictures, and the kernel has no settings of the user's.
    os.environ |= {"IPYTHONDIR": str(app.srcdir / "kernel"), "MPLBACKEND": ""}


def places(repository, lite):
    """Return where a lesson can be opened without an installation: names and addresses."""
    found = []
    if lite:
        found.append(("in the browser", "../lite/lab/index.html?path={name}.ipynb"))
    if repository:
        binder = f"https://mybinder.org/v2/gh/{repository}/HEAD"
        colab = f"https://colab.research.google.com/github/{repository}/blob/main"
        found.append(("Binder", binder + "?urlpath=lab/tree/notebooks/{name}.ipynb"))
        found.append(("Colab", colab + "/notebooks/{name}.ipynb"))
    return found


def keep_outputs_apart(app):
    """Let MyST-NB write there what it takes out of notebooks, and not beside the site."""
    app.env.mystnb_config = app.env.mystnb_config.copy(output_folder=SCRATCH.name)


def write_math(writer, node):
    """Write a formula as MathML: a browser draws it without a script, a reader can say it."""
    alone = node.tagname == "math_block"  # the keyboard can reach it, as it may scroll
    formula = convert(node.astext(), display="block" if alone else "inline")
    writer.body.append(f'<div class="math" tabindex="0">{formula}</div>' if alone else formula)
    raise SkipNode


def fold_what_goes_deeper(app, doctree):
    """Fold what stands below headings "Go deeper", as JupyterLab does; the headings stay."""
    for part in doctree.findall(section):
        if part[0].astext().startswith("Go deeper"):
            opening = '<details class="deeper"><summary>Show this part</summary>'
            part.insert(1, raw("", opening, format="html"))
            part.append(raw("", "</details>", format="html"))


def name_as_their_source_does(app, doctree):
    """Give what is in a module of its own the anchor to which the page of its source leads back.

    That page names all of a file by the module under which the first of them is documented.
    """
    for signature in doctree.findall(desc_signature):
        if signature.get("module", "irstd") != "irstd":
            signature["ids"].append(f"irstd.{signature['fullname']}")


def make_accessible(app, pagename, templatename, context, doctree):
    """Name what pandas and Sphinx leave without a name; let the keyboard reach what scrolls."""
    page = re.sub(r"<th[^>]*>(?:<p></p>)?</th>", "<td></td>", context.get("body", ""))
    named = r'\1 tabindex="0" role="group" aria-label="output"'
    context["body"] = re.sub(r'(<div class="output text_html")', named, page)


def setup(app):
    """Register with Sphinx."""
    app.add_config_value("notebooks", str(HERE.parent / "notebooks"), "env")
    app.add_config_value("repository", "", "env")  # owner/name on GitHub: links to Binder and Colab
    app.add_config_value("lite", "", "env")  # 1 if JupyterLite stands beside the site, as lite/
    app.add_html_math_renderer("mathml", (write_math, None), (write_math, None))
    app.connect("config-inited", prepare)
    app.connect("builder-inited", keep_outputs_apart, priority=900)
    app.connect("doctree-read", fold_what_goes_deeper)
    app.connect("doctree-read", name_as_their_source_does)
    app.connect("html-page-context", make_accessible)
    app.connect("autodoc-process-docstring", show_uses, priority=900)
