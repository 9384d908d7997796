"""Puzzles for an assistant. A puzzle's ID says all that makes it, so nothing is remembered between two calls."""

import random
from datetime import date

from quintet.games import GAMES
from quintet.llm.mcp.answers import PuzzleState, Verdict
from quintet.llm.mcp.cells import cell_name, cell_names, list_cells, on_screen
from quintet.llm.mcp.players import InvalidRequest
from quintet.notation import InvalidMove, read_turn
from quintet.rules import IllegalMove
from quintet.study.puzzles import HARDEST, NoPuzzle, Puzzle, check_day, judge, make_puzzle, puzzle_of_the_day, today

SEEDS = 1_000_000


def new_id(game: str, rating: int | None) -> str:
    """The ID of a puzzle that was not asked for before: of a game, or today's."""
    if rating is not None and not 0 <= rating <= HARDEST:
        raise InvalidRequest(f"rating must be from 0 to {HARDEST}")
    if not game:
        if rating is not None:
            raise InvalidRequest("rating needs a game; without both it is the puzzle of the day")
        return today().isoformat()
    return f"{game}:{random.randrange(SEEDS)}" + ("" if rating is None else f":{rating}")


def find_puzzle(id: str) -> Puzzle:
    """The puzzle of an ID."""
    game, *numbers = id.split(":")
    try:
        if (
            game in GAMES
            and all(number.isdecimal() and len(number) < 10 for number in numbers)
            and 1 <= len(numbers) <= 2
        ):
            return make_puzzle(game, *map(int, numbers))
        day = date.fromisoformat(id)
        check_day(day, today())
        return puzzle_of_the_day(day)
    except NoPuzzle as error:
        raise InvalidRequest(str(error)) from None
    except ValueError:
        raise InvalidRequest(f"no puzzle with the ID {id[:40]!r}: use the ID that puzzle returned") from None


def show_puzzle(id: str) -> PuzzleState:
    """A puzzle with its board and what is asked for."""
    puzzle = find_puzzle(id)
    position = puzzle.position
    game, size, board = position.game, position.board.size, str(on_screen(position))
    legal = f"Legal moves: {list_cells(position)}."
    head = f"Puzzle {id}: {game.title} {size}, rating {puzzle.rating} of {HARDEST}."
    return {
        "puzzle": id,
        "game": game.name,
        "size": size,
        "rating": puzzle.rating,
        "goal": puzzle.goal,
        "board": board,
        "legal_moves": cell_names(position, position.moves),
        "text": f"{head}\n\n{board}\n\n{puzzle.goal} {legal}",
    }


def judge_answer(id: str, text: str) -> Verdict:
    """Whether a move solves a puzzle, and why."""
    puzzle = find_puzzle(id)
    position = puzzle.position
    try:
        (move,), _ = read_turn(position, text, cell_name)
    except (InvalidMove, IllegalMove) as error:
        raise InvalidRequest(f"{error} Legal moves: {list_cells(position)}.") from None
    right, why = judge(puzzle, move, name=cell_name)
    return {"right": right, "move": cell_name(position, move), "text": why}
