"""Replays with the model's mind open: in the browser, in the gallery and as a page of its own."""
