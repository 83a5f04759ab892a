import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from django.core.mail import EmailMultiAlternatives
from django.core.management import call_command
from playwright.sync_api import Locator, Page

from tests.accounts.pages import PASSWORD, last_code
from tests.axe import Faults, violations
from tests.contexts import Contexts

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FILES = "django.core.mail.backends.filebased.EmailBackend"


@pytest.fixture
def visit(contexts: Contexts, live_server):
    """A new browser; errors in its console fail the test."""
    # Passkeys need a host name, not an IP address.
    address = live_server.url.replace("127.0.0.1", "localhost")
    complaints: list[str] = []

    def open_page(**settings) -> Page:
        page = new(**{"timezone_id": "Asia/Tokyo", **settings}).new_page()
        # The console reports violations of the content security policy.
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("requestfailed", lambda request: complaints.append(f"{request.failure}: {request.url}"))
        return page

    with contexts.lend(address) as new:
        yield open_page
    # The status 429 is expected, and leaving a page stops its loading.
    assert [text for text in complaints if "status of 429" not in text and "ERR_ABORTED" not in text] == []


@pytest.fixture
def check(faults: Faults) -> Callable[[Page], None]:
    """Check that the page has no faults and never scrolls sideways, in both colour schemes, on desktop and phone."""

    def look(page: Page) -> None:
        assert faults(page) == []

    return look


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("main").get_by_role("button", name=name, exact=True)


def press(page: Page, name: str) -> None:
    with page.expect_navigation():
        button(page, name).click()


def log_in(page: Page, password: str = PASSWORD) -> None:
    page.goto("/account/login/")
    page.get_by_label("User name or email address").fill("alice")
    page.get_by_label("Password", exact=True).fill(password)
    press(page, "Log in")


def test_pages_of_a_stranger(visit: Callable[..., Page], check: Callable[[Page], None], alice):
    page = visit()
    page.goto("/account/signup/")
    check(page)
    page.get_by_label("User name").fill("admin")
    page.get_by_label("Email address").fill("charlie@example.org")
    page.get_by_label("Password", exact=True).fill("short")
    press(page, "Sign up")
    check(page)
    page.get_by_label("User name").fill("Charlie")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    press(page, "Sign up")
    check(page)
    page.get_by_label("Code").fill("BBBB-BBBB")
    press(page, "Continue")
    check(page)
    page.get_by_label("Code").fill(last_code())
    press(page, "Continue")
    page.goto("/settings/")
    # The browser sent its time zone.
    assert "Asia/Tokyo" in page.inner_text("main")


def test_pages_around_the_password(visit: Callable[..., Page], check: Callable[[Page], None], alice):
    page = visit()
    page.goto("/account/login/")
    check(page)
    log_in(page, "wrong")
    check(page)
    page.goto("/account/password/reset/")
    check(page)
    page.get_by_label("Email address").fill("alice@example.org")
    press(page, "Send code")
    check(page)
    page.get_by_label("Code").fill(last_code())
    press(page, "Continue")
    check(page)
    page.goto("/account/password/reset/done/")
    check(page)
    page.goto("/account/inactive/")
    check(page)
    for _ in range(6):
        log_in(page, "wrong")
    assert "One gem at a time" in page.inner_text("main")
    check(page)


def test_pages_of_an_account(visit: Callable[..., Page], check: Callable[[Page], None], alice):
    page = visit()
    log_in(page)
    page.goto("/settings/")
    page.locator(".menu-account summary").focus()
    page.keyboard.press("Enter")
    assert page.get_by_role("navigation", name="Your account").get_by_role("link", name="Settings").is_visible()
    check(page)
    press(page, "Save")
    check(page)
    log_in(visit())
    for path in ("/settings/sessions/", "/settings/time-zone/", "/account/password/change/", "/account/logout/"):
        page.goto(path)
        check(page)
    page.goto("/account/email/")
    check(page)
    page.get_by_label("New address").fill("new@example.org")
    press(page, "Send code")
    check(page)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    press(page, "Continue")
    check(page)


def test_themes_are_forced(visit: Callable[..., Page], alice):
    page = visit(color_scheme="light")
    log_in(page)
    page.goto("/settings/")
    background = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(background)
    page.get_by_label("Dark").check()
    press(page, "Save")

    assert page.evaluate(background) != light
    assert violations(page) == ""


def with_authenticator(page: Page) -> Page:
    """The page in a browser that keeps passkeys."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    key = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": {**key, "isUserVerified": True}})
    return page


def test_a_passkey_logs_in(visit: Callable[..., Page], check: Callable[[Page], None], alice):
    page = with_authenticator(visit())
    log_in(page)
    page.goto("/settings/passkeys/")
    check(page)
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    press(page, "Continue")
    check(page)
    page.get_by_label("Name").fill("Key ring")
    press(page, "Create passkey")
    page.wait_for_url("**/settings/passkeys/")
    check(page)
    for name in ("Rename: Key ring", "Remove: Key ring"):
        with page.expect_navigation():
            page.get_by_role("link", name=name).click()
        check(page)
        page.go_back()

    page.context.clear_cookies()
    page.goto("/account/login/?next=/settings/")
    button(page, "Log in with a passkey").click()

    page.wait_for_url(lambda url: urlsplit(url).path == "/settings/")
    assert "Alice" in page.inner_text("main")


def test_staff_add_a_passkey_with_a_code_and_open_their_pages_with_it(
    visit: Callable[..., Page], check: Callable[[Page], None], alice, capsys: pytest.CaptureFixture[str]
):
    call_command("staff", "alice")
    code = capsys.readouterr().out.split()[-1]
    page = with_authenticator(visit())
    log_in(page)
    page.goto("/staff/")
    check(page)
    page.get_by_label("Recovery code").fill(code)
    press(page, "Use the code")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    press(page, "Continue")
    page.get_by_label("Name").fill("Key ring")
    press(page, "Create passkey")
    # Adding the passkey doesn't prove that it works.
    page.goto("/staff/")
    page.get_by_role("link", name="Use a passkey").click()
    button(page, "Use a passkey").click()
    page.wait_for_url(lambda url: urlsplit(url).path == "/staff/")
    check(page)


def test_a_refused_passkey_is_explained(visit: Callable[..., Page], check: Callable[[Page], None], alice):
    page = visit()
    page.add_init_script("navigator.credentials.get = () => Promise.reject(new Error('no'))")
    page.goto("/account/login/")
    button(page, "Log in with a passkey").click()

    page.get_by_text("That didn’t work").wait_for()
    check(page)


def test_a_password_can_be_shown(visit: Callable[..., Page], alice):
    page = visit()
    page.goto("/account/login/")
    field = page.get_by_label("Password", exact=True)
    field.fill(PASSWORD)
    button(page, "Show: Password").click()
    assert field.get_attribute("type") == "text"
    button(page, "Show: Password").click()
    assert field.get_attribute("type") == "password"


def test_everything_without_script(visit: Callable[..., Page], db):
    page = visit(java_script_enabled=False)
    page.goto("/account/signup/")
    for label, text in (("User name", "Dana"), ("Email address", "dana@example.org"), ("Password", PASSWORD)):
        page.get_by_label(label, exact=True).fill(text)
    press(page, "Sign up")
    page.get_by_label("Code").fill(last_code())
    press(page, "Continue")
    page.get_by_label("Time zone").select_option("Europe/Paris")
    press(page, "Save and continue")
    page.locator(".menu-account summary").click()
    with page.expect_navigation():
        page.get_by_role("link", name="Settings").click()
    assert "Europe/Paris" in page.inner_text("main")
    page.get_by_label("Dark").check()
    press(page, "Save")
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.locator(".menu-account summary").click()
    with page.expect_navigation():
        page.get_by_role("button", name="Log out").click()
    assert page.get_by_role("link", name="Sign up").first.is_visible()
    page.goto("/account/login/")
    assert not page.get_by_role("button", name=re.compile("passkey")).is_visible()


def test_mails_are_shown_in_development(
    visit: Callable[..., Page], check: Callable[[Page], None], settings, tmp_path, db
):
    settings.DEBUG, settings.EMAIL_BACKEND, settings.EMAIL_FILE_PATH = True, FILES, str(tmp_path)
    page = visit()
    page.goto("/mail/")
    check(page)
    message = EmailMultiAlternatives("Your turn", "https://example.org/", to=["ana@example.org"])
    html = '<html lang="en"><head><title>Turn</title></head><body><p style="color:#000">héllo</p></body></html>'
    message.attach_alternative(html, "text/html")
    message.send()
    page.goto("/mail/")
    check(page)
    with page.expect_navigation():
        page.get_by_role("link", name="Your turn").click()
    assert page.frame_locator("iframe").get_by_text("héllo").is_visible()
    check(page)
