"""The database: tables, engine on a thread of its own, migrations, backup."""
