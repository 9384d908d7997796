"""Lessons, played through with every tap: all steps are reached, and what the texts say is what the rules do."""

import re
import string
from dataclasses import replace

import pytest

from boards import every_game
from quintet.board import split
from quintet.games import GAMES, find_game
from quintet.lesson import NUDGE, NoLesson, all_scenes, describe_lesson, first_scene
from quintet.rules import PASS, Game

LONGEST = 90
TAPS = range(3, 6)
"""How many taps a lesson takes."""
FIELDS = {"cells", "score1", "score2", "target"}


def texts(game: Game) -> list[str]:
    return [text for step in game.lesson for text in (step.say, step.then, step.retry) if text]


@every_game
def test_a_lesson_is_a_few_taps_in_short_sentences(game: Game) -> None:
    assert len(game.lesson) in TAPS
    assert len(set(texts(game))) == len(texts(game))
    for text in texts(game):
        assert {field for _, field, _, _ in string.Formatter().parse(text) if field} <= FIELDS
        assert text[0].isupper() and text[-1] in ".!?" and len(text) <= LONGEST
        # Numbers come from the rules, and cells are lit, not named.
        assert not re.search(r"\d|\b[A-H]\d\b", re.sub(r"{\w+}", "", text))


@every_game
def test_every_tap_leads_on_until_the_learner_wins(game: Game) -> None:
    reached = set()
    for scene in all_scenes(game):
        reached.add(scene.number)
        position, step = scene.position, scene.step
        assert position.player == 1 and not position.outcome
        assert scene.wanted and scene.wanted & ~scene.lit == 0
        free = position.board.full & ~(position.mine | position.theirs)
        for cell in split(free):
            answer = scene.tap(cell)
            assert 0 < len(answer.text) <= LONGEST and "{" not in answer.text
            if not cell & scene.wanted:
                assert answer.next is scene and not answer.views
                if not cell & position.legal:
                    assert answer.text == position.refusal(cell)
                elif not step.retry:
                    assert answer.text == NUDGE
            elif step.refused:
                assert not cell & position.legal and not answer.views
                assert "Not allowed" in answer.text
            else:
                assert "1 cells" not in answer.text
                assert ("You win" in answer.text or "you win" in answer.text) == scene.is_last == (answer.next is None)
                assert (answer.views[-1].winner == 1) == scene.is_last
                assert len(answer.views) == (1 if answer.views[0].result else 2)
    assert reached == set(range(len(game.lesson)))


@every_game
def test_a_choice_is_a_real_one(game: Game) -> None:
    """Where the learner can be wrong, all legal cells are lit, and some of them are wrong."""
    choices = [scene for scene in all_scenes(game) if scene.step.retry]
    assert choices
    for scene in choices:
        assert scene.lit == scene.position.legal and scene.wanted != scene.lit


@every_game
def test_the_description_holds_the_whole_lesson(game: Game) -> None:
    lesson = describe_lesson(game)
    assert (lesson.game, lesson.title, lesson.steps) == (game.name, game.title, len(game.lesson))
    scenes = list(all_scenes(game))
    assert len(lesson.scenes) == len(scenes)
    assert len(set(lesson.views)) == len(lesson.views)
    for info, scene in zip(lesson.scenes, scenes, strict=True):
        label = scene.position.label
        assert (info.step, info.text, lesson.views[info.view]) == (scene.number, scene.text, scene.view)
        assert info.lit == [label(cell) for cell in split(scene.lit)]
        assert set(info.taps) == {label(cell) for cell in split(scene.wanted | scene.position.legal)}
        for cell in split(scene.wanted):
            tap, answer = info.taps[label(cell)], scene.tap(cell)
            assert tap.text == answer.text
            assert [lesson.views[number] for number in tap.views] == list(answer.views)
            assert (None if tap.next is None else scenes[tap.next]) == answer.next


def test_the_tap_that_takes_the_most_is_the_one_asked_for() -> None:
    scene = next(scene for scene in all_scenes(find_game("grid-conquest")) if scene.step.retry)
    gains = {cell: scene.position.gain(cell).bit_count() for cell in scene.position.moves}
    assert scene.wanted == sum(cell for cell, gained in gains.items() if gained == max(gains.values()))


def test_the_first_of_the_two_cells_decides_the_game() -> None:
    scene = next(scene for scene in all_scenes(find_game("adjacent-claim")) if scene.step.retry)
    right, wrong = scene.wanted, scene.position.legal & ~scene.wanted
    after = scene.position.play(right)
    won, lost = after.play(PASS).play(wrong).outcome, scene.position.play(wrong).play(right).outcome
    assert won and won.winner == 1 and lost and lost.winner == 2


def test_a_game_without_a_lesson_says_so() -> None:
    with pytest.raises(NoLesson, match=r"^Gridlock has no lesson\.$"):
        first_scene(replace(GAMES["gridlock"], lesson=()))
