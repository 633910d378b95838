"""Compiled inference: the tree of histories, what NPCs would do, and what is believed."""
