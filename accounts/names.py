"""User names: which ones are allowed, and which ones look alike."""

import unicodedata

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

MIN_NAME_LENGTH, MAX_NAME_LENGTH = 3, 20
SEPARATORS = frozenset("-_.")
DIGITS = frozenset("0123456789")

# The first word of a letter's Unicode name → its script. Other scripts need marks, which names cannot have.
SCRIPTS = {
    "LATIN": "Latin",
    "GREEK": "Greek",
    "CYRILLIC": "Cyrillic",
    "HEBREW": "Hebrew",
    "ARABIC": "Arabic",
    "HANGUL": "Hangul",
    "CJK": "Han",
    "HIRAGANA": "Han",
    "KATAKANA": "Han",
}
# Latin letters that do not decompose to an ASCII letter. The others in Unicode are phonetic or lookalikes.
LATIN_ALONE = frozenset("æœøłđßþðıħŧŋ")

# Applied after case folding. Greek and Cyrillic letters are compared by the case that looks like a Latin letter, by
# their capitals if both do. tests/accounts/test_lookalikes.py checks this against Unicode's list.
_LOOKALIKES = str.maketrans(
    {
        **dict.fromkeys("-_.", "-"),
        **dict(zip("01iıłøđðħŧŋ", "olllloddhtn", strict=True)),  # noqa: RUF001
        **dict(zip("авекмнорстухіјѕһӏ", "abekmhopctyxljshl", strict=True)),
        **dict(zip("ьԁҽꙇԛгѵѡԝүԍзӡꙅб", "bdelqrvwwyg3326", strict=True)),
        **dict(zip("αβεζηικμνορτυχ", "abezhlkmnoptyx", strict=True)),
        **dict(zip("σγϝϻϳᴦ", "oyfmjr", strict=True)),
        "æ": "ae",
        "œ": "oe",
    }
)

RESERVED_WORDS = """
    admin administrator root superuser staff support moderator mod host owner operator team official security abuse
    postmaster webmaster mail mailer noreply no-reply help info contact system server site cabochon splendor duel
    bot bots robot computer engine caretaker random greedy plain beginner easy medium hard strong stronger strongest
    anonymous guest visitor spectator nobody noone someone somebody everyone everybody anyone all none null nil
    undefined unknown deleted player players opponent user users you your me myself we us they bank noble nobles deck
    moi toi vous nous personne anonyme ordinateur joueur joueuse adversaire tous aucun banque
    login logout signup account accounts settings games tables static media api
"""


def normalize(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip()


def skeleton(name: str) -> str:
    """A key that is the same for names that look alike: it ignores case, accents, lookalikes and separators."""
    folded = normalize(name).casefold()
    bare = "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c))
    return unicodedata.normalize("NFC", bare).translate(_LOOKALIKES).replace("rn", "m").replace("vv", "w")


def begins(text: str, person: str = "") -> Q:
    """The condition for people whose names begin with the text; `person` is the path from a row to them, like
    `user__`. The key also finds letters whose case SQLite ignores only in ASCII."""
    return Q(**{f"{person}username__istartswith": text}) | Q(**{f"{person}name_key__startswith": skeleton(text)})


RESERVED = frozenset(map(skeleton, RESERVED_WORDS.split()))
GUEST = "guest-"
"""The beginning of the stored names of guests."""
DELETED = "deleted-"
"""The same of the anonymous users who take the places of deleted ones."""
RESERVED_BEGINNINGS = tuple(map(skeleton, ("admin-", "bot-", GUEST, "invité-", DELETED)))


def is_reserved(name: str) -> bool:
    """Whether the name could pass for the site, a bot, or a word such as “you”."""
    key = skeleton(name)
    return key in RESERVED or key.startswith(RESERVED_BEGINNINGS)


def validate(name: str) -> None:
    """Raise `ValidationError` unless the name consists of letters of one script, digits, and single - _ . between
    them."""
    if len(name) < MIN_NAME_LENGTH:
        raise ValidationError(_("A name needs at least 3 characters."), code="short")
    scripts = {_script(c) for c in name if c not in SEPARATORS | DIGITS}
    between = all(
        (c not in SEPARATORS) or (0 < i < len(name) - 1 and name[i + 1] not in SEPARATORS) for i, c in enumerate(name)
    )
    if None in scripts or not between or name != normalize(name):
        raise ValidationError(_("Use letters and digits, with a single - _ or . between them."), code="characters")
    if not scripts:
        raise ValidationError(_("A name needs at least one letter."), code="letters")
    if len(scripts) > 1:
        raise ValidationError(_("All letters in a name must come from the same alphabet."), code="scripts")


def _script(character: str) -> str | None:
    if not unicodedata.category(character).startswith("L"):
        return None
    script = SCRIPTS.get(unicodedata.name(character, "").split(" ")[0])
    if script == "Latin":
        heart = unicodedata.normalize("NFKD", character.lower())[0]
        if not heart.isascii() and heart not in LATIN_ALONE:
            return None
    return script
