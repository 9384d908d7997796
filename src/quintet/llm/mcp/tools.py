"""The tools for assistants: start matches, play, look them up and study them. All state is in the store.

Nothing is remembered between two calls but what is in the store. So a server that was killed has lost nothing, and any
number of servers and terminals can manage the same matches.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from weakref import WeakValueDictionary

from quintet.drawing.png import png
from quintet.games import GAMES, UnknownGame, find_game
from quintet.llm.mcp import advice, puzzles
from quintet.llm.mcp.answers import (
    Analysis,
    Games,
    Hint,
    LegalMoves,
    MatchEntry,
    Matches,
    MatchState,
    PuzzleState,
    Review,
    Verdict,
)
from quintet.llm.mcp.assistant_session import AssistantSession
from quintet.llm.mcp.cells import cell_names, on_screen
from quintet.llm.mcp.descriptions import describe_match, describe_turn, quoted_name, state_of
from quintet.llm.mcp.players import ASSISTANT, PERSON, InvalidRequest, check_company, check_seat, player_of
from quintet.match import Match
from quintet.options import InvalidOptions, start
from quintet.record import UNFINISHED
from quintet.rules import Game
from quintet.safe_text import escape
from quintet.store.database import StoreFault
from quintet.store.matches import Store
from quintet.store.rows import Entry, UnknownMatch
from quintet.study.analysis import count_moves
from quintet.view import gained

MAX_MATCHES = 100
LONGEST_ERROR = 300
FIRST = {"1": 1, "2": 2}


class Tools:
    """What an assistant can ask for. Answers are data with a `text`; what cannot be done raises `InvalidRequest`."""

    def __init__(self, url: str | None = None) -> None:
        """Use the store at this URL; by default the one of `QUINTET_DATABASE`."""
        self._url = url
        self._store: Store | None = None
        self._lock = Lock()
        self._locks: WeakValueDictionary[str, Lock] = WeakValueDictionary()

    def close(self) -> None:
        """Close the store."""
        if self._store:
            self._store.close()

    # Games.

    def list_games(self) -> Games:
        """The games, in the text one per line."""
        sizes = {name: start(game).board.size for name, game in GAMES.items()}
        return {
            "games": [
                {"name": name, "title": game.title, "size": sizes[name], "summary": game.summary}
                for name, game in GAMES.items()
            ],
            "text": "\n".join(f"{name} ({sizes[name]}): {game.summary}" for name, game in GAMES.items()),
        }

    def read_rules(self, game: str) -> str:
        """The rules page of a game."""
        found = self.game(game)
        return f"# {found.title}\n\n{found.manual}\n```\n{start(found)}\n```"

    def game(self, name: str) -> Game:
        """The game of a name, also with spaces or underscores."""
        try:
            return find_game("-".join(name.lower().replace("-", " ").replace("_", " ").split()))
        except UnknownGame as error:
            raise InvalidRequest(str(error)) from None

    # Matches.

    def start_match(
        self,
        game: str,
        player1: str = PERSON,
        player2: str = ASSISTANT,
        first: str = "1",
        size: str = "",
        target: int | None = None,
        values: str = "",
        shuffle: int | None = None,
    ) -> MatchState:
        """Start a match; an engine that goes first has moved."""
        names = check_seat(player1), check_seat(player2)
        players = check_company((player_of(player1), player_of(player2)))
        number = random.choice((1, 2)) if first == "random" else FIRST.get(first)
        if number is None:
            raise InvalidRequest(f"first must be 1, 2 or random, not {first[:20]!r}")
        try:
            # A list of values may come in brackets.
            position = start(self.game(game), size or None, target, values.strip("[] ") or None, shuffle, number)
        except InvalidOptions as error:
            raise InvalidRequest(str(error)) from None
        with self.store() as store:
            id = store.begin(Match(position, names=names), players)
        return self.continue_match(id)

    def resume_match(self, id: str, player1: str = "", player2: str = "") -> MatchState:
        """Continue a match, with other players if they are named; an engine whose turn it is has moved."""
        match = self.match(id)
        if match.outcome:
            raise InvalidRequest(f"{describe_turn(match)} Use review to study it, or start_match to start another.")
        with self.store() as store:
            saved = store.players(id)
            given = [check_seat(who) if who else "" for who in (player1, player2)]
            one, two = (player_of(who) if who else other for who, other in zip(given, saved, strict=True))
            players = check_company((one, two))
            if any(given):
                store.change_players(id, players, (given[0] or match.names[0], given[1] or match.names[1]))
        return self.continue_match(id)

    def continue_match(self, id: str) -> MatchState:
        """Let engines move until a person or an assistant is to move."""
        with self.session(id) as session:
            since = session.match.ply
            session.play_engines()
            return state_of(id, session.match, describe_match(id, session.match, since))

    def show_board(self, id: str) -> MatchState:
        """The board of a match and whose turn it is."""
        match = self.match(id)
        return state_of(id, match, describe_match(id, match))

    def show_picture(self, id: str) -> bytes:
        """The board of a match as PNG."""
        match = self.match(id)
        return png(on_screen(match.position).pixels(gained(match, match.last_claim())))

    def draw_picture(self, id: str) -> str:
        """The board of a match as SVG."""
        match = self.match(id)
        return on_screen(match.position).picture(gained(match, match.last_claim()))

    def legal_moves(self, id: str) -> LegalMoves:
        """The legal moves, in the text separated by semicolons."""
        match = self.match(id)
        if match.outcome:
            return {"moves": [], "text": describe_turn(match)}
        names = cell_names(match.position, match.position.moves)
        return {"moves": names, "text": "; ".join(names)}

    def play_move(self, id: str, move: str) -> MatchState:
        """Play a move for the player to move; an engine answers at once."""
        with self.session(id) as session:
            since = session.match.ply
            session.play_text(move)
            return state_of(id, session.match, describe_match(id, session.match, since))

    def undo_move(self, id: str) -> MatchState:
        """Take back a resignation, or the last move of a person or an assistant with the engine's answer."""
        with self.session(id) as session:
            taken = session.undo()
            match = session.match
            what = "; ".join(cell_names(match.position, taken)) or "the resignation"
            return state_of(id, match, f"Undone: {what}.\n\n{describe_match(id, match)}")

    def resign_match(self, id: str, player: int | None = None) -> MatchState:
        """A player resigns; by default the player to move."""
        with self.session(id) as session:
            session.resign(player)
            return state_of(id, session.match, describe_match(id, session.match))

    def list_matches(self, limit: int = 10, unfinished: bool = False) -> Matches:
        """The latest matches, latest first."""
        if not 1 <= limit <= MAX_MATCHES:
            raise InvalidRequest(f"limit must be from 1 to {MAX_MATCHES}")
        with self.store() as store:
            entries = store.entries(limit, unfinished)
        text = "\n".join(describe_entry(entry) for entry in entries) or "No saved matches yet: use start_match."
        return {"matches": [entry_of(entry) for entry in entries], "text": text}

    # Exact values.

    def hint(self, id: str, seconds: float) -> Hint:
        """A good move for the player to move, and why."""
        return advice.hint_for(self.match(id), seconds)

    def analyze(self, id: str, seconds: float) -> Analysis:
        """The value of every move."""
        return advice.analysis_of(self.match(id), seconds)

    def review(self, id: str, seconds: float) -> Review:
        """Every move so far, graded."""
        return advice.review_of(self.match(id), seconds)

    # Puzzles.

    def puzzle(self, game: str = "", rating: int | None = None, id: str = "") -> PuzzleState:
        """The puzzle of an ID, a new one of a game, near a rating if there is one, or today's."""
        return puzzles.show_puzzle(id or puzzles.new_id(game and self.game(game).name, rating))

    def answer_puzzle(self, id: str, move: str) -> Verdict:
        """Whether a move solves a puzzle, and why."""
        return puzzles.judge_answer(id, move)

    # The store.

    def match(self, id: str) -> Match:
        """The match of an id, as it is saved now."""
        with self.store() as store:
            try:
                return store.load(id)
            except UnknownMatch:
                raise InvalidRequest(f"no match with the ID {id[:40]!r}: list_matches lists them") from None

    @contextmanager
    def session(self, id: str) -> Iterator[AssistantSession]:
        """A match to be changed, by one caller at a time."""
        with self._lock:
            lock = self._locks.setdefault(id, Lock())
        with lock, self.store() as store:
            match, players = self.match(id), store.players(id)
            session = AssistantSession(id, match, check_company(players), store)
            try:
                yield session
            finally:
                session.close()

    @contextmanager
    def store(self) -> Iterator[Store]:
        """The store, opened on the first call; its faults are reported to the assistant."""
        try:
            with self._lock:
                self._store = self._store or Store(self._url)
            yield self._store
        except StoreFault as error:
            raise InvalidRequest(escape(str(error))[:LONGEST_ERROR]) from None


def entry_of(entry: Entry) -> MatchEntry:
    """A saved match as data."""
    id, game, size, result = (escape(text)[:40] for text in (entry.id, entry.game, entry.size, entry.result))
    players = [quoted_name(name) for name in entry.names]
    return {"match": id, "game": game, "size": size, "players": players, "moves": entry.plies, "result": result}


def describe_entry(entry: Entry) -> str:
    """A saved match on one line."""
    players, moves = " against ".join(map(quoted_name, entry.names)), count_moves(entry.plies)
    result = "unfinished" if entry.result == UNFINISHED else entry.result
    when = f"{entry.updated.astimezone():%Y-%m-%d %H:%M} (local time)"
    id, game, size, result = (escape(text)[:40] for text in (entry.id, entry.game, entry.size, result))
    return f"{id}: {game} {size}, {players}, {moves}, {result}, {when}"
