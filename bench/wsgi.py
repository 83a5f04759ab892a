"""The site with the addresses of `bench.urls`, and a web server for it: `python -m bench.wsgi DESCRIPTOR`."""

import socket
import sys

from django.conf import settings

from splendor_site.web import serve
from splendor_site.wsgi import application

__all__ = ["application"]

settings.ROOT_URLCONF = "bench.urls"

if __name__ == "__main__":
    serve(application, socket.socket(fileno=int(sys.argv[1])), threads=1)
