"""What a bot's player shows while he plays: his tables on a terminal, or a line for each thing that happens."""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import Any, Protocol, TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from app.kit.answers import TableView
from app.kit.game import Game, name_of
from app.kit.session import Session
from app.kit.telling import QUIET, Repeats, line, machine_line

OVER = 10.0
"""Seconds over which moves a second are counted."""
LONG = 2.0
"""Seconds of thinking that are worth a line."""
COLUMNS = ("table", "game", "against", "score", "hand", "turn", "moves", "last")
ONLY_WIDE = ("game", "moves")
"""Columns that are left out where the others would not be whole."""
WIDE = 110
"""Characters in a line that have room for all columns."""
RECENT = 6
"""Lines of what happened last."""
SAY_AGAIN_AFTER = 10.0
"""Seconds until one more failed try is worth a line."""
LEAVING = (
    "Ctrl-C: no new games, finish the running hands, then leave. Twice: leave at once. A stand-in plays on for us."
)
FINISHING = (
    "No new games; leaving when the running hands are over, and a stand-in plays on. Ctrl-C again: leave at once."
)

NOTHING_RUNS = "No new games; leaving. Ctrl-C again: leave at once."


class Display(Protocol):
    """Where it is shown."""

    def heard(self, kind: str, table: str, told: dict[str, Any]) -> None:
        """Something happened; called from any thread."""

    def show(self, session: Session) -> None:
        """Called several times a second."""

    def close(self, session: Session) -> None:
        """The last call."""


class Lines:
    """A line for each thing, for people or for machines."""

    def __init__(self, out: TextIO, *, as_json: bool) -> None:
        self._out = out
        self._as_json = as_json
        self._lock = threading.Lock()
        self._repeats = Repeats()
        self._sighed_at = 0.0
        self._finishing = False

    def heard(self, kind: str, table: str, told: dict[str, Any]) -> None:
        """Print it, unless people have heard enough of the kind."""
        if not self._as_json:
            if kind in QUIET:
                return
            if kind == "trouble":
                said = self._repeats.told(told)
                if said is None:
                    return
                told = said
            if kind == "no answer":
                if time.monotonic() - self._sighed_at < SAY_AGAIN_AFTER:
                    return
                self._sighed_at = time.monotonic()
        text = machine_line(kind, table, told) if self._as_json else timed(line(kind, table, told))
        with self._lock:
            self._out.write(text + "\n")
            self._out.flush()

    def show(self, session: Session) -> None:
        """Say once that the end is near."""
        if session.finishing and not self._finishing:
            self._finishing = True
            self.heard("finishing", "", {"text": finishing(session)})

    def close(self, session: Session) -> None:
        """Print the sums."""
        self.heard("sums", "", {"text": sums(session), **session.counted, "tables_left": session.counted.left})


class Screen:
    """The tables and the sums, live on a terminal."""

    def __init__(self, title: str, out: TextIO) -> None:
        self._title = title
        self._console = Console(file=out)
        self._recent: deque[str] = deque(maxlen=RECENT)
        self._moved: deque[float] = deque()
        self._repeats = Repeats()
        self._tries = 0
        self._began = time.monotonic()
        self._live = Live(console=self._console, auto_refresh=False, transient=True)
        self._live.start()

    def heard(self, kind: str, table: str, told: dict[str, Any]) -> None:
        """Remember it for the next look."""
        if kind == "moved":
            self._moved.append(time.monotonic())
        if kind == "no answer":
            self._tries += 1
        if kind == "trouble":
            said = self._repeats.told(told)
            if said is None:
                return
            told = said
        if kind == "ended":
            self._console.print(Text(timed(line(kind, table, told))))  # it stays above the live tables
        elif kind not in (*QUIET, "hand ended"):
            self._recent.append(timed(line(kind, table, told)))

    def show(self, session: Session) -> None:
        """Draw it anew."""
        self._live.update(self._picture(session), refresh=True)

    def close(self, session: Session) -> None:
        """Leave the sums on the screen."""
        self._live.stop()
        self._console.print(Text(f"{self._title}\n{sums(session)}"))

    def _picture(self, session: Session) -> RenderableType:
        now = time.monotonic()
        while self._moved and now - self._moved[0] > OVER:
            self._moved.popleft()
        games = sorted(session.games, key=lambda game: game.id)
        room = max(3, self._console.height - RECENT - 9)
        columns = COLUMNS if self._console.width >= WIDE else tuple(name for name in COLUMNS if name not in ONLY_WIDE)
        grid = Table(expand=True, box=None, padding=(0, 1, 0, 0), pad_edge=False)
        for name in columns:
            grid.add_column(name, no_wrap=True, overflow="ellipsis", ratio={"against": 2, "last": 3}.get(name))
        for game in games[:room]:
            cells = row(game)
            grid.add_row(*(Text(cells[name]) for name in columns))  # a name may look like markup
        more = [Text(f"… and {len(games) - room} more", style="dim")] if len(games) > room else []
        waiting = [Text("waiting for a game …", style="dim")] if not games else []
        rate = len(self._moved) / min(OVER, max(1.0, now - self._began))
        since = session.thinking_since
        if since is not None and now - since > LONG:
            more.append(Text(f"the bot has been thinking for {now - since:.0f} s", style="yellow"))
        state = Text(f"{sums(session)} · {rate:.1f} moves/s · feed: {session.feed.way} · tries again: {self._tries}")
        hint = Text(
            finishing(session) if session.finishing else LEAVING, style="bold yellow" if session.finishing else "dim"
        )
        recent = [Text(told, style="dim", no_wrap=True, overflow="ellipsis") for told in tuple(self._recent)]
        return Group(Text(self._title, style="bold"), grid, *waiting, *more, Text(), state, *recent, hint)


def finishing(session: Session) -> str:
    """What is waited for once nothing new is begun."""
    return FINISHING if session.games else NOTHING_RUNS


def timed(text: str) -> str:
    """The line with the time of the day before it."""
    return f"{time.strftime('%H:%M:%S')} {text}"


def row(game: Game) -> dict[str, str]:
    """A game's line on the screen, by column."""
    cells = dict.fromkeys(COLUMNS, "") | {"table": game.id, "last": game.last_event}
    view = game.view
    if view is None:
        return cells
    own = game.seat
    return cells | {
        "game": view.ruleset.id,
        "against": ", ".join(name_of(view, number) for number in range(view.players) if number != own),
        "score": _score(view, own),
        "hand": "" if view.hand is None else str(view.hand.number),
        "turn": _turn(view, own),
        "moves": str(game.moves),
    }


def _score(view: TableView, own: int | None) -> str:
    """Ours first, then the target."""
    side = None if own is None else view.seats[own].side
    scores = list(view.scores)
    first = [] if side is None else [scores.pop(side)]
    return ":".join(map(str, first + scores)) + f" / {view.target}"


def _turn(view: TableView, own: int | None) -> str:
    if view.status == "open":
        return "waiting"
    if view.hand is None or view.hand.turn is None:
        return "-"
    return "ours" if view.hand.turn == own else "theirs"


def sums(session: Session) -> str:
    """Everything counted, in a line."""
    told = session.counted
    text = f"won {told['won']}, lost {told['lost']}, drawn {told['drawn']}"
    text += f" · {told['moves']} moves · crashes {told['crash']} · illegal {told['illegal']}"
    left = f" ({', '.join(told.left)})" if told.left else ""
    more = {
        "abandoned": told["abandoned"],
        "left": told["left"],
        "given up": told["given up"],
        "out of time": told["timed out"],
        "refused": told["refused"],
    }
    told_more = (f" · {name} {number}" + (left if name == "left" else "") for name, number in more.items() if number)
    return text + "".join(told_more)
