"""The web server.

Waitress reads a request to its end before it occupies a thread, so a client that sends slowly, or stops sending, costs
only a socket. It has no limit on the time that a whole request may take; this module adds one.
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
"""The maximum size of a request's body in bytes; no page takes files."""
READ_SECONDS = 10
"""Seconds that a request may take to arrive."""
SOCKETS = 900
"""The maximum number of open sockets; a process can usually open 1,024 files."""

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class RequestTimeout(Error):
    code = 408
    reason = "Request Timeout"


class Request(HTTPRequestParser):
    """A request that knows when it began to arrive."""

    def __init__(self, adjustments: Adjustments) -> None:
        super().__init__(adjustments)
        self.begun = monotonic()

    def parse_header(self, header: bytes) -> None:
        try:
            super().parse_header(header)
        except ValueError as error:
            # For example the address `http://[`, or a length of thousands of digits.
            raise ParsingError("The header cannot be read.") from error


class Answer(WSGITask):
    def set_close_on_finish(self) -> None:
        """Keep the connection open after 204 and 304, which have no body. Waitress closes it after any answer without a
        length."""
        if self.has_body or self.version == "1.0" or self.request.connection_close:
            super().set_close_on_finish()


class Channel(HTTPChannel):
    parser_class = Request
    task_class = Answer
    request: Request | None

    def expire(self) -> None:
        """Answer 408 and close if the request has not arrived in time. It may wait while an earlier request of this
        connection is being answered."""
        with self.requests_lock:
            request = self.request
            if request is None or self.requests or monotonic() - request.begun < READ_SECONDS:
                return
            request.error = RequestTimeout(f"A request has to arrive within {READ_SECONDS} seconds.")
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
    """Answer requests until SIGTERM, then finish those that have begun, within five seconds."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    adjustments = Adjustments(
        sockets=[listener],
        threads=threads,
        connection_limit=SOCKETS,
        asyncore_use_poll=True,
        # `maintenance` runs once a second.
        cleanup_interval=1,
        # This is longer than proxies keep their connections, so none closes just as a request is sent.
        channel_timeout=180,
        max_request_header_size=2**16,
        # Waitress also refuses a body of exactly this size, and writes bodies above `inbuf_overflow` to the disk.
        max_request_body_size=BODY + 1,
        inbuf_overflow=2 * BODY,
        # Django decides which of these headers to trust.
        clear_untrusted_proxy_headers=False,
        log_socket_errors=False,
        ident=None,
    )
    place = (listener.family, listener.type, listener.proto, listener.getsockname())
    Server(application, _sock=listener, adj=adjustments, sockinfo=place, bind_socket=False).run()
