"""Every documented name: of irstd, and the functions of its modules that have their own."""

import inspect

import irstd

ROOMS = [irstd.compare, irstd.judges]


def public():
    found = {name: getattr(irstd, name) for name in irstd.__all__}
    for room in ROOMS:
        for name, value in vars(room).items():
            ours = getattr(value, "__module__", "").startswith(room.__name__)
            if name[0] != "_" and inspect.isfunction(value) and ours:
                found[name] = value
    return found
