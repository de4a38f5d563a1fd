"""The RQ worker process: one job after the other in this process, no forks.

A store that goes away is waited for. SIGTERM lets the running job finish; a job that is lost on the way is found again
by the due index.
"""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType

from redis import Redis
from redis.client import Pipeline
from redis.exceptions import RedisError
from rq import Queue, SimpleWorker
from rq.exceptions import StopRequested
from rq.job import Job

from app.config import Settings
from app.storage.connection import connect
from app.storage.queue import DUE, OurJob
from app.wiring import services

WORKER_LIVES = 20
"""Seconds RQ believes in a worker that does not show itself."""
LONGEST_POP = 1
"""Seconds it waits for a job in one go, and so at most for one that does not come when it is to end."""
BETWEEN_WORKERS = 0.5
"""Seconds until a worker that ended without being asked to is replaced."""
TOLD_AGAIN_AFTER = 60.0
"""Seconds until it is said again that the queue store cannot be reached."""
CONNECTIONS = 4
"""Connections to the queue store: jobs come one at a time."""

log = logging.getLogger(__name__)


class OurWorker(SimpleWorker):
    """RQ's worker without forks, which takes no orders but a signal's.

    It is asked to stop by a flag, and looks at it between two waits for a job. RQ's own way, an exception out of the
    signal handler, may come in the middle of anything: a job just taken would be lost, and what is written in C and
    does not expect it breaks (the store's library then reads text that is not there, and the process dies).
    """

    max_connection_wait_time = 1.0
    """Seconds at most between two tries to reach the queue store."""
    dequeue_timeout = LONGEST_POP
    _has_no_job = False

    def leave(self) -> None:
        """Finish the running job, or the wait for one, then end. Called by a signal handler: it only leaves word."""
        self._stop_requested = True

    def dequeue_job_and_maintain_ttl(
        self, timeout: int | None, max_idle_time: int | None = None
    ) -> tuple[Job, Queue] | None:
        """As RQ does it, until somebody asks to stop."""
        self._has_no_job = True
        try:
            return super().dequeue_job_and_maintain_ttl(timeout, max_idle_time)
        finally:
            self._has_no_job = False

    def reorder_queues(self, reference_queue: Queue) -> None:
        """Called as soon as there is a job: from here on it is to be done."""
        self._has_no_job = False
        super().reorder_queues(reference_queue)

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """Called before every wait for a job, also while the store is away. Raises: StopRequested."""
        if self._stop_requested and self._has_no_job:
            raise StopRequested
        super().heartbeat(timeout, pipeline)

    def _install_signal_handlers(self) -> None:
        """The launcher has done so, and its handlers outlive a single worker."""

    def subscribe(self) -> None:
        """No channel for orders: whoever can write to the queue store must not be able to end workers."""

    def handle_exception(self, job: Job, *exc_info: type[BaseException] | BaseException | TracebackType | None) -> None:
        """One line without arguments or locals, which may hold what players must not know."""
        kind = exc_info[0]
        log.error("job %s failed (%s)", job.id, kind.__name__ if isinstance(kind, type) else kind)


class Launcher:
    """Keeps one worker at work until a signal says otherwise."""

    def __init__(self, connected: Callable[[], Redis], queues: Sequence[str]) -> None:
        self._connected = connected
        self._queues = queues
        self._worker: OurWorker | None = None
        self._stopping = False

    def run(self) -> None:
        """Work until SIGTERM or SIGINT."""
        signal.signal(signal.SIGTERM, self._stop)
        signal.signal(signal.SIGINT, self._stop)
        told_at = -TOLD_AGAIN_AFTER
        while not self._stopping:
            try:
                self._work()
            except StopRequested:
                break
            except (RedisError, OSError) as error:
                if time.monotonic() - told_at >= TOLD_AGAIN_AFTER:
                    log.warning("the queue store cannot be reached (%s), trying again", type(error).__name__)
                    told_at = time.monotonic()
            if not self._stopping:
                time.sleep(BETWEEN_WORKERS)

    def _work(self) -> None:
        with self._connected() as redis:
            self._worker = OurWorker(
                self._queues,
                connection=redis,
                job_class=OurJob,
                serializer="json",
                worker_ttl=WORKER_LIVES,
                default_result_ttl=0,
                log_job_description=False,
            )
            try:
                self._worker.work(logging_level="WARNING")
            finally:
                self._worker = None

    def _stop(self, signum: int, frame: FrameType | None) -> None:
        del signum, frame
        self._stopping = True
        if self._worker is not None:
            self._worker.leave()


def run_worker(settings: Settings, role: str = "worker", queues: Sequence[str] = (DUE,)) -> None:
    """Run an RQ worker of these queues, the first before the next, in this process until SIGTERM or SIGINT.

    `role`: what the process is called in the figures.
    """
    # Now, not at the first job, which somebody waits for.
    services().metrics.start(role)
    address = settings.find_queue()
    Launcher(lambda: connect(address, connections=CONNECTIONS), queues).run()
