"""Every catalogue has every message of the code, and a third language needs a catalogue and nothing else."""

import re
from pathlib import Path

import polib
import pytest
from django.test import Client, override_settings

from accounts.models import User
from splendor_site import languages
from tests import catalogues
from tests.wording.marked import CODE, messages

PATHS = sorted(languages.CATALOGUES.glob(f"*/{languages.PLACE}"))
GAP = re.compile(r"%\(\w+\)[sd]|%%|\{\w*\}")
TAG = re.compile(r"<[^>]*>|&\w+;")
FAULTS = {
    "straight apostrophe": re.compile(r"\w'\w"),
    "no narrow space before a mark": re.compile(r"(?<!\u202f)[;!?»](?=\s|$)|(?<![\u202f\d]):(?=\s|$)"),
    "no narrow space after a guillemet": re.compile(r"«(?!\u202f)"),
    "English quotation marks": re.compile("[“”]"),
    "space at an end": re.compile(r"^\s|\s$"),
}
"""What a French editor would correct."""
SAME = {
    "%(number)d onyx", "%(number)d point", "%(time)s UTC",
    "20 points.", "Bonus", "Code", "Contact", "Cookies", "Ctrl", "Date", "Europe", "Migrations", "Nobles", "Note", "OK",
    "Pause", "Points", "Sessions", "Site", "Tables", "double bonus", "onyx", "points", "{n} minute",
}  # fmt: skip
"""The messages that are the same in French."""


@pytest.fixture(scope="module")
def extracted() -> list[polib.POEntry]:
    return catalogues.extracted()


@pytest.fixture(scope="module")
def french() -> polib.POFile:
    return polib.pofile(str(languages.CATALOGUES / "fr" / languages.PLACE))


def words(entry: polib.POEntry) -> list[str]:
    """The translations of a message: one, or one for each plural form."""
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def test_extraction_finds_what_the_syntax_tree_has(extracted: list[polib.POEntry]) -> None:
    """An f-string hides its messages from Babel."""
    found = {text for entry in extracted for text in (entry.msgid, entry.msgid_plural)}
    assert {message for path in CODE for message in messages(path)} - found == set()


@pytest.mark.parametrize("path", PATHS, ids=[path.parents[1].name for path in PATHS])
def test_a_catalogue_is_whole_and_has_nothing_else(path: Path, extracted: list[polib.POEntry]) -> None:
    catalogue = polib.pofile(str(path))
    wanted = {(entry.msgctxt, entry.msgid, entry.msgid_plural) for entry in extracted}
    assert {(entry.msgctxt, entry.msgid, entry.msgid_plural) for entry in catalogue} == wanted, "run make messages"
    forms = catalogues.number_of_forms(catalogue)
    for entry in catalogue:
        assert entry.translated(), f"not translated: {entry.msgid}"
        assert not entry.obsolete
        if entry.msgid_plural:
            assert sorted(entry.msgstr_plural) == list(range(forms)), entry.msgid


def test_make_messages_changes_nothing_here(extracted: list[polib.POEntry], french: polib.POFile) -> None:
    assert [*map(str, catalogues.merged(extracted, french))] == [*map(str, french)]


def test_make_messages_keeps_translations_adds_new_messages_and_drops_old_ones(french: polib.POFile) -> None:
    one, many = (next(entry for entry in french if bool(entry.msgid_plural) == plural) for plural in (False, True))
    new = polib.POEntry(msgid="%(n)d new gem", msgid_plural="%(n)d new gems")
    after = catalogues.merged([many, new, one], french)
    assert [(entry.msgid, *words(entry)) for entry in after] == [
        (many.msgid, *words(many)),
        (new.msgid, "", ""),
        (one.msgid, one.msgstr),
    ]


@pytest.mark.parametrize("path", PATHS, ids=[path.parents[1].name for path in PATHS])
def test_translations_have_the_placeholders_of_their_messages(path: Path) -> None:
    for entry in polib.pofile(str(path)):
        gaps = set(GAP.findall(entry.msgid))
        for form, told in enumerate(words(entry)):
            if entry.msgid_plural and form:
                gaps = set(GAP.findall(entry.msgid_plural))
            assert set(GAP.findall(told)) == gaps, told
            assert sorted(TAG.findall(told)) == sorted(TAG.findall(entry.msgid)) or entry.msgid_plural, told


@pytest.mark.parametrize("fault", FAULTS)
def test_french_is_set_as_an_editor_would(french: polib.POFile, fault: str) -> None:
    found = {told for entry in french for told in words(entry) if FAULTS[fault].search(TAG.sub("", told))}
    assert found == set()


def test_few_messages_are_the_same_in_french(french: polib.POFile) -> None:
    same = {
        entry.msgid
        for entry in french
        if entry.msgid in words(entry) and re.search(r"[^\W\d_]{2}", GAP.sub("", TAG.sub("", entry.msgid)))
    }
    assert same == SAME
    assert len(SAME) <= 60


GERMAN = r"""
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

msgctxt "this language, as an HTML lang attribute"
msgid "en"
msgstr "de"

msgid "Home page"
msgstr "Startseite"

msgid "The games"
msgstr "Die Spiele"
"""


@pytest.mark.django_db
def test_a_third_language_needs_one_catalogue(tmp_path: Path, client: Client, alice: User) -> None:
    path = tmp_path / "catalogues" / "de" / languages.PLACE
    path.parent.mkdir(parents=True)
    path.write_text(GERMAN)
    known = languages.known(path.parents[2])
    assert known == [("en", "English"), ("de", "Deutsch")]
    languages.compile_catalogues(tmp_path / "compiled", path.parents[2])
    with override_settings(LANGUAGES=known, LOCALE_PATHS=[tmp_path / "compiled"]):
        page = client.get("/de/").content.decode()
        assert '<html lang="de"' in page
        assert "Die Spiele" in page
        assert 'hreflang="de" href="http://127.0.0.1:8000/de/"' in page
        assert re.search(r'value="de"\s+lang="de"\s+aria-pressed="true">Deutsch<', page)
        missing = Client().get("/nothing/", headers={"accept-language": "de"})
        assert "Startseite" in missing.content.decode()
        client.force_login(alice)
        settings = {"time_zone": "Europe/Berlin", "language": "de", "theme": "auto"}
        assert "Deutsch" in client.get("/settings/").content.decode()
        assert client.post("/settings/", settings).status_code == 302
        assert client.get("/settings/")["Content-Language"] == "de"
