"""The line on every page. Pages read it from the cache alone; the sweep keeps it there."""

from collections.abc import Mapping
from datetime import datetime

from django.core.cache import cache
from django.db import transaction
from django.utils.translation import get_language

from games.models import Announcement
from games.services.clocks.moment import now

KEY = "announcement"


def announce(texts: Mapping[str, str], until: datetime) -> None:
    """Show the line until then, in place of an earlier one. `texts` has it by language, in English at least."""
    with transaction.atomic():
        Announcement.objects.all().delete()
        Announcement.objects.create(texts=dict(texts), until=until)
    refresh()


def clear() -> None:
    """Show no line any more."""
    Announcement.objects.all().delete()
    refresh()


def refresh() -> None:
    """Put the current line into the cache, or remove one that is over."""
    row = Announcement.objects.first()
    if row:  # the cache drops one that is over
        cache.set(KEY, {"texts": row.texts, "until": row.until.timestamp()}, (row.until - now()).total_seconds())
    else:
        cache.delete(KEY)


def current() -> str:
    """The line in the reader's language; empty if there is none. Takes no query."""
    kept = cache.get(KEY)
    if not kept or kept["until"] <= now().timestamp():
        return ""
    texts: dict[str, str] = kept["texts"]
    return texts.get(get_language() or "en") or texts["en"]
