"""Clients that announce more than they send do not delay others, and are refused in time."""

import socket
from collections.abc import Iterator
from email.utils import formatdate
from http.client import HTTPConnection
from select import select
from time import sleep

import pytest

from tests.live.site import WITHOUT_BOTS_AND_MAILS, Site, until

pytestmark = pytest.mark.slow

SOCKETS = 300
PAGES = 50
TOKEN = "a" * 32


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Iterator[Site]:
    """A site without workers."""
    site = Site(tmp_path_factory.mktemp("site") / "var", WORKER_PROCESSES="0", **WITHOUT_BOTS_AND_MAILS)
    with site.running():
        yield site


def post(site: Site, *more: str, path: str = "/account/login/", sent: bytes = b"") -> socket.socket:
    """A request with a complete header, the CSRF token that makes Django read the body, and part of the body."""
    header = [
        f"POST {path} HTTP/1.1",
        f"Host: 127.0.0.1:{site.port}",
        f"Cookie: csrftoken={TOKEN}",
        "Content-Type: application/x-www-form-urlencoded",
        *more,
    ]
    client = socket.create_connection(("127.0.0.1", site.port), timeout=60)
    client.sendall("\r\n".join([*header, "", ""]).encode() + sent)
    return client


def answer(client: socket.socket) -> str:
    """The first line of the answer."""
    with client, client.makefile("rb") as lines:
        return lines.readline().decode().strip()


def test_idle_requests_delay_nobody_and_end_in_time(site):
    def idle() -> socket.socket:
        return post(site, "Content-Length: 1000", sent=b"log")

    waiting = [idle() for _ in range(SOCKETS)]
    # Some clients never end their header.
    headless = socket.create_connection(("127.0.0.1", site.port), timeout=60)
    headless.sendall(b"POST /account/login/ HTTP/1.1\r\nHo")
    statuses, answers = [], []
    for _ in range(PAGES):
        statuses.append(site.get("/account/login/")[0])
        # A refused client connects again at once.
        for client in select(waiting, [], [], 0)[0]:
            waiting.remove(client)
            answers.append(answer(client))
            waiting.append(idle())
    assert statuses == [200] * PAGES
    assert len(waiting) == SOCKETS

    # Sending a byte now and then gains no time: a thousand bytes would take minutes.
    def all_answered() -> bool:
        for client in select(waiting, [], [], 0)[0]:
            waiting.remove(client)
            answers.append(answer(client))
        for client in waiting:
            client.sendall(b"i")
        sleep(0.5)
        return not waiting

    until(all_answered)
    assert set(answers) == {"HTTP/1.1 408 Request Timeout"}
    assert answer(headless) == "HTTP/1.0 408 Request Timeout"


def test_no_answer_names_the_server(site):
    for path in ("/", "/static/nothing.css", "/nowhere/"):
        assert not site.get(path)[1].keys() & {"server", "via", "x-powered-by"}


def test_a_large_upload_is_refused_at_its_header(site):
    kind = "Content-Type: multipart/form-data; boundary=x"
    assert answer(post(site, kind, f"Content-Length: {200 * 2**20}")) == "HTTP/1.1 413 Request Entity Too Large"
    # Bodies without a length are refused too.
    chunk = f"{2**16:x}\r\n".encode() + bytes(2**16) + b"\r\n"
    with post(site, kind, "Transfer-Encoding: chunked") as client:
        for _ in range(15):
            client.sendall(chunk)
        assert select([client], [], [], 1)[0] == []
        # The limit counts the lines between the chunks too.
        client.sendall(chunk)
        assert answer(client) == "HTTP/1.1 413 Request Entity Too Large"


def test_the_largest_form_is_read(site):
    form = b"login=nobody&password=" + b"x" * (2**20 - 22)
    with post(site, "Content-Length: 1048576", sent=form) as client:
        assert answer(client) == "HTTP/1.1 403 Forbidden"
    with post(site, "Content-Length: 1048577", sent=form + b"x") as client:
        assert answer(client) == "HTTP/1.1 413 Request Entity Too Large"


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET http://[ HTTP/1.1\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx", 400),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (b"\xff\xfe\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nCookie: " + b"a" * 2**16 + b"\r\n\r\n", 431),
    ],
)
def test_bytes_that_are_not_http_are_refused(site, request_, status):
    with socket.create_connection(("127.0.0.1", site.port), timeout=60) as client:
        client.sendall(request_)
        assert int(answer(client).split()[1]) == status


def test_an_answer_without_a_body_leaves_the_connection_open(site):
    line = HTTPConnection("127.0.0.1", site.port, timeout=60)
    line.connect()
    socket_, statuses = line.sock, []
    for headers in ({}, {"If-Modified-Since": formatdate(usegmt=True)}, {}):
        line.request("GET", "/static/games/base.css", headers=headers)
        answer = line.getresponse()
        answer.read()
        statuses.append(answer.status)
    assert statuses == [200, 304, 200]
    assert line.sock is socket_
    line.close()
