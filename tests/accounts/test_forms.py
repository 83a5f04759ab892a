"""The fields of the account forms: labels, hints, and attributes for browsers."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client

from accounts.models import User
from tests.accounts.pages import PASSWORD, last_code, log_in

pytestmark = pytest.mark.django_db


def visit(path: str) -> Callable[[Client], bytes]:
    return lambda client: client.get(path).content


def as_alice(path: str) -> Callable[[Client], bytes]:
    def page(client: Client) -> bytes:
        log_in(client, "alice")
        client.post("/account/reauthenticate/", {"password": PASSWORD})
        return client.get(path).content

    return page


def sign_up_code(client: Client) -> bytes:
    form = {"username": "Charlie", "email": "charlie@example.org", "password1": PASSWORD}
    return client.post("/account/signup/", form, follow=True).content


def reset_code(client: Client) -> bytes:
    return client.post("/account/password/reset/", {"email": "alice@example.org"}, follow=True).content


def reset_password(client: Client) -> bytes:
    reset_code(client)
    return client.post("/account/password/reset/confirm/", {"code": last_code()}, follow=True).content


def passkey(client: Client) -> bytes:
    key = Authenticator.objects.create(user=User.objects.get(username="Alice"), type="webauthn", data={"name": "phone"})
    return as_alice(f"/settings/passkeys/keys/{key.pk}/edit/")(client)


HINT = "At least 12 characters. A few words in a row are easy to remember."
AS_TYPED = "autocapitalize=none autocomplete=username autocorrect=off"
CODE = "autocapitalize=characters autocomplete=one-time-code autocorrect=off spellcheck=false"
OLD, NEW = "autocomplete=current-password", "autocomplete=new-password"
ADDRESS = "autocomplete=email maxlength=320"
PAGES: dict[Callable[[Client], bytes], list[tuple[str, str, str]]] = {
    visit("/account/signup/"): [
        (
            "User name",
            "Other players see this name. Use 3 to 20 letters, digits or - _ .",
            f"{AS_TYPED} maxlength=20 minlength=3 spellcheck=false",
        ),
        (
            "Email address",
            "We’ll email you a code now, and later whenever it’s your turn. Other players never see this address.",
            ADDRESS,
        ),
        ("Password", HINT, NEW),
    ],
    visit("/account/login/"): [
        ("User name or email address", "", f"{AS_TYPED} spellcheck=false"),
        ("Password", "", OLD),
    ],
    visit("/account/password/reset/"): [("Email address", "", ADDRESS)],
    sign_up_code: [("Code", "", CODE)],
    reset_code: [("Code", "", CODE)],
    reset_password: [("New password", HINT, NEW)],
    as_alice("/account/password/change/"): [("Current password", "", OLD), ("New password", HINT, NEW)],
    as_alice("/account/email/"): [
        ("New address", "We’ll send a code there. Your address changes once you enter it.", ADDRESS)
    ],
    as_alice("/account/reauthenticate/"): [("Password", "", OLD)],
    as_alice("/settings/passkeys/add/"): [
        ("Name optional", "A name you’ll recognize, such as “Phone” or “Security key”.", "maxlength=40")
    ],
    passkey: [("Name", "", "maxlength=40")],
    as_alice("/settings/"): [
        ("Time zone", "The site shows deadlines and times in this zone.", ""),
        *((label, "", "") for label in ("Same as browser", "English", "Français", "Same as device", "Light", "Dark")),
        ("Animate moves", "", ""),
        ("Play a sound when it’s my turn", "", ""),
        ("Show me in leaderboards", "", ""),
        ("Show my ratings and games to players I haven’t played with", "", ""),
        ("Show my statistics on my profile", "", ""),
        ("Show how fast I usually answer", "", ""),
        ("From optional", "", ""),
        ("Until optional", "", ""),
    ],
    as_alice("/settings/time-zone/"): [("Time zone", "", "")],
}


def fields(page: bytes) -> list[tuple[str, str, str]]:
    """The label, the hint and the attributes of each field of the form."""
    main = page.decode().split("<main")[1]
    found = []
    told = r'(autocapitalize|autocomplete|autocorrect|maxlength|minlength|placeholder|spellcheck)="(.*?)"'
    for name, label in re.findall(r'<label for="(id_\w+)">(.*?)</label>', main, re.DOTALL):
        hint = re.search(rf'id="{name}_helptext">(.*?)</p>', main, re.DOTALL)
        element = re.search(rf'<(?:input|select)[^>]*id="{name}"[^>]*>', main)
        assert element
        said = re.findall(told, element[0])
        words = " ".join(re.sub(r"<.*?>", " ", label).split())
        found.append((words, unescape(hint[1]) if hint else "", " ".join("=".join(each) for each in sorted(said))))
    return found


@pytest.mark.parametrize("page", PAGES)
def test_forms_ask_for_these_fields(client: Client, alice: User, page: Callable[[Client], bytes]) -> None:
    assert fields(page(client)) == PAGES[page]
