"""Writes every message of the code into every catalogue, and drops the others; `make messages` runs this."""

import os
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import django
import polib
from babel.messages import extract
from django.utils.translation.template import templatize
from jinja2.ext import babel_extract

from splendor_site import languages

ROOT = Path(__file__).parents[1]
PYTHON = [path for app in ("accounts", "games", "splendor_site") for path in sorted((ROOT / app).rglob("*.py"))]
TEMPLATES = [path for path in sorted((ROOT / "templates").rglob("*")) if path.is_file()]
KEYWORDS: dict[str, Any] = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop")),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), ((1, "c"), 2, 3)),
}
JINJA = {"extensions": "games.rendering.Unindented", "newstyle_gettext": "true", "silent": "false"}


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    messages = extracted()
    for path in sorted(languages.CATALOGUES.glob(f"*/{languages.PLACE}")):
        before = polib.pofile(str(path))
        after = merged(messages, before)
        after.save(str(path))
        print(f"{path.relative_to(ROOT)}: {len(after)} messages, {len(after.untranslated_entries())} to translate")
    from django.conf import settings

    languages.compile_catalogues(settings.LOCALE_PATHS[0])


def extracted() -> list[polib.POEntry]:
    """Every message of the code and the templates, once, in the order of the sources."""
    found: dict[tuple[Any, ...], polib.POEntry] = {}
    for path in (*PYTHON, *TEMPLATES):
        for context, message, comments in _messages(path):
            one, many = message if isinstance(message, tuple) else (message, "")
            entry = found.setdefault((context, one), polib.POEntry(msgid=one, msgctxt=context, encoding="utf-8"))
            if many:
                entry.msgid_plural = many
            place = (str(path.relative_to(ROOT)), "")
            if place not in entry.occurrences:
                entry.occurrences.append(place)
            entry.comment = "\n".join(dict.fromkeys([*filter(None, entry.comment.split("\n")), *comments]))
            if "%(" in one and "python-format" not in entry.flags:
                entry.flags.append("python-format")
    return list(found.values())


def merged(messages: list[polib.POEntry], translated: polib.POFile) -> polib.POFile:
    """These messages with the words that the catalogue has for them."""
    known = {(entry.msgctxt, entry.msgid): entry for entry in translated if not entry.obsolete}
    catalogue = polib.POFile(wrapwidth=110)
    catalogue.header, catalogue.metadata = translated.header, translated.metadata
    forms = range(number_of_forms(translated))
    for message in messages:
        before = known.get((message.msgctxt, message.msgid), polib.POEntry())
        entry = polib.POEntry(**vars(message))
        if entry.msgid_plural:
            entry.msgstr_plural = {form: before.msgstr_plural.get(form, "") for form in forms}
        else:
            entry.msgstr = before.msgstr
        catalogue.append(entry)
    return catalogue


def number_of_forms(catalogue: polib.POFile) -> int:
    """The number of plural forms, `2` of “nplurals=2; plural=(n > 1);”."""
    return int(catalogue.metadata["Plural-Forms"].split(";")[0].split("=")[1])


def _messages(path: Path) -> Iterator[tuple[str | None, Any, list[str]]]:
    method: Any = "python" if path.suffix == ".py" else babel_extract if path.suffix == ".jinja" else _django
    options = JINJA if path.suffix == ".jinja" else {}
    with path.open("rb") as file:
        found = extract.extract(method, file, KEYWORDS, ["Translators:"], options, strip_comment_tags=True)
        for _line, message, comments, context in found:
            yield context, message, comments


def _django(file: BinaryIO, keywords: Any, comment_tags: Any, options: Any) -> Iterator[Any]:
    """The messages of a Django template, which Django turns into something like Python."""
    lines = templatize(file.read().decode()).splitlines()
    code = "\n".join(line.strip() for line in lines).encode()
    return extract.extract_python(BytesIO(code), keywords, comment_tags, options)


if __name__ == "__main__":
    main()
