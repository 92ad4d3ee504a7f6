"""Alembic's entry: it is handed a connection in a transaction, and uses it."""

from __future__ import annotations

from alembic import context

from quizapp.store.tables import Base

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=Base.metadata,
    render_as_batch=connection.dialect.name == "sqlite",
)
with context.begin_transaction():
    context.run_migrations()
