"""Each language has one form of dates and times, on all pages."""

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
import time_machine
from django.core.mail import get_connection
from django.core.mail.message import EmailMessage
from django.template import Context, Template
from django.test import Client
from django.utils import timezone, translation

from accounts.models import User
from tests.accounts.pages import log_in

TEMPLATES = Path(__file__).parents[2] / "templates"
AT = datetime(2026, 11, 22, 22, 25, tzinfo=UTC)
"""It is an hour later in Paris, where Alice lives."""
FORMS = {
    "": ("Sun 22 Nov 2026", "22 novembre 2026"),
    "TIME_FORMAT": ("23:25", "23:25"),
    "DATETIME_FORMAT": ("Sun 22 Nov 2026, 23:25", "22 novembre 2026 à 23:25"),
    "SHORT_DATE_FORMAT": ("22 Nov 2026", "22/11/2026"),
    "SHORT_DATETIME_FORMAT": ("22 Nov 2026, 23:25", "22/11/2026 23:25"),
    "MONTH_DAY_FORMAT": ("22 November", "22 novembre"),
    "YEAR_MONTH_FORMAT": ("November 2026", "novembre 2026"),
}


@pytest.mark.parametrize("name", FORMS)
def test_every_language_has_its_own_form(name: str) -> None:
    template = Template('{{ at|date:"' + name + '" }}' if name else "{{ at|date }}")
    for language, form in zip(("en", "fr"), FORMS[name], strict=True):
        with translation.override(language), timezone.override("Europe/Paris"):
            assert template.render(Context({"at": AT})) == form


def test_no_template_has_a_form_of_its_own() -> None:
    named = {"", *(f'"{name}"' for name in FORMS if name)}
    forms = {
        f"{path.relative_to(TEMPLATES)}: {form or 'none'}": form
        for path in TEMPLATES.rglob("*.*")
        for form in re.findall(r"\|(?:date|time)\b:?(\"[^\"]*\")?", path.read_text(encoding="utf-8"))
    }
    assert len(forms) > 8
    assert [place for place, form in forms.items() if form not in named] == []


@pytest.mark.django_db
def test_sessions_and_mails_show_it(client: Client, alice: User, settings, tmp_path) -> None:
    settings.DEBUG, settings.EMAIL_FILE_PATH = True, str(tmp_path)
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    with time_machine.travel(AT, tick=False):
        EmailMessage("Subject", "text", to=["ana@example.org"], connection=get_connection()).send()
        log_in(client, "alice")
        [mail] = tmp_path.iterdir()
        pages = {path: client.get(path).content.decode() for path in ("/settings/sessions/", "/mail/")}
        pages["mail"] = client.get(f"/mail/{mail.stem}/0/").content.decode()
    assert "Since Sun 22 Nov 2026, 23:25 · " in pages["/settings/sessions/"]
    assert "22 Nov 2026, 23:25" in pages["/mail/"]
    assert "Sun 22 Nov 2026, 23:25" in pages["mail"]
