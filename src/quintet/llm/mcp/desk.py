"""The desk an assistant comes to: matches begun, played on and looked up, all kept in the store.

Nothing is remembered between two questions but what the store holds. So a server that was killed has lost nothing, any
number of servers and terminals may look after the same matches, and whoever comes second is told what the first did.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from weakref import WeakValueDictionary

from quintet.drawing.png import png
from quintet.games import GAMES, UnknownGame, find_game
from quintet.llm.mcp import coaching
from quintet.llm.mcp.assistant_session import AssistantSession
from quintet.llm.mcp.seats import ASSISTANT, PERSON, Refusal, check_company, check_seat
from quintet.llm.mcp.wording import describe_match, turn
from quintet.match import Match
from quintet.notation import write_moves
from quintet.options import InvalidOptions, start
from quintet.record import UNFINISHED
from quintet.rules import Game
from quintet.store.database import StoreFault
from quintet.store.matches import Store
from quintet.store.rows import UnknownMatch
from quintet.study.analysis import count_moves
from quintet.view import gained

MOST_MATCHES = 100
OPENERS = {"1": 1, "2": 2}


class Desk:
    """What can be asked about games and matches. Answers are text; what cannot be done is a `Refusal`."""

    def __init__(self, url: str | None = None) -> None:
        """Know where matches are kept; by default where `QUINTET_DATABASE` says."""
        self._url = url
        self._store: Store | None = None
        self._lock = Lock()
        self._turns: WeakValueDictionary[str, Lock] = WeakValueDictionary()

    def close(self) -> None:
        """Give back the store."""
        if self._store:
            self._store.close()

    # Games.

    def list_games(self) -> str:
        """The games, one on a line."""
        return "\n".join(f"{game.name} ({start(game).board.size}): {game.summary}" for game in GAMES.values())

    def read_rules(self, game: str) -> str:
        """The rules page of a game."""
        found = self.game(game)
        return f"# {found.title}\n\n{found.manual}\n```\n{start(found)}\n```"

    def game(self, name: str) -> Game:
        """The game of that name, also as people write it."""
        try:
            return find_game("-".join(name.lower().replace("-", " ").replace("_", " ").split()))
        except UnknownGame as error:
            raise Refusal(str(error)) from None

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
    ) -> str:
        """Begin a match; an engine that begins has moved."""
        names = check_company((check_seat(player1), check_seat(player2)))
        opener = random.choice((1, 2)) if first == "random" else OPENERS.get(first)
        if opener is None:
            raise Refusal(f"who begins is 1, 2 or random, not {first[:20]!r}")
        try:
            # A list of values may come in brackets.
            position = start(self.game(game), size or None, target, values.strip("[] ") or None, shuffle, opener)
        except InvalidOptions as error:
            raise Refusal(str(error)) from None
        with self.store() as store:
            id = store.begin(Match(position, names=names))
        return self.go_on(id)

    def resume_match(self, id: str, player1: str = "", player2: str = "") -> str:
        """Go on with a match, with other players where they are named; an engine whose turn it is has moved."""
        match = self.match(id)
        if match.outcome:
            raise Refusal(f"{turn(match)} review looks back at it; start_match begins another.")
        named = [check_seat(who) if who else kept for who, kept in zip((player1, player2), match.names, strict=True)]
        names = check_company((named[0], named[1]))
        if names != match.names:
            with self.store() as store:
                store.rename(id, names)
        return self.go_on(id)

    def go_on(self, id: str) -> str:
        """Let engines move until somebody has to be asked."""
        with self.session(id) as session:
            since = session.match.ply
            session.go_on()
            return describe_match(id, session.match, since)

    def show_board(self, id: str) -> str:
        """The board of a match and whose turn it is."""
        return describe_match(id, self.match(id))

    def show_picture(self, id: str) -> bytes:
        """The board of a match as PNG."""
        match = self.match(id)
        return png(match.position.pixels(gained(match, match.last_claim())))

    def draw_picture(self, id: str) -> str:
        """The board of a match as SVG."""
        match = self.match(id)
        return match.position.picture(gained(match, match.last_claim()))

    def legal_moves(self, id: str) -> str:
        """What may be played, as moves are written, with semicolons between."""
        match = self.match(id)
        return turn(match) if match.outcome else write_moves(match.position, match.position.moves)

    def play_move(self, id: str, move: str) -> str:
        """Play a move for whoever's turn it is; an engine answers at once."""
        with self.session(id) as session:
            since = session.match.ply
            session.tell(move)
            return describe_match(id, session.match, since)

    def undo_move(self, id: str) -> str:
        """Take back the last move that was told, with an engine's answer to it; or a resignation."""
        with self.session(id) as session:
            taken = session.undo()
            what = write_moves(session.match.position, taken) or "the resignation"
            return f"Took back {what}.\n\n{describe_match(id, session.match)}"

    def resign_match(self, id: str, player: int | None = None) -> str:
        """A player gives up, by default the one to move."""
        with self.session(id) as session:
            session.resign(player)
            return describe_match(id, session.match)

    def list_matches(self, limit: int = 10, unfinished: bool = False) -> str:
        """The matches played last, latest first."""
        if not 1 <= limit <= MOST_MATCHES:
            raise Refusal(f"limit must lie between 1 and {MOST_MATCHES}")
        with self.store() as store:
            entries = store.entries(limit, unfinished)
        rows = [
            f"{entry.id}: {entry.game} {entry.size}, {' against '.join(entry.names)}, {count_moves(entry.plies)}, "
            f"{'unfinished' if entry.result == UNFINISHED else entry.result}, {entry.updated:%Y-%m-%d %H:%M} UTC"
            for entry in entries
        ]
        return "\n".join(rows) or "No such match is kept yet; start_match begins one."

    # What moves are worth.

    def hint(self, id: str, seconds: float) -> str:
        """A good move for the player to move, and why."""
        return coaching.hint_for(self.match(id), seconds)

    def analyze(self, id: str, seconds: float) -> str:
        """What every move is worth now."""
        return coaching.analysis_of(self.match(id), seconds)

    def review(self, id: str, seconds: float) -> str:
        """Every move so far, graded."""
        return coaching.review_of(self.match(id), seconds)

    # How matches are kept.

    def match(self, id: str) -> Match:
        """The match of that id, as it is kept now."""
        with self.store() as store:
            try:
                return store.load(id)
            except UnknownMatch:
                raise Refusal(f"there is no match {id[:40]!r}: list_matches names those there are") from None

    @contextmanager
    def session(self, id: str) -> Iterator[AssistantSession]:
        """A match to be changed, by one at a time."""
        with self._lock:
            mine = self._turns.setdefault(id, Lock())
        with mine, self.store() as store:
            match = self.match(id)
            check_company(match.names)
            session = AssistantSession(id, match, store)
            try:
                yield session
            finally:
                session.close()

    @contextmanager
    def store(self) -> Iterator[Store]:
        """The store, opened with the first question; what is wrong with it is a refusal."""
        try:
            with self._lock:
                self._store = self._store or Store(self._url)
            yield self._store
        except StoreFault as error:
            raise Refusal(str(error)) from None
