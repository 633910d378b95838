"""Replays that show what the model thinks: in the browser, in the gallery and as a single file."""
