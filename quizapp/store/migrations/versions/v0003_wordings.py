"""Keep the confirmed sentences of people whose answers are graded without a review."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add one table."""
    op.create_table(
        "wording",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("who", sa.String(200), nullable=False),
        sa.Column("prompt", sa.String(200), nullable=False),
        sa.Column("part", sa.String(64), nullable=False),
        sa.Column("sentence", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
    )
    op.create_index("ix_wording_who", "wording", ["who", "prompt"])
