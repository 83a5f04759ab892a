"""The names of tables."""

import re
import unicodedata

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts import names
from games.models import Game

MAX_LENGTH: int = Game._meta.get_field("name").max_length  # type: ignore[assignment]
INVISIBLE = ("C", "M", "Zl", "Zp")
"""The beginnings of the Unicode categories that a name cannot have: control characters, which include direction marks;
combining marks; and line separators. Some letters are invisible as well."""
BLANK_LETTERS = frozenset("\u115f\u1160\u2800")
ADDRESS = re.compile(r"//|@|\w\.\w")


def cleaned(text: str) -> str:
    """The name as it is stored. Raises `ValidationError` if it is too long, if it could deceive, or if it contains an
    address, which mail programs would turn into a link."""
    name = names.normalize(text)
    if any(unicodedata.category(c).startswith(INVISIBLE) or c in BLANK_LETTERS for c in name):
        raise ValidationError(_("Use letters, digits and punctuation."), code="characters")
    name = " ".join(name.split())
    if len(name) > MAX_LENGTH:
        raise ValidationError(_("A table’s name can have up to 40 characters."), code="long")
    if ADDRESS.search(name):
        text = _("A table’s name can’t contain a web or email address, or a dot between letters.")
        raise ValidationError(text, code="address")
    if _letters(settings.SITE_NAME) in _letters(name):
        raise ValidationError(_("This name looks like the name of the site. Please choose another."), code="site")
    return name


def _letters(name: str) -> str:
    """A key that is the same for names that look alike; it ignores everything but letters and digits."""
    return "".join(c for c in names.skeleton(name) if c.isalnum())
