"""The web server: `python -m splendor_site.web DESCRIPTOR` answers on the listening socket with that number.

Waitress reads a request to its end before one of its threads is occupied with it, so a client that sends slowly, or
stops sending, costs a socket and nothing else. What it lacks is a limit on the time that a whole request may take.
"""

import signal
import socket
import sys
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any

from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask
from waitress.utilities import Error

THREADS = 4
BODY = 2**20
"""The most bytes that a request may carry; no page takes files."""
SECONDS = 10
"""How long a request may take to arrive."""
SOCKETS = 900
"""How many may be open at a time, of the 1,024 files that a process usually may open."""

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class RequestTimeout(Error):
    code = 408
    reason = "Request Timeout"


class Request(HTTPRequestParser):
    """Knows when it began to arrive."""

    def __init__(self, adjustments: Adjustments) -> None:
        super().__init__(adjustments)
        self.begun = monotonic()

    def parse_header(self, header: bytes) -> None:
        try:
            super().parse_header(header)
        except ValueError as error:
            # An address such as `http://[`, or a length of thousands of digits.
            raise ParsingError("The header cannot be read.") from error


class Answer(WSGITask):
    def set_close_on_finish(self) -> None:
        """Waitress closes after an answer without a length; 204 and 304 have no body, so they need none."""
        if self.has_body or self.version == "1.0" or self.request.connection_close:
            super().set_close_on_finish()


class Channel(HTTPChannel):
    parser_class = Request
    task_class = Answer
    request: Request | None

    def expire(self) -> None:
        """Answer 408 and close if the request has not arrived in time; while an earlier one is at work, it may wait."""
        with self.requests_lock:
            request = self.request
            if request is None or self.requests or monotonic() - request.begun < SECONDS:
                return
            request.error = RequestTimeout(f"A request has to arrive within {SECONDS} seconds.")
            self.request = None
            self.requests.append(request)
        self.server.add_task(self)


class Server(TcpWSGIServer):
    channel_class = Channel

    def maintenance(self, now: float) -> None:
        super().maintenance(now)
        for channel in self.active_channels.values():
            channel.expire()


def serve(application: Application, listener: socket.socket, threads: int = THREADS) -> None:
    """Answer until SIGTERM; then what has begun is finished, for five seconds at most."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    adjustments = Adjustments(
        sockets=[listener],
        threads=threads,
        connection_limit=SOCKETS,
        asyncore_use_poll=True,
        # Looks at the clocks of requests every second.
        cleanup_interval=1,
        # Longer than proxies keep their connections, so that none closes as a request sets out.
        channel_timeout=180,
        max_request_header_size=2**16,
        # Waitress refuses a body of that size, too, and writes larger ones than `inbuf_overflow` to the disk.
        max_request_body_size=BODY + 1,
        inbuf_overflow=2 * BODY,
        # Django decides which of them to believe.
        clear_untrusted_proxy_headers=False,
        log_socket_errors=False,
        ident=None,
    )
    place = (listener.family, listener.type, listener.proto, listener.getsockname())
    Server(application, _sock=listener, adj=adjustments, sockinfo=place, bind_socket=False).run()


if __name__ == "__main__":
    from splendor_site.wsgi import application  # not for those who bring their own

    serve(application, socket.socket(fileno=int(sys.argv[1])))
