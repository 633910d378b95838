"""A server of one zip, which can be told to break off, to change the file and more."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from zips import packed

CONTENT = packed({f"{n}.txt": bytes(str(n), "ascii") * 5000 for n in range(400)})


class Server(ThreadingHTTPServer):
    """A server that sends one file, and can be told to misbehave."""

    content = CONTENT
    etag: str | None = '"1"'
    break_after: int | None = None  # bytes of each reply
    ranges = True
    redirect: str | None = None
    asked: list[str | None]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/archive.zip"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        server, wanted = self.server, self.headers.get("Range")
        server.asked.append(wanted)
        if server.redirect:
            self.send_response(302)
            self.send_header("Location", server.redirect)
            self.end_headers()
            return
        begin = 0
        if wanted and server.ranges and self.headers.get("If-Range") == server.etag:
            begin = int(wanted.removeprefix("bytes=").removesuffix("-"))
        if begin >= len(server.content):
            self.send_error(416)
            return
        body = server.content[begin:]
        self.send_response(206 if begin else 200)
        self.send_header("Content-Length", str(len(body)))
        if begin:
            total = len(server.content)
            self.send_header("Content-Range", f"bytes {begin}-{total - 1}/{total}")
        if server.etag:
            self.send_header("ETag", server.etag)
        self.end_headers()
        self.wfile.write(body[: server.break_after])
        self.close_connection = True

    def log_message(self, *words: object) -> None:
        """Say nothing."""
