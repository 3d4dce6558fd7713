"""Every documented name: of irstd, and the functions of its modules that have their own."""

import inspect

import irstd

ROOMS = [
    irstd.judges,
    irstd.rankings,
    irstd.resample,
    irstd.seeds,
    irstd.variability,
]


def public():
    found = {name: getattr(irstd, name) for name in irstd.__all__}
    for room in ROOMS:
        for name, value in vars(room).items():
            ours = getattr(value, "__module__", "").startswith(room.__name__)
            is_public = name[0] != "_" and name in getattr(room, "__all__", [name])
            if is_public and inspect.isfunction(value) and ours:
                found[name] = value
    return found
