"""Plays a bot on a running server."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
import threading
import time
from pathlib import Path
from typing import Any, NoReturn

import click
from msgspec import Struct
from msgspec.structs import replace

from app.bots.files import UnusableBot
from app.cli.bot_options import LONGEST_NAME, Field, Name, Seconds, check, given_token, server_address, wishes_of
from app.cli.errors import CannotStartError
from app.cli.interrupts import Interrupts
from app.kit.answers import TableView
from app.kit.bot import Bot
from app.kit.display import Display, Lines, Screen
from app.kit.gamelog import own_folder
from app.kit.server import NoAnswer, Refused, Server
from app.kit.session import Session
from app.kit.tokens import TokenFile, UnusableToken, hinted, token_path

PATIENCE = 15.0
"""Seconds until the server must have answered for the first time."""
LOOKS = 0.2
"""Seconds between two looks at what is going on."""
INTERRUPTED = 130
"""Exit code of whoever left at once."""


class Me(Struct, frozen=True, kw_only=True):
    id: str
    name: str


class Made(Struct, frozen=True, kw_only=True):
    player: Me
    token: str


@click.command(context_settings={"show_default": True})
@click.argument("bot")
@click.option("--url", envvar="ALLFIVES_URL", default="http://127.0.0.1:8000", help="The server.")
@click.option(
    "--token",
    envvar="ALLFIVES_TOKEN",
    help="The player's. A token on a command line can be read by everyone on the machine (`ps`): better set "
    "ALLFIVES_TOKEN, or leave it out.",
)
@click.option("--name", type=Name(), help="Of the player that is made where there is no token. [default: the bot's]")
@click.option(
    "--token-file",
    type=click.Path(path_type=Path),
    help="Where that player's token is kept. [default: a file of that server and name in the user's settings]",
)
@click.option("--new", is_flag=True, help="Make a new player in place of the one whose token is kept.")
@click.option("--ruleset", default="all-fives", help="What to play.")
@click.option("--players", type=click.IntRange(2, 4), default=2, help="Seats at a table.")
@click.option("--seating", type=click.Choice(["solo", "pairs"]), help="[default: as the rule set has it]")
@click.option("--house-rule", "house_rules", type=Field(), multiple=True, help="A field of the rule set to override.")
@click.option("--clock", type=Field(), multiple=True, help="A time of the table, such as turn_seconds=30.")
@click.option("--bots-after", type=Seconds(0, 600), help="Seconds until the service's bots take free seats.")
@click.option("--bots", "level", default="medium", help="Level of those bots.")
@click.option("--tables", type=click.IntRange(1, 200), default=1, help="Games at the same time.")
@click.option("--games", type=click.IntRange(1), help="Games in all. [default: until Ctrl-C]")
@click.option("--table", help="Id of a table to sit down at; nothing else is played.")
@click.option("--invite", help="Invite code of that table.")
@click.option("--no-tickets", is_flag=True, help="Look for no games; wait for invitations.")
@click.option(
    "--invitations",
    type=click.Choice(["same", "any", "none"]),
    default="same",
    help="Which are accepted: to the rules and players asked for here, all, or none.",
)
@click.option("--logs", type=click.Path(path_type=Path), default=Path("bot-logs"), help="Folder of the logs.")
@click.option("--seed", type=int, help="Of the bot's chances. [default: a new one each time]")
@click.option("--json", "as_json", is_flag=True, help="JSON lines, for machines.")
def bot(
    *,
    bot: str,
    url: str,
    token: str | None,
    name: str | None,
    token_file: Path | None,
    new: bool,
    invite: str | None,
    no_tickets: bool,
    logs: Path,
    seed: int | None,
    as_json: bool,
    **wanted: Any,
) -> None:
    """Play BOT on a running server: a Python file with a function choose(view), or one of our levels.

    It takes tickets and invitations, plays at --tables tables at once, and takes up games that were left running. Every
    game is logged in a file of its own, in a folder of the player's. When the function crashes, or its move is not
    legal, the first legal move is played, and `troubles.jsonl` beside the logs has the view.

    Ctrl-C: no new games; the running hands are finished, then the seats are left, where a stand-in plays on. Twice: the
    seats are left at once. docs/bots.md tells how to write a bot.
    """
    out = sys.stdout
    # Whatever the bot prints is not what this command has to tell.
    with contextlib.redirect_stdout(sys.stderr):
        url = server_address(url)
        token = given_token(token)
        wishes = wishes_of(tickets=not no_tickets, **wanted)
        player = _bot(bot, logs, seed)
        enough = threading.Event()
        shown: list[Display] = []

        def heard(kind: str, table: str, told: dict[str, Any]) -> None:
            for display in shown:
                display.heard(kind, table, told)

        def tell(why: NoAnswer, tries: int) -> None:
            if not shown and why.is_hopeless:
                raise CannotStartError(f"{url}: {why}")
            if not shown and tries == 1:
                click.echo(f"allfives: {url}: {why}; trying for {PATIENCE:.0f} s", err=True)
            heard("no answer", "", {"why": str(why), "tries": tries})

        nobody = Server(url, enough=enough, tell=tell)
        name = (name or player.name)[:LONGEST_NAME]
        with contextlib.ExitStack() as held:
            kept = None if token else _token_file(token_file, url, name, held)
            try:
                check(wishes, nobody, PATIENCE)
                server, me, how = _player(nobody, token, kept, name, new=new)
                folder = _own_folder(logs, me, held)
                wishes = replace(wishes, table=_sit_down(server, wishes.table, invite))
            except UnusableToken as error:
                raise CannotStartError(str(error)) from None
            except (Refused, NoAnswer) as error:
                raise CannotStartError(f"{url}: {error}") from None
            except KeyboardInterrupt:
                sys.exit(INTERRUPTED)
            session = Session(server, player, wishes, folder, heard, enough=enough)
            title = f"{player.name} plays as {me.name} ({me.id}) at {url}\n{how}; logs in {folder}"
            screen = out.isatty() and not as_json
            shown.append(Screen(title, out) if screen else Lines(out, as_json=as_json))
            if not screen:
                heard("begin", "", {"text": title.replace("\n", ", "), "player": me.id, "name": me.name})
            _play(session, shown[0])


def _bot(name: str, logs: Path, seed: int | None) -> Bot:
    """The bot, once it is sure that nothing on this side is in the way."""
    try:
        logs.mkdir(parents=True, exist_ok=True)
        return Bot.named(name, seed=secrets.randbits(63) if seed is None else seed)
    except UnusableBot as error:
        raise CannotStartError(str(error)) from None
    except OSError as error:
        raise CannotStartError(f"{logs} cannot be written: {error.strerror}") from None
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _token_file(path: Path | None, url: str, name: str, held: contextlib.ExitStack) -> TokenFile:
    try:
        kept = TokenFile(path or token_path(Path(click.get_app_dir("allfives")) / "tokens", url, name))
    except UnusableToken as error:
        raise CannotStartError(str(error)) from None
    held.callback(kept.close)
    return kept


def _player(
    nobody: Server, token: str | None, kept: TokenFile | None, name: str, *, new: bool
) -> tuple[Server, Me, str]:
    """The player of the token given or kept, or a new one; and how that came about.

    Raises: UnusableToken, Refused, NoAnswer.
    """
    known = token or (kept.read() if kept is not None and not new else None)
    if known is None:
        assert kept is not None
        made = nobody.ask(Made, "POST", "/players", {"name": name, "kind": "bot"}, patience=PATIENCE)
        kept.write(made.token)
        return nobody.with_token(made.token), made.player, f"a new player, token {hinted(made.token)} in {kept.path}"
    server = nobody.with_token(known)
    try:
        me = server.ask(Me, "GET", "/me", patience=PATIENCE)
    except Refused as refused:
        if refused.status != 401:
            raise
        where = "this token" if kept is None else f"the token in {kept.path}"
        help_ = "" if kept is None else ": say --new to make a new player"
        raise CannotStartError(f"{nobody.url} does not know {where}{help_}") from None
    return server, me, f"token {hinted(known)}" + ("" if kept is None else f" from {kept.path}")


def _own_folder(logs: Path, me: Me, held: contextlib.ExitStack) -> Path:
    """The player's own among the logs."""
    try:
        return held.enter_context(own_folder(logs, me.id))
    except BlockingIOError:
        raise CannotStartError(f"{me.name} ({me.id}) is being played by another process that logs in {logs}") from None
    except OSError as error:
        raise CannotStartError(f"{logs / me.id} cannot be written: {error.strerror}") from None


def _sit_down(server: Server, table: str | None, invite: str | None) -> str | None:
    """Sit down at the table that was named; its id. Raises: Refused, NoAnswer."""
    if invite is not None and table is None:
        table = server.ask(TableView, "GET", f"/invites/{invite}", patience=PATIENCE).id
    if table is None:
        return None
    try:
        server.ask(TableView, "POST", f"/tables/{table}/seats", {"invite_code": invite}, patience=PATIENCE)
    except Refused as refused:
        if refused.code != "already_seated":
            raise
    return table


def _play(session: Session, display: Display) -> None:
    """Play until there is nothing more to do, or somebody has had enough."""
    with Interrupts() as interrupts:
        try:
            session.begin()
            heeded = 0
            while not session.done:
                display.show(session)
                if interrupts.number > heeded:
                    heeded = interrupts.number
                    (session.finish if heeded == 1 else session.leave_at_once)()
                time.sleep(LOOKS)
        finally:
            interrupts.ignore()
            session.end()
            display.close(session)
    if interrupts.number > 1:
        _vanish(INTERRUPTED)
    if session.failure is None:
        return
    if not isinstance(session.failure, Refused | NoAnswer | OSError):
        raise session.failure
    error = CannotStartError(f"stopped: {session.failure}")
    if session.thinking_since is None:
        raise error
    error.show()
    _vanish(error.exit_code)


def _vanish(code: int) -> NoReturn:
    """End without waiting for threads: a bot that hangs in one would keep the process. Every log is written."""
    sys.stdout.flush()
    os._exit(code)
