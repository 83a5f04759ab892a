"""The languages of the site: English, and one for each catalogue. docs/translating.md says how to add one."""

import os
from pathlib import Path

import polib
from django.conf.locale import LANG_INFO

CATALOGUES = Path(__file__).parent / "locale"
PLACE = Path("LC_MESSAGES/django.po")


def known(catalogues: Path = CATALOGUES) -> list[tuple[str, str]]:
    """The code of each language with its own name, as the setting LANGUAGES wants them."""
    codes = ["en", *sorted(path.parents[1].name for path in catalogues.glob(f"*/{PLACE}"))]
    return [(code, str(LANG_INFO[code]["name_local"])) for code in codes]


def compile_catalogues(to: Path, catalogues: Path = CATALOGUES) -> None:
    """Write the catalogues in the form that Django reads. Running processes keep the words that they have read."""
    for path in catalogues.glob(f"*/{PLACE}"):
        target = to / path.relative_to(catalogues).with_suffix(".mo")
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_suffix(f".{os.getpid()}")
        polib.pofile(str(path)).save_as_mofile(str(draft))
        draft.replace(target)
