"""The database's migrations."""
