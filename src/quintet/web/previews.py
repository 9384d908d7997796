"""Previews of links: what other sites and messengers show of an address, from tags in the head of the page."""

import asyncio
import re
from datetime import date
from html import escape
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

from starlette.requests import Request

from quintet.engines import HUMAN
from quintet.errors import QuintetError
from quintet.language import later, tr
from quintet.pictures import CARD
from quintet.store.online_matches import OnlineMatch
from quintet.study.puzzles import today
from quintet.view import ending, goal, status
from quintet.web import messages
from quintet.web.hosts import port_of, shared_url
from quintet.web.match_routes import lobby_of, own_port
from quintet.web.picture_routes import find_match
from quintet.web.players import titles_of
from quintet.web.study_answers import make_match

SECONDS = 1.0
"""The time to find a match; then the page is sent with the general preview."""
ID = re.compile(r"[0-9a-z]{1,20}")
OPTIONS = ("size", "target", "values", "shuffle", "first", "position", "moves")
ABOUT = later("Play a friend or an engine, and see the exact value of every move.")
PUZZLE = later("The same for everybody today. Can you find the best move?")


class Preview(NamedTuple):
    """What is shown of an address."""

    title: str
    about: str
    picture: str
    """The path of its picture."""


async def preview_tags(request: Request) -> str:
    """The tags for the address of a request. Whatever is wrong with it, the page itself is sent."""
    base = str(request.base_url)
    base = shared_url(base, request.app.state.listening_on, own_port(request)) or base
    if port_of(urlsplit(base)) is None:  # The host was checked before, but not what stands for its port.
        return ""
    try:
        async with asyncio.timeout(SECONDS):
            preview = await find_preview(request)
    except (QuintetError, TimeoutError):
        preview = general_preview()
    asked = f"?{request.url.query}" if request.url.query else ""
    return write_tags(preview, base.rstrip("/"), request.url.path + asked)


def general_preview() -> Preview:
    """The preview of every other address."""
    return Preview(tr("Quintet: small games, played perfectly"), tr(ABOUT), "/api/games/picture.png")


async def find_preview(request: Request) -> Preview:
    """The preview of an address."""
    word, _, rest = request.url.path.strip("/").partition("/")
    if word in ("match", "review") and ID.fullmatch(rest):
        return match_preview(await find_match(lobby_of(request), rest))
    if word == "explore" and rest:
        return position_preview(request, rest)
    if word in ("daily", "puzzles"):
        day = read_day(request.query_params.get("day", ""))
        picture = f"/api/puzzles/daily/picture.png?{urlencode({'day': day.isoformat()})}"
        return Preview(tr("Quintet: the puzzle of the day"), tr(PUZZLE), picture)
    return general_preview()


def match_preview(online: OnlineMatch) -> Preview:
    """The preview of a match: an invitation while a seat is free."""
    match, titles = online.match, titles_of(online)
    game = tr(match.position.game.title)
    picture = f"/api/matches/{online.id}/picture.png?shape=card"
    free = [player for player, seat in online.seats.items() if seat.who == HUMAN and seat.token_hash is None]
    if free:
        hosts = [seat.name for player, seat in online.seats.items() if player not in free and seat.name]
        invited = tr("{name} invites you to {game}", name=titles[2 - free[0]], game=game) if hosts else ""
        title = invited or tr("You are invited to {game}", game=game)
        return Preview(title, goal(match.position), picture)
    title = tr("{game}: {one} against {two}", game=game, one=titles[0], two=titles[1])
    about = ending(match, titles) if match.outcome else status(match, titles)
    return Preview(title, about, picture)


def position_preview(request: Request, name: str) -> Preview:
    """The preview of a position in the explorer."""
    given = {key: value for key in OPTIONS if (value := request.query_params.get(key, ""))}
    if sum(map(len, given.values())) > messages.LONGEST_LIST:
        return general_preview()
    target, shuffle, first = (read_number(given.get(key, "")) for key in ("target", "shuffle", "first"))
    text = given.get
    match = make_match(
        name, text("size"), target, text("values"), shuffle, first or 1, text("moves", ""), text("position")
    )
    game = match.position.game
    picture = f"/api/picture.png?{urlencode({'game': game.name, **given, 'shape': 'card'})}"
    return Preview(tr("Explore {game}", game=tr(game.title)), goal(match.position), picture)


def read_number(text: str) -> int | None:
    """A number in an address; `None` if it is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 17 else None


def read_day(text: str) -> date:
    """A date; today if the text is none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return today()


def write_tags(preview: Preview, origin: str, path: str) -> str:
    """A preview as HTML. Everything in it may have been typed by a stranger."""
    picture = origin + preview.picture
    facts = {
        "og:type": "website",
        "og:site_name": "Quintet",
        "og:title": preview.title,
        "og:description": preview.about,
        "og:url": origin + path,
        "og:image": picture,
        "og:image:type": "image/png",
        "og:image:width": str(CARD[0]),
        "og:image:height": str(CARD[1]),
        "og:image:alt": preview.title,
    }
    lines = [f'<meta property="{name}" content="{escape(value)}">' for name, value in facts.items()]
    lines.append('<meta name="twitter:card" content="summary_large_image">')
    return "\n  ".join(lines)
