"""The names of our tasks, solvers and scorers in Inspect: always `quintet/NAME`."""

from inspect_ai._util.registry import registry_name

PACKAGE = "quintet"


def registered(name: str, module: str = __name__) -> str:
    """The name to register, such that Inspect knows it as `quintet/NAME`.

    Inspect adds the prefix itself if it finds an installed package of that name. From a clone it does not: there the
    distribution `quintet-games` is installed editable, or only the source tree is used. A module that Inspect loads by
    its path, as in `inspect eval src/quintet/llm/tasks.py@play`, has another name: there Inspect asks for `NAME` alone.
    """
    if not module.startswith(f"{PACKAGE}."):
        return name
    return name if registry_name(registered, name) == f"{PACKAGE}/{name}" else f"{PACKAGE}/{name}"
