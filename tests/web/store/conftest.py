"""What is not collected: a script that only runs with the sources of version 0.1.0."""

from __future__ import annotations

collect_ignore = ["release/make.py"]
