"""The pictures of finished games, for chats."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.models import Preview


@require_safe
@cache_control(max_age=24 * 3600)
def preview(request: HttpRequest, key: str) -> HttpResponse:
    """The picture of a finished game that everybody may find; 404 for any other game, and until a worker has drawn
    it."""
    found = get_object_or_404(Preview.objects.shown(), game__key=key)
    return HttpResponse(found.picture, content_type="image/png")
