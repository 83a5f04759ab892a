"""Private notes about people."""

from accounts.models import User
from games.models import PersonNote

MAX_LENGTH: int = PersonNote._meta.get_field("text").max_length  # type: ignore[assignment]


def about(user: User, person: User) -> str:
    """The user's note about the person; empty without one."""
    return PersonNote.objects.filter(by=user, about=person).values_list("text", flat=True).first() or ""


def keep(user: User, person: User, text: str) -> None:
    """Keep this note about the person instead of the former one; an empty one deletes it."""
    if text:
        PersonNote.objects.update_or_create(by=user, about=person, defaults={"text": text})
    else:
        PersonNote.objects.filter(by=user, about=person).delete()
