"""A body that no browser sends gets a 400 with a page that explains it, at every address, and causes no error of
ours."""

from io import BytesIO
from pathlib import Path
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from django.test import Client

from splendor_site.wsgi import application

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data; boundary=x"
TOKEN = "a" * 32
ADDRESSES = ["/account/login/", "/", "/nowhere/", "/settings/", "/tables/new/"]

Answer = tuple[int, str]


def send(address: str, kind: str, body: bytes, method: str = "POST", **environ: Any) -> Answer:
    """Send the request as the web server passes it on; return the status and the text of the page."""
    statuses: list[str] = []
    environ = {
        "REQUEST_METHOD": method,
        "PATH_INFO": address,
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "testserver",
        "HTTP_COOKIE": f"csrftoken={TOKEN}",
        "CONTENT_TYPE": kind.encode().decode("latin-1"),
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": BytesIO(body),
        **environ,
    }
    setup_testing_defaults(environ)
    page = b"".join(application(environ, lambda status, headers: statuses.append(status)))
    return int(statuses[0].split()[0]), page.decode()


def part(*headers: bytes, body: bytes = b"x", name: bytes = b"login") -> bytes:
    disposition = b'Content-Disposition: form-data; name="' + name + b'"'
    return b"\r\n".join([b"--x", disposition, *headers, b"", body]) + b"\r\n"


END = b"--x--\r\n"
BASE64 = b"Content-Transfer-Encoding: base64"
FILE = b'Content-Disposition: form-data; name="f"; filename="a.png"'

UNREADABLE_TYPES = {
    "utf-16": f"{FORM}; charset=utf-16",
    "utf-7": f"{FORM}; charset=utf-7",
    "latin-1": f"{FORM}; charset=latin1",
    "no such charset": f"{FORM}; charset=klingon",
    "a charset that is not for text": f"{FORM}; charset=base64",
    "one that is never defined": f"{FORM}; charset=undefined",
    "one for host names": f"{PARTS}; charset=idna",
    "parts in utf-16": f"{PARTS}; charset=utf-16",
    "text in rot13": "text/plain; charset=rot13",
    "an encoded parameter": f"{FORM}; a*=klingon''x",
    "an encoded charset": f"{FORM}; charset*=klingon''x",
    "an encoded boundary": "multipart/form-data; boundary*=klingon''x",
}
UNREADABLE = {
    "no boundary": ("multipart/form-data", part() + END),
    "an empty boundary": ("multipart/form-data; boundary=", part() + END),
    "a long boundary": (f"multipart/form-data; boundary={'b' * 300}", part() + END),
    "a boundary that is not ASCII": ("multipart/form-data; boundary=é", part() + END),
    "a file": (PARTS, part(FILE) + END),
    "an empty file": (PARTS, part(FILE, body=b"") + END),
    "a file in bad base64": (PARTS, part(FILE, BASE64, body=b"A") + END),
    "a file with a bad length": (PARTS, part(FILE, b"Content-Length: x") + END),
    "long headers of a part": (PARTS, part(b"A" * 5000) + END),
    "too many parts": (PARTS, b"".join(part(name=b"a%d" % number) for number in range(1001)) + END),
    "too many fields": (FORM, b"&".join(b"a%d=1" % number for number in range(1001))),
    "too many equal fields": (FORM, b"&".join([b"login=x"] * 1001)),
    "too many empty fields": (FORM, b"&" * 5000),
    "too much": (FORM, b"login=" + b"x" * 2**20),
}
READABLE = {
    "bytes of another charset": (FORM, b"login=%ff%fe&password=%00\xff"),
    "half a part": (PARTS, part()[:-20]),
    "no part": (PARTS, b""),
    "another boundary": ("multipart/form-data; boundary=y", part() + END),
    "a part of binary data": (PARTS, part(body=b"\xff\xfe\0") + END),
    "a name of binary data": (PARTS, part(name=b"\xff\xfe\0") + END),
    "a part in an unknown charset": (PARTS, part(b"Content-Type: text/plain; charset=klingon") + END),
    "an encoded name": (PARTS, part(b"Content-Disposition: form-data; name*=klingon''x") + END),
    "bad base64": (PARTS, part(BASE64, body=b"A") + END),
    "base64 with one character too many": (PARTS, part(BASE64, body=b"AAAAA") + END),
    "parts in parts": (PARTS, part(b"Content-Type: multipart/mixed; boundary=z") + END),
    "not a form": ("text/plain", b"{"),
    "UTF-8 in capitals": (f'{FORM}; charset="UTF-8"', b"login=x"),
    "no type": ("", b"login=x"),
    "a type of punctuation only": (";;;=", b"login=x"),
}


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("kind", UNREADABLE_TYPES.values(), ids=UNREADABLE_TYPES)
def test_an_unreadable_content_type_is_refused(address: str, kind: str) -> None:
    said = "The Content-Type of this request cannot be read; its charset must be UTF-8.\n"
    assert send(address, kind, b"login=x") == (400, said)


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize(("kind", "body"), UNREADABLE.values(), ids=UNREADABLE)
def test_an_unreadable_body_is_refused(address: str, kind: str, body: bytes) -> None:
    for token in ({}, {"HTTP_X_CSRFTOKEN": TOKEN}):
        status, page = send(address, kind, body, **token)
        assert status == 400
        assert "We can’t read this" in page.replace("&#x27;", "'")


@pytest.mark.parametrize(("kind", "body"), READABLE.values(), ids=READABLE)
def test_an_empty_body_is_read(kind: str, body: bytes) -> None:
    statuses = {address: send(address, kind, body, HTTP_X_CSRFTOKEN=TOKEN)[0] for address in ADDRESSES}
    assert statuses == {"/account/login/": 200, "/": 200, "/nowhere/": 404, "/settings/": 302, "/tables/new/": 302}
    assert send("/account/login/", kind, body)[0] == 403


@pytest.mark.parametrize("name", ["sessionid", "csrftoken", "django_language"])
def test_a_cookie_with_the_character_zero_is_refused(name: str) -> None:
    """PostgreSQL could not look it up."""
    status, page = send("/", FORM, b"", "GET", HTTP_COOKIE=f'{name}="aaaaaaaa\\000"')
    assert status == 400
    assert "<h1" in page


def test_a_damaged_body_for_another_host_is_refused() -> None:
    for kind, body in UNREADABLE.values():
        assert send("/", kind, body, HTTP_HOST="elsewhere.example.org")[0] == 400


def test_too_many_fields_are_refused() -> None:
    query = "&".join(["q=x"] * 1001)
    for address in ADDRESSES:
        assert send(address, "", b"", "GET", QUERY_STRING=query)[0] == 400


def test_the_refusal_is_in_the_language_of_the_browser_and_safe(client: Client) -> None:
    refused = client.post("/account/login/", b"&" * 5000, FORM, headers={"accept-language": "fr"})
    assert refused.status_code == 400
    assert refused["Content-Language"] == "fr"
    assert "default-src 'none'" in refused["Content-Security-Policy"]


def test_an_upload_never_touches_the_disk(settings: Any, tmp_path: Path) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = None
    settings.FILE_UPLOAD_TEMP_DIR = tmp_path / "nowhere"
    body = part(FILE, body=b"x" * 5 * 2**20) + END
    assert send("/account/login/", PARTS, body)[0] == 400
