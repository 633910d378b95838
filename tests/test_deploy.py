"""The examples in `deploy` are accepted by the programs they are for."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import programs
from running import ROOT


def test_nginx_accepts_its_configuration(tmp_path: Path) -> None:
    text = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    text, ports = re.subn(r"listen (\d+)", rf"listen unix:{tmp_path}/\1.sock", text)
    text, keys = re.subn(r"live/study\.example\.org/", "live/$ssl_server_name/", text)
    assert (ports, keys) == (2, 2)  # no port below 1024, and keys that are read when somebody calls
    whole = tmp_path / "nginx.conf"
    folders = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "\n".join(f"{name}_temp_path {tmp_path}/{name};" for name in folders)
    whole.write_text(
        f"pid {tmp_path}/nginx.pid;\nevents {{}}\nhttp {{\n{temporary}\n{text}\n}}\n", "utf-8"
    )
    command = [*programs.need("nginx"), "-t", "-e", "stderr", "-p", tmp_path, "-c", whole]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
