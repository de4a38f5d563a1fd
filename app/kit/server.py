"""A server as a player reaches it: each request is tried until it has an answer, a write under one Idempotency-Key."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec
import requests
from tenacity import RetryCallState, Retrying, retry_if_exception_type, sleep_using_event
from tenacity.stop import stop_any, stop_before_delay, stop_when_event_set
from tenacity.wait import wait_random_exponential
from urllib3.exceptions import InvalidHeader
from urllib3.util.retry import Retry

CONNECTS_WITHIN = 5.0
"""Seconds."""
ANSWERS_WITHIN = 15.0
"""Seconds, beside what a request asks the server to wait; a stream silent for so long is dead (API.md)."""
AT_LEAST = 1.0
"""Seconds an answer is waited for, however little patience is left."""
FOR_EVER = float("inf")
HOPELESS = ("WRONG_VERSION_NUMBER", "CERTIFICATE_VERIFY_FAILED")
"""TLS where there is none, or with somebody else (OpenSSL's words)."""
BACKOFF = wait_random_exponential(multiplier=0.2, max=5)
"""Seconds between tries: anything from 0 up to a bound that doubles, so that many clients do not come back together."""

T = TypeVar("T")


class Refused(Exception):
    """The server said no, and would say so again."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.status = status
        self.code = str(problem.get("code", status))
        self.params: dict[str, Any] = problem.get("params") or {}
        detail = problem.get("detail") or problem.get("title") or "no reason given"
        fields = [f"{error.get('path')}: {error.get('detail')}" for error in problem.get("errors") or ()]
        super().__init__(f"{status} {self.code}: {' '.join(fields) or detail}")


class NoAnswer(Exception):
    """There is no answer now: the line broke, the server is away, or it asks to come back later."""

    def __init__(self, why: str, retry_after: float = 0.0) -> None:
        super().__init__(why)
        self.is_hopeless = any(word in why for word in HOPELESS)
        """Whoever has not reached the server before will not reach it so."""
        self.retry_after = retry_after
        """Seconds the server wants to be left alone."""


class Server:
    """One server and, with a token, one of its players. Any number of threads may ask at the same time."""

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        enough: threading.Event,
        tell: Callable[[NoAnswer, int], None] = lambda why, tries: None,  # noqa: ARG005
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        """`enough`: once set, nothing is tried again. `tell` hears of failed tries. `sleep`: in place of waiting."""
        self.url = url.rstrip("/")
        self._token = token
        self._enough = enough
        self._tell = tell
        self._sleep = sleep or sleep_using_event(enough)
        self._local = threading.local()

    def with_token(self, token: str) -> Server:
        """The same server, asked by the player of this token."""
        return Server(self.url, token, enough=self._enough, tell=self._tell, sleep=self._sleep)

    def until(self, enough: threading.Event) -> Server:
        """The same server and player; once `enough` is set, nothing is tried again."""
        return Server(self.url, self._token, enough=enough, tell=self._tell)

    def ask(
        self,
        answer: type[T],
        method: str,
        path: str,
        body: object = None,
        *,
        key: str | None = None,
        patience: float = FOR_EVER,
        **query: str | float,
    ) -> T:
        """What the server answers, however often the line breaks.

        `body`: anything msgspec can write. `key`: of this write, where it is one that was begun before. `patience`:
        seconds after which a missing answer is given up, also when the server asks to be left alone for longer; a
        request once sent may have been done all the same.

        Raises:
            Refused: it said no.
            NoAnswer: patience, or the whole session, has ended.
        """
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if method == "POST":
            headers["Idempotency-Key"] = key or uuid.uuid4().hex
        content = None if body is None else msgspec.json.encode(body)
        trying = Retrying(
            retry=retry_if_exception_type(NoAnswer),
            wait=_pause,
            stop=stop_any(stop_when_event_set(self._enough), stop_before_delay(patience)),
            sleep=self._sleep,
            before_sleep=self._failed,
            reraise=True,
        )

        ends = time.monotonic() + patience

        def within(seconds: float) -> float:
            return max(AT_LEAST, min(seconds, ends - time.monotonic()))

        def once() -> T:
            timeout = (within(CONNECTS_WITHIN), within(ANSWERS_WITHIN + float(query.get("wait", 0.0))))
            with _line_may_break():
                response = self._session.request(
                    method, f"{self.url}/v1{path}", data=content, params=query, headers=headers, timeout=timeout
                )
                _check(response)
            return _read(response, answer)

        return trying(once)

    @contextmanager
    def stream(self, path: str, *, last: int) -> Iterator[Iterator[bytes]]:
        """The pieces of an event stream from after `last` on, until it ends or breaks. Raises: Refused, NoAnswer."""
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(last)}
        timeout = (CONNECTS_WITHIN, ANSWERS_WITHIN)
        with (
            _line_may_break(),
            self._session.get(f"{self.url}/v1{path}", headers=headers, timeout=timeout, stream=True) as response,
        ):
            _check(response)
            yield response.iter_content(None)

    @property
    def _session(self) -> requests.Session:
        """One a thread: `requests` does not promise that several may share one."""
        session: requests.Session | None = getattr(self._local, "session", None)
        if session is None:
            session = self._local.session = _Session()
            session.headers["Event-Types"] = "*"
            if self._token is not None:
                session.headers["Authorization"] = f"Bearer {self._token}"
        return session

    def _failed(self, state: RetryCallState) -> None:
        self._tell(_why(state), state.attempt_number)


class _Session(requests.Session):
    """A session that goes with its thread, and its connections with it."""

    def __del__(self) -> None:
        self.close()


def _why(state: RetryCallState) -> NoAnswer:
    error = state.outcome.exception() if state.outcome is not None else None
    assert isinstance(error, NoAnswer)
    return error


def _pause(state: RetryCallState) -> float:
    return _why(state).retry_after + BACKOFF(state)


@contextmanager
def _line_may_break() -> Iterator[None]:
    try:
        yield
    except requests.RequestException as error:
        raise NoAnswer(_in_short(error)) from None


def _in_short(error: BaseException) -> str:
    """What is at the bottom of a chain of library errors."""
    if isinstance(error, requests.Timeout):
        return "no answer in time"
    while error.__context__ is not None:
        error = error.__context__
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _check(response: requests.Response) -> None:
    """Raises: NoAnswer where it is worth asking again, Refused where it is not."""
    if response.status_code < 400:
        return
    try:
        problem = msgspec.json.decode(response.content, type=dict[str, Any])
    except msgspec.DecodeError:
        problem = {"title": response.reason}
    refused = Refused(response.status_code, problem)
    if response.status_code == 429 or response.status_code >= 500 or refused.code == "request_in_progress":
        raise NoAnswer(str(refused), _retry_after(response))
    raise refused


def _read(response: requests.Response, answer: type[T]) -> T:
    if response.status_code == 204:
        return msgspec.convert(None, answer)
    try:
        return msgspec.json.decode(response.content, type=answer)
    except msgspec.ValidationError as error:
        raise Refused(response.status_code, {"code": "not_understood", "detail": f"{response.url}: {error}"}) from None
    except msgspec.DecodeError as error:
        raise NoAnswer(f"the answer is no JSON: {error}") from None


def _retry_after(response: requests.Response) -> float:
    try:
        return Retry().parse_retry_after(response.headers.get("Retry-After", "0"))
    except InvalidHeader:
        return 0.0
