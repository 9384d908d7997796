"""A language model as a player: `model:PROVIDER/NAME`, with Inspect's names, wherever players are named."""

import asyncio
from importlib.util import find_spec

from quintet.engines import EngineFault, UnknownPlayer
from quintet.rules import Position
from quintet.version import missing


class ModelPlayer:
    """Asks a model for each move, with the default prompt but without the moves so far, which engines are not given."""

    def __init__(self, name: str, seed: int | None = None) -> None:
        """Find the model. The seed is not used: a model's randomness is its provider's."""
        if not find_spec("inspect_ai"):
            raise UnknownPlayer(f"a model {missing('llm', 'inspect_ai')}")
        from inspect_ai._util.error import PrerequisiteError
        from inspect_ai.model import get_model

        try:
            self.model = get_model(name, memoize=False)
        except (PrerequisiteError, ValueError) as error:
            reason = str(getattr(error, "message", error)).strip()
            raise UnknownPlayer(f"no model called {name[:80]!r}: {' '.join(reason.split())}") from None

        self.runner = asyncio.Runner()  # A provider's connections belong to one event loop.

    def choose(self, position: Position, seconds: float | None = None) -> int:
        """Its move; `EngineFault` if none of its answers was legal, or it could not be reached in time."""
        return self.runner.run(self.decide(position, seconds))

    async def decide(self, position: Position, seconds: float | None = None) -> int:
        """The same inside a running event loop, such as an evaluation's."""
        from anyio import fail_after

        from quintet.llm.agents import model_agent
        from quintet.llm.options import AgentOptions

        options = AgentOptions(history=False)
        agent = model_agent(self.model, options, options.present(position, ""), [])
        try:
            with fail_after(seconds):
                answer = await agent(position, ())
        except TimeoutError:
            raise EngineFault(f"it gave no answer within {seconds:.3g} s") from None
        except Exception as error:  # A provider may fail in any way, which must lose one game only.
            raise EngineFault(f"it failed with {type(error).__name__}: {' '.join(str(error).split())[:200]}") from None
        if answer.move is None:
            raise EngineFault(answer.fault)
        return answer.move

    def close(self) -> None:
        """Close its connections."""
        self.runner.close()
