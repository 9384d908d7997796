"""A game's lesson, played: what to show, and what each tap leads to. The game's own file has the texts.

Everything that a lesson shows follows from the rules: which cells are legal, what a tap takes, who wins.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from quintet.board import split
from quintet.effects import Effects, effects
from quintet.errors import QuintetError
from quintet.language import later, tr
from quintet.match import Match
from quintet.notation import read_move, read_position
from quintet.rules import PASS, Game, Position
from quintet.view import View, make_view
from quintet.words import Step

NUDGE = later("Tap a lit cell.")
"""Said to a legal tap that is not asked for."""


class NoLesson(QuintetError, ValueError):
    """A game without a lesson."""


@dataclass(frozen=True)
class Answer:
    """What a tap leads to."""

    text: str
    """The text after it."""
    views: tuple[View, ...] = ()
    """The boards to show, one after the other: after the tap, and after the opponent's move."""
    next: "Scene | None" = None
    """The scene that follows; none after the last."""


@dataclass(frozen=True)
class Scene:
    """A lesson waiting for a tap."""

    game: Game
    number: int
    """Which step of the lesson it is, counted from 0."""
    position: Position
    view: View

    @property
    def step(self) -> Step:
        """What the game's file says about it."""
        return self.game.lesson[self.number]

    @property
    def is_last(self) -> bool:
        """Whether it is the last step."""
        return self.number == len(self.game.lesson) - 1

    @property
    def text(self) -> str:
        """What to do."""
        return fill(self.step.say, self.position)

    @property
    def wanted(self) -> int:
        """The cells to tap."""
        position, step = self.position, self.step
        cells = sum(winning(position)) if self.is_last else position.legal
        if step.refused:
            cells = position.board.full & ~(position.mine | position.theirs | position.legal)
        return cells & sum(named(position, step.tap)) if step.tap else cells

    @property
    def lit(self) -> int:
        """The cells to light up: those to tap, but all legal ones where the learner has to choose."""
        return self.position.legal if self.step.retry else self.wanted

    def tap(self, cell: int) -> Answer:
        """What a tap on a cell leads to."""
        position, step = self.position, self.step
        if not cell & self.wanted:
            is_legal = cell & position.legal
            return Answer(fill(step.retry or NUDGE, position) if is_legal else position.refusal(cell), next=self)
        if step.refused:
            return Answer(fill(step.then, position), next=self.follow(position, self.view))
        after = position.play(cell)
        views = [make_view(Match(position, [cell]))]
        text = fill(step.then, after, position.gain(cell).bit_count())
        if not after.outcome:
            reply = self.reply(after)
            views.append(make_view(Match(after, [reply])))
            after = after.play(reply)
        return Answer(text, tuple(views), None if self.is_last else self.follow(after, views[-1]))

    def reply(self, position: Position) -> int:
        """The opponent's answer to a tap, which leaves the learner a win before the last step."""
        if position.must_pass:
            return PASS
        comes_last = self.number + 2 == len(self.game.lesson)
        moves = (move for move in named(position, self.step.reply) if position.allows(move))
        return next(move for move in moves if not comes_last or winning(position.play(move)))

    def follow(self, position: Position, view: View) -> "Scene":
        """The next scene, in this position if it does not have its own."""
        return open_scene(self.game, self.number + 1) or Scene(self.game, self.number + 1, position, view)


def first_scene(game: Game) -> Scene:
    """Where the lesson of a game starts."""
    scene = open_scene(game, 0) if game.lesson else None
    if scene is None:
        raise NoLesson(tr("{game} has no lesson.", game=tr(game.title)))
    return scene


def open_scene(game: Game, number: int) -> Scene | None:
    """A step in its own position, if it has one."""
    start = game.lesson[number].start
    if not start:
        return None
    position = read_position(f"{game.name} {start}")
    return Scene(game, number, position, make_view(Match(position)))


def named(position: Position, cells: str) -> list[int]:
    """The cells of a list such as `B2 C3`."""
    return [read_move(position, name) for name in cells.split()]


def winning(position: Position) -> list[int]:
    """The moves that win at once."""
    return [move for move in position.moves if (end := position.play(move).outcome) and end.winner == position.player]


def fill(text: str, position: Position, cells: int = 0) -> str:
    """A text with its numbers."""
    first, second = position.scores
    return tr(text, cells=cells, score1=first, score2=second, target=position.board.target)


def all_scenes(game: Game) -> Iterator[Scene]:
    """Every scene that taps can lead to, the first one first."""
    waiting = {first_scene(game): None}
    seen = dict(waiting)
    while waiting:
        scene = next(iter(waiting))
        del waiting[scene]
        yield scene
        for cell in split(scene.wanted):
            found = scene.tap(cell).next
            if found and found not in seen:
                seen[found] = waiting[found] = None


class TapInfo(msgspec.Struct, frozen=True):
    """What a tap leads to."""

    text: str
    views: list[int]
    """The boards to show, one after the other."""
    next: int | None
    """The scene that follows; none after the last."""


class SceneInfo(msgspec.Struct, frozen=True):
    """A lesson waiting for a tap."""

    step: int
    """Which step of the lesson it is, counted from 0."""
    text: str
    view: int
    lit: list[str]
    """The cells to light up."""
    taps: dict[str, TapInfo]
    """What each tap leads to, by the cell's label. Other cells are refused, as the effects say."""
    effects: Effects


class LessonInfo(msgspec.Struct, frozen=True):
    """A whole lesson: every scene that taps can lead to, so that nothing more has to be asked."""

    game: str
    title: str
    steps: int
    """How many taps it takes."""
    scored: bool
    """Whether the score decides the game."""
    scenes: list[SceneInfo]
    """The first one first; they refer to each other by their place in this list, and to the boards in `views`."""
    views: list[View]


def describe_lesson(game: Game) -> LessonInfo:
    """A game's lesson, for a page that plays it by itself."""
    scenes = {scene: number for number, scene in enumerate(all_scenes(game))}
    views: dict[View, int] = {}

    def place(view: View) -> int:
        return views.setdefault(view, len(views))

    def describe_tap(scene: Scene, cell: int) -> TapInfo:
        answer = scene.tap(cell)
        following = scenes[answer.next] if answer.next else None
        return TapInfo(answer.text, [place(view) for view in answer.views], following)

    described = [
        SceneInfo(
            step=scene.number,
            text=scene.text,
            view=place(scene.view),
            lit=[scene.position.label(cell) for cell in split(scene.lit)],
            taps={
                scene.position.label(cell): describe_tap(scene, cell)
                for cell in split(scene.wanted | scene.position.legal)
            },
            effects=effects(scene.position),
        )
        for scene in scenes
    ]
    return LessonInfo(
        game.name, tr(game.title), len(game.lesson), game.territory or game.target > 0, described, list(views)
    )
