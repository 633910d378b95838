"""The report: what the tables say, on pages."""
