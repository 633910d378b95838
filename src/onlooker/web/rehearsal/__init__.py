"""Bots that take part through the HTTP API, and the preflight check."""
