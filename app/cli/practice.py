"""Takes up a recorded game at any point, as a practice table: prints what to open, or opens it and plays up to it."""

from __future__ import annotations

from typing import Any

import click
import msgspec
import requests
from requests.exceptions import InvalidSchema, InvalidURL, MissingSchema

from app.cli.errors import CannotStartError
from app.cli.games import game_in
from app.engine.moves import Move
from app.plain import plain
from app.records.notation import placed
from app.records.practice import Made, NoSuchPoint, Point, point

SECONDS_TO_ANSWER = 30


@click.command()
@click.argument("file")
@click.option("--hand", type=click.IntRange(1), default=1, show_default=True, help="Number of the hand.")
@click.option("--move", type=click.IntRange(0), default=0, show_default=True, help="Moves already made in it.")
@click.option("--table", help="Id of the table, where the file has several games.")
@click.option("--seat", type=click.IntRange(0, 3), help="Yours; without it that of whoever moves next.")
@click.option("--url", help="A server to open the table on, like http://127.0.0.1:8000.")
@click.option("--token", envvar="ALLFIVES_TOKEN", help="Yours; without it a new player is made.")
def practice(
    *, file: str, hand: int, move: int, table: str | None, seat: int | None, url: str | None, token: str | None
) -> None:
    """Take up a recorded game at any point.

    Without --url it prints the body for POST /v1/tables: bots sit at the other seats and play on from the deal. For a
    point after the first move the other seats stay open, and the moves that lead there follow on standard error.

    With --url the table is opened, every seat is taken, the moves are played, and stand-ins take over the other seats.
    """
    record = game_in(file, table)
    try:
        there = point(record, hand, move)
    except NoSuchPoint as error:
        raise CannotStartError(str(error)) from None
    own = there.next.seat if seat is None else seat
    if own >= there.players:
        raise CannotStartError(f"the table has seats 0 to {there.players - 1}, not {own}")
    if url is not None:
        _open(there, own, url, token)
        return
    click.echo(msgspec.json.format(msgspec.json.encode(_body(there, own)), indent=2).decode())
    for made in there.made:
        click.echo(f"then seat {made.seat}: {msgspec.json.encode(_move(made)).decode()}", err=True)


def _body(there: Point, seat: int) -> dict[str, object]:
    return there.body if there.made else there.against_bots(seat)


def _move(made: Made) -> dict[str, object]:
    """The body of `POST …/moves`, what has no value left out."""
    move = made.move
    told = {"action": move.action, "tile": move.tile, "end": move.end, "announce": move.announce}
    body: dict[str, object] = {name: value for name, value in told.items() if value is not None}
    return {**body, "lengthwise": True} if move.lengthwise else body


def _told(made: Made) -> str:
    """What somebody did, in words.

    >>> _told(Made(1, Move(action="play", tile="50", end="55.up", announce=10)))
    'played 50>55.up and announced 10'
    """
    match made.move:
        case Move(action="play", tile=tile, end=end, lengthwise=lengthwise, announce=announce):
            announced = "" if announce is None else f" and announced {announce}"
            return f"played {placed(tile, end, lengthwise=bool(lengthwise))}{announced}"
        case Move(action="draw"):
            return "drew"
        case Move(action="pass"):
            return "passed"
        case _:
            return "called “Muggins!”"


def _open(there: Point, seat: int, url: str, token: str | None) -> None:
    """The table, played up to the point, with the caller at his seat and stand-ins at the others."""
    if token is not None and not (token.isascii() and token.isprintable() and " " not in token):
        raise CannotStartError("--token holds characters that no token has")
    root = url.rstrip("/") + "/v1"
    caller = _Player(root, token) if token else _Player.new(root, "Practice")
    opened = caller.call("POST", "/tables", there.body)
    others = {other: _Player.new(root, f"Seat {other}") for other in range(there.players) if other != seat}
    try:
        seated = {**others, seat: caller}
        for number, player in sorted(seated.items()):
            player.call("POST", f"/tables/{opened['id']}/seats", {"seat": number, "invite_code": opened["invite_code"]})
        for made in there.made:
            seated[made.seat].call("POST", f"/tables/{opened['id']}/moves", _move(made))
    finally:
        for player in others.values():  # whoever is gone is stood in for
            player.call("DELETE", "/me")
    click.echo(f"{root}/tables/{opened['id']}")
    click.echo(f"You sit at seat {seat}. In the game seat {there.next.seat} {_told(there.next)}.", err=True)
    if token is None:
        click.echo(f"Your token: {caller.token}", err=True)


class _Player:
    """Somebody with a token."""

    def __init__(self, root: str, token: str) -> None:
        self.token = token
        self._root = root

    @classmethod
    def new(cls, root: str, name: str) -> _Player:
        made = cls(root, "").call("POST", "/players", {"name": name, "kind": "human"})
        return cls(root, made["token"])

    def call(self, method: str, path: str, body: dict[str, object] | None = None) -> Any:
        """The parsed answer. Raises: CannotStartError with what the server said against it."""
        server = plain(self._root.removesuffix("/v1"))
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        try:
            answer = requests.request(
                method,
                self._root + path,
                data=None if body is None else msgspec.json.encode(body),
                headers={**headers, "Content-Type": "application/json"},
                timeout=SECONDS_TO_ANSWER,
            )
        except (InvalidSchema, InvalidURL, MissingSchema):
            message = f"--url {server} is no address of a server: write it like http://127.0.0.1:8000"
            raise CannotStartError(message) from None
        except requests.Timeout:
            raise CannotStartError(f"{server} did not answer within {SECONDS_TO_ANSWER} s") from None
        except requests.RequestException as error:
            raise CannotStartError(f"{server} does not answer ({_cause(error)})") from None
        if answer.status_code == 204:
            return None
        try:
            said = msgspec.json.decode(answer.content, type=dict[str, Any])
        except msgspec.DecodeError:
            what = f"{answer.status_code} {answer.reason}, and no JSON"
            raise CannotStartError(plain(f"{server} is no All Fives service: {method} {path} gives {what}")) from None
        if answer.status_code >= 400:
            why = f"{answer.status_code} {said.get('code', answer.reason)}: {said.get('detail', 'no reason is given')}"
            raise CannotStartError(plain(f"{method} {path}: {why}"))
        return said


def _cause(error: BaseException) -> str:
    """What is at the bottom of a library's error, in a few words."""
    while error.__context__ is not None:
        error = error.__context__
    return getattr(error, "strerror", None) or type(error).__name__
