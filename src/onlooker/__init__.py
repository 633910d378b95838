"""onlooker."""
