"""Find marks without reading the whole log; keep a calculation's values and who wrote."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add two columns, and put an index of the few marks in the place of one of all undoes."""
    inputs = sa.Column("inputs", sa.JSON(), nullable=False, server_default="{}")
    client = sa.Column("client", sa.String(64), nullable=False, server_default="")
    op.add_column("review", inputs)
    op.add_column("review", client)
    op.drop_index("ix_review_undoes", "review")
    marks = sa.text("kind <> 'review'")
    op.create_index(
        "ix_review_marks",
        "review",
        ["kind", "undoes"],
        sqlite_where=marks,
        postgresql_where=marks,
    )
