"""A pytest plugin: what the kernels of the notebooks inherit, when one notebook is run alone too."""

import os
from pathlib import Path

os.environ.pop("MPLBACKEND", None)  # a kernel that inherits it shows no figures
if os.environ.get("IRSTD_DATA"):  # kernels run in another folder than this one
    os.environ["IRSTD_DATA"] = str(Path(os.environ["IRSTD_DATA"]).expanduser().resolve())
