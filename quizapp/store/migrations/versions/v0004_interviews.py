"""Mock interviews: what they were begun with, their events, and the draft after them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables, and let nobody change what happened."""
    _interview()
    _event()
    _draft()
    for statement in APPEND_ONLY[op.get_bind().dialect.name]:
        op.execute(statement)


def _interview() -> None:
    op.create_table(
        "interview",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("setup", sa.JSON(), nullable=False),
        sa.Column("client", sa.String(64), nullable=False),
    )
    op.create_index("ix_interview_at", "interview", ["at"])


def _event() -> None:
    op.create_table(
        "interview_event",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("interview", sa.String(36), sa.ForeignKey("interview.id"), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.UniqueConstraint("interview", "number"),
        sqlite_autoincrement=True,
    )


def _draft() -> None:
    op.create_table(
        "interview_draft",
        sa.Column("interview", sa.String(36), sa.ForeignKey("interview.id"), primary_key=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("after", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
    )


LOGS = ("interview", "interview_event")
APPEND_ONLY = {
    "sqlite": tuple(
        f"""CREATE TRIGGER {table}_never_{verb} BEFORE {command} ON {table}
        BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END"""
        for table in LOGS
        for verb, command in (("changes", "UPDATE"), ("goes", "DELETE"))
    ),
    "postgresql": tuple(
        f"""CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}
        FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only()"""
        for table in LOGS
    ),
}
