"""The log, the schedules, drafts, runs and verdicts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables, and let nobody change the log."""
    _review()
    _schedule()
    _draft()
    _run()
    _verdict()
    for statement in APPEND_ONLY[op.get_bind().dialect.name]:
        op.execute(statement)


def _review() -> None:
    op.create_table(
        "review",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("uuid", sa.String(36), nullable=False, unique=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("prompt", sa.String(200), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("rating", sa.Integer()),
        sa.Column("proposed", sa.Integer()),
        sa.Column("score", sa.Double()),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("mode", sa.String(16)),
        sa.Column("sure", sa.Boolean(), nullable=False),
        sa.Column("lang", sa.String(8), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("ticks", sa.JSON(), nullable=False),
        sa.Column("suggested", sa.JSON(), nullable=False),
        sa.Column("missed", sa.JSON(), nullable=False),
        sa.Column("false_claims", sa.JSON(), nullable=False),
        sa.Column("evidence", sa.JSON(), nullable=False),
        sa.Column("seed", sa.BigInteger()),
        sa.Column("undoes", sa.String(36), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_review_prompt", "review", ["prompt"])
    op.create_index("ix_review_day", "review", ["day"])
    op.create_index("ix_review_undoes", "review", ["undoes"])


def _schedule() -> None:
    op.create_table(
        "schedule",
        sa.Column("prompt", sa.String(200), primary_key=True),
        sa.Column("stability", sa.Double(), nullable=False),
        sa.Column("difficulty", sa.Double(), nullable=False),
        sa.Column("last", sa.Date(), nullable=False),
        sa.Column("due", sa.Date(), nullable=False),
        sa.Column("reviews", sa.Integer(), nullable=False),
        sa.Column("lapses", sa.Integer(), nullable=False),
    )


def _draft() -> None:
    op.create_table(
        "draft",
        sa.Column("uuid", sa.String(36), primary_key=True),
        sa.Column("prompt", sa.String(200), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("mode", sa.String(16), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("sure", sa.Boolean(), nullable=False),
        sa.Column("lang", sa.String(8), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
    )


def _run() -> None:
    op.create_table(
        "run",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("demo", sa.String(64), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("device_kind", sa.String(16), nullable=False),
        sa.Column("device_name", sa.String(200), nullable=False),
        sa.Column("source", sa.String(200), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("outcome", sa.String(32), nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("versions", sa.JSON(), nullable=False),
    )
    op.create_index("ix_run_demo", "run", ["demo", "at"])


def _verdict() -> None:
    op.create_table(
        "verdict",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("claim", sa.String(200), nullable=False),
        sa.Column("run", sa.String(36), nullable=False),
        sa.Column("verdict", sa.String(32), nullable=False),
        sa.Column("predicate", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("device_kind", sa.String(16), nullable=False),
        sa.Column("device_name", sa.String(200), nullable=False),
        sa.Column("source", sa.String(200), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
    )
    op.create_index("ix_verdict_claim", "verdict", ["claim", "at"])


APPEND_ONLY = {
    "sqlite": (
        """CREATE TRIGGER review_never_changes BEFORE UPDATE ON review
        BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END""",
        """CREATE TRIGGER review_never_goes BEFORE DELETE ON review
        BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END""",
    ),
    "postgresql": (
        """CREATE FUNCTION log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'the log is append-only'; END $$""",
        """CREATE TRIGGER review_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON review
        FOR EACH STATEMENT EXECUTE FUNCTION log_is_append_only()""",
    ),
}
