"""What is shown beside the board of a game: the players, the status, the moves, and the coach."""

from collections.abc import Container

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Label, Static

from quintet.effects import Claim
from quintet.engines.kinds import HUMAN, name_of, title_of
from quintet.language import tr
from quintet.rules import Game
from quintet.safe_text import escape
from quintet.terminal.board_layout import cell_name
from quintet.view import View, person_title

ROOM_FOR_BOTH = 30
"""Lines of a terminal that can show the goal and what the coach says."""


class PlayerCard(Static):
    """One player: mark, name, score, and whose turn it is."""

    def show(self, view: View, player: int, thinking: str, person: bool, after: int | None = None) -> None:
        """Update the card; `after` is the score after the claim that the cursor is on."""
        score = str(view.scores[player - 1])
        if after is not None:
            score += f"→{after}"
        if view.target:
            score += f" / {view.target}"
        width = max(16, self.content_size.width or 22)
        mark = " XO"[player]
        name = f"{mark}  {person_title(None, player)}"
        if cell_len(name) + len(score) >= width:
            name = mark
        who = view.names[player - 1]
        note = thinking or (escape(who) if person and who != HUMAN else title_of(who))
        if view.winner == player:
            note = tr("{player} · wins!", player=note if person else name_of(who))
        head = Content.styled(f"{name}{score:>{width - cell_len(name)}}", "bold")
        self.update(head + Content(f"\n   {note}"))
        self.set_class(view.player == player or view.winner == player, "turn")


class SidePanel(Vertical):
    """The panel beside the board."""

    def compose(self) -> ComposeResult:
        """The game, the players, the status, the moves, the coach."""
        yield Label(id="title")
        yield Static(id="summary", markup=False)
        yield PlayerCard(id="one", classes="card one")
        yield PlayerCard(id="two", classes="card two")
        yield Static(id="status", markup=False)
        with VerticalScroll(id="story", can_focus=False):
            yield Static(id="moves")
        with VerticalScroll(id="coach", can_focus=False):
            yield Static(id="advice")

    def show(self, view: View, thinking: str, people: Container[int], game: Game, claim: Claim | None = None) -> None:
        """Update everything but the coach; the player to move may be thinking, or have the cursor on a claim."""
        self.query_one("#title", Label).update(f"[b]{view.title}[/b] {view.size}")
        self.query_one("#summary", Static).update(view.goal)
        for player, id in ((1, "#one"), (2, "#two")):
            turn = view.player == player
            after = claim.scores[player - 1] if claim and turn and (claim.captured or game.target) else None
            card = self.query_one(id, PlayerCard)
            card.show(view, player, thinking if turn else "", player in people, after)
        status = self.query_one("#status", Static)
        status.update(view.status)
        self.query_one("#moves", Static).update("\n".join(move_lines(view)))
        self.query_one("#story", VerticalScroll).scroll_end(animate=False)

    def advise(self, text: str) -> None:
        """Show what the coach says, in place of the goal if there is no room for both; nothing hides the coach."""
        self.set_class(bool(text) and self.app.size.height < ROOM_FOR_BOTH, "crowded")
        self.query_one("#advice", Static).update(text)
        self.query_one("#coach").set_class(bool(text), "talking")


def move_lines(view: View) -> list[str]:
    """The moves so far, one column for each player, as markup."""
    lines: list[list[tuple[int, str]]] = []
    for turn in view.history:
        if lines and len(lines[-1]) == 1 and lines[-1][0][0] < turn[0]:
            lines[-1].append(turn)
        else:
            lines.append([turn])
    names = {cell.label: cell_name(view, i) for i, cell in enumerate(view.cells)}
    rows = []
    for number, line in enumerate(lines, 1):
        words = "".join(
            f"[{'$one' if player == 1 else '$two'}]{names.get(label, label):<7}[/]" for player, label in line
        )
        indent = " " * 7 if line[0][0] == 2 else ""
        rows.append(f"[$faint]{number:>3}[/]  {indent}{words}")
    return rows
