"""Runs the migrations on the store's connection."""

from __future__ import annotations

from alembic import context

from onlooker.web.store.models import Base


def run() -> None:
    """Upgrade the tables to the requested version."""
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=Base.metadata,
        transactional_ddl=True,
        render_as_batch=True,  # SQLite cannot alter tables in place
    )
    context.run_migrations()


if __name__ == "env_py":  # so named when Alembic runs it
    run()
