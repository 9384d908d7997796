"""All targets of fuzzing, as far as what they need is installed."""

from collections.abc import Collection
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

from quintet.bench.fuzz import Target
from quintet.bench.fuzz_parsers import parsers

MODELS = ("answers", "logs", "suites")
WEB = ("requests", "messages")
TOOLS = ("tools",)


def make_targets(folder: Path, stack: ExitStack, only: Collection[str] = ()) -> list[Target]:
    """The targets of these names, or all. Files are written to the folder; the stack closes what is opened."""

    def wanted(names: Collection[str], module: str) -> bool:
        return find_spec(module) is not None and (not only or bool({*names} & {*only}))

    targets = parsers(folder)
    if wanted(MODELS, "inspect_ai"):
        from quintet.bench.fuzz_models import model_targets

        targets += model_targets()
    if wanted(WEB, "fastapi"):
        from quintet.bench.fuzz_server import web_targets

        targets += web_targets(folder, stack)
    if wanted(TOOLS, "mcp"):
        from quintet.bench.fuzz_server import tool_targets

        targets += tool_targets(folder, stack)
    return [target for target in targets if not only or target.name in only]


def target_names(folder: Path) -> list[str]:
    """The names of all targets."""
    return [*(target.name for target in parsers(folder)), *MODELS, *WEB, *TOOLS]
