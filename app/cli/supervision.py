"""Keeps the parts of the service running: supervisord in this process, with a configuration made here.

Its own means do the work: a program that dies is started again, stopping goes by priority (the store last), the web
server's socket stays open while its processes come and go. What we add: a hang-up of the terminal stops everything
instead of reloading, signals are acted on at once, and a program that cannot be kept running ends the whole.
"""

from __future__ import annotations

import fcntl
import os
import shlex
import signal
import socket
import subprocess
import tempfile
from configparser import RawConfigParser
from pathlib import Path

from supervisor import events
from supervisor.datatypes import SocketConfig
from supervisor.medusa import asyncore_25 as asyncore
from supervisor.options import ServerOptions
from supervisor.states import SupervisorStates
from supervisor.supervisord import Supervisor

from app.cli.processes import PYTHON, find_this_program_first
from app.config import Settings

LONGEST_BACKOFF = 5
"""Seconds between two tries to start a program that does not stay up."""

ENDED_BY_SIGNAL = -1
"""What supervisord takes for the exit code of a program that a signal ended."""

COMMON = {"redirect_stderr": "true", "killasgroup": "true", "startsecs": "1"}


def supervise(settings: Settings, listener: socket.socket) -> bool:
    """Run everything until a signal says to stop; whether it ended in good order.

    `settings.redis_url` of None adds the embedded store, and that of the queues unless `queue_url` names another.
    """
    find_this_program_first()
    _make_stdout_reopenable()
    with tempfile.TemporaryDirectory(prefix="allfives-") as folder:
        # Under a plain name: in supervisord's file " ;" begins a comment, and a data folder may be called anything.
        Path(folder, "store").symlink_to(settings.store_dir)
        Path(folder, "queue").symlink_to(settings.queue_dir)
        file = Path(folder, "supervisord.conf")
        with file.open("w", encoding="utf-8") as lines:
            configuration(settings, Path(folder)).write(lines)
        options = ServerOptions()
        options.realize(["-n", "-c", str(file)])
        options.first = True
        options.test = False
        for group in options.process_group_configs:
            if group.name == "web":
                group.socket_config = OpenSocket(listener)
        house = House(options)
        try:
            house.main()
        except asyncore.ExitNow:
            pass
        finally:
            options.close_logger()
    return house.ended_well


def configuration(settings: Settings, folder: Path) -> RawConfigParser:
    """Write supervisord's configuration; its own files go to `folder`, with links to the embedded stores' folders."""
    parser = RawConfigParser()

    def section(name: str, **options: str) -> None:
        parser[name] = options

    def command(*arguments: str) -> str:
        words = [*PYTHON, "app.cli", *arguments, "--parent", str(os.getpid())]
        return shlex.join(words).replace("%", "%%")

    section(
        "supervisord",
        nodaemon="true",
        logfile=os.devnull,
        logfile_maxbytes="0",
        loglevel="info" if settings.log_level == "debug" else "warn",
        pidfile=str(folder / "pid").replace("%", "%%"),
        nocleanup="true",
        minfds="64",
        minprocs="1",
        **({"user": "root"} if os.getuid() == 0 else {}),
    )
    terminal = COMMON | {"stdout_logfile": "/dev/fd/1", "stdout_logfile_maxbytes": "0", "autorestart": "true"}

    def store(name: str, *options: str) -> None:
        section(
            f"program:{name}",
            command=command("valkey", *options),
            priority="1",
            startretries="3",
            stopwaitsecs="60",
            **COMMON | {"autorestart": "true"},
            stdout_logfile=str(folder / name / "store.log").replace("%", "%%"),
            stdout_logfile_maxbytes="1MB",
            stdout_logfile_backups="1",
        )

    if settings.redis_url is None:
        store("store")
    if settings.has_queue_store:
        store("queue", "--queue")
    section("program:clock", command=command("clock"), startretries="20", stopwaitsecs="10", **terminal)
    section(
        "program:worker",
        command=command("worker"),
        numprocs=str(settings.workers),
        process_name="worker%(process_num)d" if settings.workers > 1 else "worker",
        startretries="20",
        stopwaitsecs="15",
        **terminal,
    )
    section("program:clerk", command=command("clerk"), startretries="20", stopwaitsecs="15", **terminal)
    section("group:background", programs="clock,worker,clerk", priority="2")
    section(
        "fcgi-program:web",
        command=command("web", "--listener", "0"),
        socket=f"tcp://127.0.0.1:{settings.port}",
        priority="3",
        startretries="20",
        stopwaitsecs="10",
        **terminal,
    )
    section(
        "program:announce",
        command=command("announce"),
        priority="4",
        **terminal | {"startsecs": "0", "autorestart": "false"},
    )
    return parser


class OpenSocket(SocketConfig):  # type: ignore[misc]
    """A socket that listens already; supervisord hands it to the web server as file descriptor 0."""

    def __init__(self, listener: socket.socket) -> None:
        self.url = "the web server's port"
        self.listener = listener

    def create_and_bind(self) -> socket.socket:
        """Another handle of the same socket: closing it leaves ours open, so no client is ever turned away."""
        return self.listener.dup()


class House(Supervisor):  # type: ignore[misc]
    """supervisord with the three habits the module's first lines name."""

    def __init__(self, options: ServerOptions) -> None:
        super().__init__(options)
        self.ended_well = True

    def runforever(self) -> None:
        events.subscribe(events.ProcessStateFatalEvent, self._give_up)
        events.subscribe(events.ProcessStateBackoffEvent, _limit_backoff)
        events.subscribe(events.ProcessStateStoppingEvent, _may_end_by_signal)
        signal.signal(signal.SIGHUP, lambda *_: self.options.signal_receiver.receive(signal.SIGTERM, None))
        with Waker():
            super().runforever()

    def _give_up(self, event: events.ProcessStateFatalEvent) -> None:
        if self.options.mood == SupervisorStates.RUNNING:
            line = f"{event.process.config.name} does not stay up, so everything stops; the lines above tell why"
            self.options.logger.critical(line)
            self.options.mood = SupervisorStates.SHUTDOWN
            self.ended_well = False


def _limit_backoff(event: events.ProcessStateBackoffEvent) -> None:
    process = event.process
    process.delay -= max(0, process.backoff - LONGEST_BACKOFF)


def _may_end_by_signal(event: events.ProcessStateStoppingEvent) -> None:
    """A part that is stopped while it starts ends by the signal itself, and that is not worth a warning."""
    event.process.config.exitcodes = [*event.process.config.exitcodes, ENDED_BY_SIGNAL]


class Waker(asyncore.file_dispatcher):  # type: ignore[misc]
    """Ends supervisord's wait of up to a second as soon as a signal comes, such as that of a child's death."""

    def __init__(self) -> None:
        self.wakes, self.woken = socket.socketpair()
        self.wakes.setblocking(False)
        self.woken.setblocking(False)
        super().__init__(self.woken.fileno())

    def __enter__(self) -> None:
        signal.set_wakeup_fd(self.wakes.fileno(), warn_on_full_buffer=False)

    def __exit__(self, *_: object) -> None:
        signal.set_wakeup_fd(-1)
        self.del_channel()

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return False

    def handle_read_event(self) -> None:
        self.woken.recv(4096)


def _make_stdout_reopenable() -> None:
    """See to it that supervisord can open our stdout by name for its programs, and that nobody overwrites another.

    A socket cannot be opened by name; in a file each handle must write at the end.
    """
    try:
        os.close(os.open("/dev/fd/1", os.O_WRONLY | os.O_APPEND))
    except OSError:
        relay = subprocess.Popen(["cat"], stdin=subprocess.PIPE, process_group=0)
        assert relay.stdin is not None
        os.dup2(relay.stdin.fileno(), 1)
        relay.stdin.close()
    else:
        fcntl.fcntl(1, fcntl.F_SETFL, fcntl.fcntl(1, fcntl.F_GETFL) | os.O_APPEND)
