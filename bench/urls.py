"""The site's addresses, and the empty page, which is the unit of `bench.pages`."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path


@login_required
def empty(request: HttpRequest) -> HttpResponse:
    """The frame that all pages share, without content."""
    return render(request, "base.html")


urlpatterns = [path("empty/", empty), path("", include("splendor_site.urls"))]
