"""Bots: participants that play through the HTTP API and check every reply."""
