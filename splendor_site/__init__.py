# Django loads this package, so tasks find their app.
from splendor_site.celery import app as celery_app

__all__ = ["celery_app"]
