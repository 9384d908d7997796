"""Golden playthroughs: a whole game of each kind, every position in full, exactly as it was."""

from boards import every_game
from goldens import DATA, playthrough
from quintet.games import GAMES
from quintet.rules import Game


@every_game
def test_playthrough(game: Game) -> None:
    assert playthrough(game) == (DATA / "playthroughs" / f"{game.name}.txt").read_text()


def test_none_is_left_over() -> None:
    assert {path.stem for path in (DATA / "playthroughs").iterdir()} == set(GAMES)
