"""The history's own thread: it alone imports SQLAlchemy and holds the connection.

SQLAlchemy takes a third of a second to import, more than all the rest of the program's start,
and its calls block.  So it lives on one thread, whose calls are taken one after the other,
each in a transaction of its own.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from datetime import date, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from quizapp.store.values import StoreError

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from quizapp.store.engine import Store

P = ParamSpec("P")
T = TypeVar("T")

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
        self._jobs: SimpleQueue[tuple[Callable[[], Any], Future[Any]] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._store: Store | None = None
        self._failure: StoreError | None = None

    def start(self) -> None:
        """Begin opening the history and return at once; calls wait for it, or tell its failure."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name="history", daemon=True)
            self._thread.start()

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
        future = self._submit(function, *args, **kwargs)
        return await asyncio.shield(asyncio.wrap_future(future))

    def run(
        self,
        function: Callable[Concatenate[Session, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run ``function(session, ...)`` in a transaction and wait for it."""
        return self._submit(function, *args, **kwargs).result()

    def close(self) -> None:
        """Finish the calls that wait and close the history."""
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join(CLOSE_SECONDS)
            self._thread = None

    def _submit(
        self,
        function: Callable[Concatenate[Session, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Future[T]:
        self.start()
        future: Future[T] = Future()
        self._jobs.put((lambda: self._in_transaction(function, *args, **kwargs), future))
        return future

    def _in_transaction(
        self,
        function: Callable[Concatenate[Session, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        if self._store is None:
            raise self._failure or StoreError("the history is closed")
        return self._store.transaction(lambda session: function(session, *args, **kwargs))

    def _serve(self) -> None:
        self._open()
        while job := self._jobs.get():
            work, future = job
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(work())
            except BaseException as error:  # noqa: BLE001 - told to whoever called
                future.set_exception(error)
            if self._jobs.empty() and self._store is not None:
                self._store.daily_backup()
        if self._store is not None:
            self._store.dispose()

    def _open(self) -> None:
        from quizapp.store.engine import open_store

        try:
            self._store = open_store(self._url, self._backups, self._clock, self._local_day)
        except StoreError as error:
            self._failure = error
        except Exception as error:  # noqa: BLE001 - told at every call
            self._failure = StoreError(f"the history cannot be opened: {error}")
