"""The site with the addresses of `bench.urls`."""

from django.conf import settings

from splendor_site.wsgi import application

__all__ = ["application"]

settings.ROOT_URLCONF = "bench.urls"
