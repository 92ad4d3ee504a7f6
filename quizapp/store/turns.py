"""Taking turns with other programs on the same history.

SQLite's transactions begin with the right to write (``BEGIN IMMEDIATE``) and see one moment.
PostgreSQL's see what others commit in between, so whoever writes from what it has read takes
the one turn there is first; it comes back at the end of the transaction.
"""

from __future__ import annotations

from sqlalchemy import Connection, text
from sqlalchemy.orm import Session

BUSY_SECONDS = 10
"""How long a transaction waits for another program's."""
GONE_SECONDS = 30
"""After which the server takes the turn from a program that went silent in the middle."""
TURN = 0x7175697A
"""The number that every quizapp locks on a PostgreSQL server; any, but always the same."""


def take_turn(connection: Connection) -> None:
    """Wait until no other program writes, and keep them waiting until the transaction ends."""
    if connection.dialect.name != "postgresql":
        return
    connection.execute(text(f"SET LOCAL lock_timeout = '{BUSY_SECONDS}s'"))
    connection.execute(text(f"SET LOCAL idle_in_transaction_session_timeout = '{GONE_SECONDS}s'"))
    connection.execute(text("SELECT pg_advisory_xact_lock(:turn)"), {"turn": TURN})


def see_one_moment(session: Session) -> None:
    """Let all queries of a transaction that only reads see the same moment; call it first."""
    if session.get_bind().dialect.name == "postgresql":
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
