"""The database: tables, transactions, queries, migrations and backups."""

from onlooker.web.store.store import BusyError, Store, check_database

__all__ = ["BusyError", "Store", "check_database"]
