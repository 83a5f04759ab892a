"""Players over HTTP for tests/live, without a browser."""

from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, build_opener

PASSWORD = "three blue sapphires"


class Stay(HTTPRedirectHandler):
    """Does not follow redirects."""

    def redirect_request(self, *_):
        return None


class Person:
    """Keeps cookies and sends forms; `site` is an address without a path. Methods return the status of the answer."""

    def __init__(self, site: str) -> None:
        self.site = site
        self.jar = CookieJar()
        self.opener = build_opener(HTTPCookieProcessor(self.jar), Stay)

    @property
    def cookies(self) -> dict[str, str]:
        return {cookie.name: cookie.value or "" for cookie in self.jar}

    def get(self, path: str) -> int:
        return self._open(path, None)

    def post(self, path: str, **fields: object) -> int:
        fields["csrfmiddlewaretoken"] = self.cookies["csrftoken"]
        return self._open(path, urlencode(fields).encode())

    def log_in(self, name: str) -> int:
        self.get("/account/login/")
        return self.post("/account/login/", login=name, password=PASSWORD)

    def _open(self, path: str, data: bytes | None) -> int:
        try:
            with self.opener.open(self.site + path, data, timeout=30) as answer:
                status: int = answer.status
                return status
        except HTTPError as error:
            return error.code
