"""Pages are compressed with Brotli for browsers that take it, and with gzip for others."""

import re
import secrets
from typing import Any

import brotli  # type: ignore[import-untyped]
from django.http import HttpRequest
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

QUALITY = 5
"""This costs as much time as gzip; the next quality costs more."""


class CompressionMiddleware(GZipMiddleware):
    def process_response(self, request: HttpRequest, response: Any) -> Any:
        takes_brotli = re.search(r"\bbr\b", request.headers.get("Accept-Encoding", ""))
        if not takes_brotli or response.streaming or response.has_header("Content-Encoding"):
            return super().process_response(request, response)
        compressed = brotli.compress(response.content, brotli.MODE_TEXT, QUALITY)
        patch_vary_headers(response, ("Accept-Encoding",))
        if len(compressed) < len(response.content):
            response.content = compressed
            response.headers["Content-Encoding"] = "br"
            response.headers["Content-Length"] = str(len(compressed))
            # Lengths tell nothing about secrets on the page (breachattack.com); gzip has such a padding of its own.
            response.headers["X-Padding"] = "x" * secrets.randbelow(self.max_random_bytes + 1)
        return response
