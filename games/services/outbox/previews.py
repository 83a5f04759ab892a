"""Previews that are owed; `work.previews` draws them."""

from games.models import GameQuerySet, Preview


def redraw(games: GameQuerySet) -> None:
    """Owe the pictures of these games again, because a name in them has changed. Those whose names our fonts could not
    write may get their first one now."""
    Preview.objects.filter(game__in=games).update(picture=None)
    shown = games.previewed().values_list("pk", flat=True)
    Preview.objects.bulk_create([Preview(game_id=pk) for pk in shown], ignore_conflicts=True)
