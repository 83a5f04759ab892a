"""Unreadable requests are refused before any other code reads them."""

from collections.abc import Callable
from typing import Any, NoReturn

from django.core.exceptions import BadRequest, SuspiciousOperation
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render
from django.utils import translation

METHODS = ("GET", "HEAD", "POST")
"""The methods that some address of the site takes."""
QUIET = {"Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer"}
"""Headers of a refusal, because the address may be a link that plays."""
UNREADABLE = (BadRequest, SuspiciousOperation, MultiPartParserError)


class NoFiles(FileUploadHandler):
    """Refuses a form that contains a file, as soon as the file begins."""

    def new_file(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise BadRequest("No page of this site takes files.")

    receive_data_chunk = file_complete = new_file


class ReadableMiddleware:
    """Answers 405 to a method that no address takes, and 400 to a query, a form or a cookie that cannot be read.
    Django's own error pages would read the form again, looking for a token, and fail again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in METHODS:
            return HttpResponseNotAllowed(METHODS, headers=QUIET)
        try:
            _read = request.GET, request.POST
            # A cookie can have it in quotes. No database looks it up.
            if any("\0" in value for value in request.COOKIES.values()):
                raise BadRequest("A cookie contains the character 0.")
        except UNREADABLE as error:
            return bad_request(request, error)
        return self.get_response(request)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page for status 400, in the browser's language, because the user is not known yet."""
    language = translation.get_language_from_request(request)
    with translation.override(language):
        page = render(request, "400.html", status=400)
    page.headers["Content-Language"] = language
    return page
