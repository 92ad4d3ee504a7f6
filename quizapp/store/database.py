"""The history's own thread: it alone imports SQLAlchemy and holds the connection.

SQLAlchemy takes a third of a second to import, more than all the rest of the program's start,
and its calls block.  So it lives on one thread, whose calls are taken one after the other,
each in a transaction of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future
from datetime import date, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from quizapp.store import calls
from quizapp.store.values import StoreError

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from quizapp.store.engine import Store

P = ParamSpec("P")
T = TypeVar("T")
Job = tuple[Callable[[], Any], Future[Any]]

CLOSE_SECONDS = 3.0
"""How long the end of the program waits for a call that is under way."""


class Database:
    """One history, open from :meth:`start` to :meth:`close`."""

    def __init__(
        self,
        url: str,
        backups: Path | None,
        clock: Callable[[], datetime],
        local_day: Callable[[datetime], date],
    ) -> None:
        self._url = url
        self._backups = backups
        self._clock = clock
        self._local_day = local_day
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._turn = threading.Lock()
        """Held while a job is added, so that none comes after the end."""
        self._store: Store | None = None

    def start(self) -> None:
        """Begin opening the history and return at once; calls wait for it, or tell its failure."""
        with self._turn:
            self._begin()

    async def call(
        self,
        function: Callable[Concatenate[Session, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run ``function(session, ...)`` in a transaction, without blocking the event loop.

        A call that is cancelled while it waits is still carried out: what was asked to be
        written is written.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def tell(done: Future[T]) -> None:
            # The loop may have ended before the call: then nobody is left to be told.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(_pass_on, done, answer)

        self._submit(function, *args, **kwargs).add_done_callback(tell)
        return await answer

    def run(
        self,
        function: Callable[Concatenate[Session, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run ``function(session, ...)`` in a transaction and wait for it."""
        return self._submit(function, *args, **kwargs).result()

    def close(self) -> None:
        """Finish the calls that wait and close the history for good."""
        with self._turn:
            self._closed = True
            self._jobs.put(None)
        if self._thread is not None:
            self._thread.join(CLOSE_SECONDS)

    def _begin(self) -> None:
        if self._thread is None and not self._closed:
            self._thread = threading.Thread(target=self._serve, name="history", daemon=True)
            self._thread.start()

    def _submit(
        self,
        function: Callable[Concatenate[Session, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Future[T]:
        future: Future[T] = Future()
        with self._turn:
            if self._closed:
                raise StoreError("the history is closed")
            self._begin()
            self._jobs.put((lambda: self._in_transaction(function, *args, **kwargs), future))
        return future

    def _in_transaction(
        self,
        function: Callable[Concatenate[Session, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        return self._opened().transaction(
            lambda session: function(session, *args, **kwargs),
            forced=function not in calls.UNFORCED,
        )

    def _serve(self) -> None:
        # Opened before it is asked for; if that fails, the calls try again and tell why.
        _carry_out((self._opened, Future()))
        while job := self._jobs.get():
            _carry_out(job)
            if self._jobs.empty() and self._store is not None:
                _carry_out((self._store.daily_backup, Future()))
        if self._store is not None:
            self._store.dispose()

    def _opened(self) -> Store:
        if self._store is None:
            from quizapp.store.engine import open_store

            self._store = open_store(self._url, self._backups, self._clock, self._local_day)
        return self._store


def _carry_out(job: Job) -> None:
    """Do a job; whatever it raises goes to its caller, and the thread lives on."""
    work, future = job
    try:
        future.set_result(work())
    except BaseException as error:  # noqa: BLE001 - told to whoever called
        future.set_exception(error)


def _pass_on(done: Future[T], answer: asyncio.Future[T]) -> None:
    """Hand a finished call's outcome to the one that awaits it, if it still does."""
    if answer.done():
        return
    error = done.exception()
    if error is not None:
        answer.set_exception(error)
    else:
        answer.set_result(done.result())
