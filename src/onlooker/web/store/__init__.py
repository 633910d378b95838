"""The database: tables, transactions, queries, migrations and backups."""
