"""Installs and operates a site as docs/operating.md says, with its very commands, in a bare Debian root; then builds
the image and runs the processes of its containers. Needs root, debootstrap, the network, and the ports of a site.

    python -m bench.bare                     all stages, in new roots
    python -m bench.bare upgrade backup      these stages, in the roots that the last run left behind
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic, sleep

from bench.bare import mail
from bench.bare.recipes import PROJECT, Image, blocks, services
from bench.bare.roots import Failed, Root, bootstrap, shown

FOLDER = Path(os.environ.get("BARE_DIR", "/var/tmp/cabochon-bare"))
SITE, BOX = Root(FOLDER / "site"), Root(FOLDER / "image")
"""The machine that the document describes, and what the Containerfile makes."""
ADDRESS = "https://example.org/cabochon.git"
"""The address in the document; in the roots it leads to a copy of this repository."""
EARLIER = os.environ.get("BARE_FROM", "HEAD~100")
"""The commit from which the stage `upgrade` starts."""
ACCOUNTS = [
    "setpriv",
    "--reuid",
    "10001",
    "--regid",
    "10001",
    "--clear-groups",
    "--no-new-privs",
    "--bounding-set=-all",
]
COMPOSED = {
    "ALLOWED_HOSTS": "games.example.org",
    "EMAIL_URL": "smtp+tls://user:password@mail.example.org:587",
    "SECRET_KEY": "a key for this test alone, which nobody else may know",
    "POSTGRES_PASSWORD": "password",
}

PLAY = """
from accounts.models import User
from games.models import Game
from games.services import play
from games.services.tables import tables
import sys, time
alice, _ = User.objects.get_or_create(username="Alice", email="alice@example.org")
bot = %r
spec = tables.TableSpec("splendor", 2, (bot,)) if bot else None
game = tables.create(alice, spec)
last = time.monotonic() + 900
moves = 0
while moves < 3:
    game.refresh_from_db()
    if game.to_act is not None and game.seat_set.get(index=game.to_act).user_id:
        play.submit(game, play.Actor(alice), game.number, [str(play.look(game, alice).legal[0])])
        moves += 1
    elif time.monotonic() > last:
        sys.exit("The bot does not move.")
    else:
        time.sleep(0.5)
print("played", game.pk)
"""
"""Three moves against a bot, whose own moves come from a worker of the running site."""
PERSON_12 = "from accounts.models import User; User.objects.create_user('twelve', 'twelve@example.org', pk=12)"
TOTALS = "from games.models import Game, Move; print(Game.objects.count(), Move.objects.count())"
UNTIL_IT_ANSWERS = "until curl --silent --output /dev/null http://127.0.0.1:8000/; do sleep 5; done"


# --- stages ---


def install() -> None:
    SITE.create(FOLDER / "base")
    SITE.trust(mail.certificate(FOLDER))
    SITE.mount()
    stand_in = SITE.place / "usr/local/sbin/systemctl"
    shutil.copy(PROJECT / "bench/bare/systemctl.py", stand_in)
    stand_in.chmod(0o755)
    # Without systemd, packages start their services by this permission only.
    permission = SITE.place / "usr/sbin/policy-rc.d"
    permission.write_text("#!/bin/sh\n")
    permission.chmod(0o755)
    publish()
    follow("Installing")


def publish(commit: str = "HEAD") -> None:
    """Let the address in the document lead to this commit."""
    copy = SITE.place / "srv/cabochon.git"
    if not copy.exists():
        subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", copy], check=True)
    subprocess.run(["git", "push", "--quiet", "--force", copy, f"{commit}:refs/heads/main"], cwd=PROJECT, check=True)
    (SITE.place / "etc/gitconfig").write_text(
        f'[url "file:///srv/cabochon.git"]\n\tinsteadOf = {ADDRESS}\n[safe]\n\tdirectory = /srv/cabochon.git\n'
    )


def mails() -> None:
    before = len(KEPT.subjects.get("you@example.org", []))
    follow("Mail")
    expect(len(KEPT.subjects["you@example.org"]) == before + 1, "the test mail arrives")


def play(bot: str = "random") -> None:
    SITE.run(f"cabochon shell --no-imports -c {quoted(PLAY % bot)}")


def backup() -> None:
    """Back up and restore; what was played in between is gone."""
    first, *rest = blocks()["Backup"]
    before = totals()
    SITE.run(first)
    play()
    expect(totals() != before, "a game after the backup counts")
    for block in rest:
        SITE.run(block)
    expect(totals() == before, "the restored site has what the backup had")
    play()


def bots() -> None:
    """A bot that looks ahead moves as soon as its code is compiled."""
    play("medium")
    follow("The bots")


def doctor() -> None:
    follow("Is it well?")


def staff() -> None:
    follow("Moderation")


def people() -> None:
    """Delete the account that the document names."""
    SITE.run(f"cabochon shell --no-imports -c {quoted(PERSON_12)}")
    follow("People's data")


def upgrade() -> None:
    """A site of an earlier version becomes one of this version, with its games."""
    SITE.run("systemctl stop cabochon\nfind /srv/cabochon/var -mindepth 1 -maxdepth 1 ! -name numba -exec rm -r {} +")
    publish(EARLIER)
    SITE.run(
        "runuser -u cabochon -- git fetch --quiet && runuser -u cabochon -- git reset --quiet --hard origin/main\n"
        f"systemctl start cabochon\n{UNTIL_IT_ANSWERS}",
        "/srv/cabochon",
    )
    play()
    before = totals()
    publish()
    follow("Upgrade")
    expect(totals() == before, "nothing is lost")
    play()
    SITE.run("cabochon replay_games")


def postgresql() -> None:
    follow("PostgreSQL, Redis and several machines")
    play()
    SITE.run("cabochon replay_games")


def image() -> None:
    """Build the image as its Containerfile says."""
    recipe = Image.read()
    folder = "/"
    for instruction, rest in recipe.steps:
        print(f"  {instruction} {rest}", flush=True)
        if instruction == "FROM":
            BOX.create(FOLDER / "base")
            BOX.trust(mail.certificate(FOLDER))
            BOX.mount()
        elif instruction == "WORKDIR":
            folder = rest
            (BOX.place / folder[1:]).mkdir(parents=True, exist_ok=True)
        elif instruction == "COPY":
            *names, _here = rest.split()
            wanted = [] if names == ["."] else names
            tree = subprocess.run(["git", "archive", "HEAD", *wanted], cwd=PROJECT, check=True, stdout=subprocess.PIPE)
            subprocess.run(["tar", "-x", "-C", BOX.place / folder[1:]], input=tree.stdout, check=True)
        else:
            BOX.run(rest, folder)


def containers() -> None:
    """Run the services of the compose file, each in mounts of its own, on the PostgreSQL and Redis of the site."""
    if not (BOX.place / "proc/self").exists():
        BOX.mount()
    SITE.run(
        "systemctl stop cabochon\nrunuser -u postgres -- psql --quiet --command 'DROP DATABASE IF EXISTS cabochon'\n"
        "runuser -u postgres -- createdb --owner cabochon cabochon\nredis-cli flushall"
    )
    recipe, started = Image.read(), []
    try:
        for name, service in services(COMPOSED).items():
            folder = FOLDER / "volumes" / name
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            os.chown(folder, 10001, 10001)
            folder.chmod(0o700)
            log = (FOLDER / f"{name}.log").open("wb")
            words = boxed(recipe, service, folder, recipe.command)
            started.append(subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log))
            print(f"  {name} has started.", flush=True)
            if "healthcheck" not in service:
                wait(partial(succeeds, boxed(recipe, service, folder, recipe.check)))
        within = boxed(recipe, service, folder, [".venv/bin/python", "manage.py"])
        wait(lambda: subprocess.call([*within, "doctor"]) < 2, pause=10)
        for bot in ("random", "medium"):
            shown([*within, "shell", "--no-imports", "-c", PLAY % bot], os.environ, f"a game against {bot}")
        written = subprocess.run(["find", BOX.place, "-xdev", "-newer", folder, "-uid", "10001"], capture_output=True)
        expect(not written.stdout, "nothing is written into the image")
    finally:
        for program in started:
            program.terminate()
        ends = [program.wait(60) for program in started]
    expect(ends == [0] * len(started), "every container stops in order")


def boxed(recipe: Image, service: dict[str, object], folder: Path, command: list[str]) -> list[str]:
    """The command as the service runs it: without privileges, on a file system that it cannot change."""
    root, data = BOX.place, BOX.place / "data"
    variables = {**recipe.environment, **{key: str(value) for key, value in service["environment"].items()}}  # type: ignore[attr-defined]
    variables |= {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "SSL_CERT_FILE": BOX.environment()["SSL_CERT_FILE"]}
    script = (
        f"mount --bind {root} {root}; mount --rbind /dev {root}/dev; mount -t proc proc {root}/proc; "
        f"mount -o remount,bind,ro {root}; mount -t tmpfs tmpfs {root}/tmp; mount --bind {folder} {data}; "
        'cd /; exec chroot "$@"'
    )
    words = [f"{key}={value}" for key, value in variables.items()]
    inner = ["sh", "-c", 'cd /srv/cabochon; exec "$@"', "sh", *command]
    outer = ["unshare", "--mount", "sh", "-euc", script, "sh", str(root)]
    return [*outer, *ACCOUNTS, "env", "-i", *words, *inner]


# --- the parts of stages ---


def follow(section: str) -> None:
    """Run all blocks of that section of the document."""
    for block in blocks()[section]:
        print("  " + block.strip().replace("\n", "\n  "), flush=True)
        SITE.run(block)


def totals() -> str:
    return SITE.run(f"cabochon shell --no-imports -c {quoted(TOTALS)}").splitlines()[-1]


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def wait(done: Callable[[], bool], seconds: float = 1200, pause: float = 2) -> None:
    last = monotonic() + seconds
    while not done():
        if monotonic() > last:
            raise Failed("waited in vain")
        sleep(pause)


def succeeds(words: list[str]) -> bool:
    return subprocess.run(words, capture_output=True, check=False).returncode == 0


def expect(holds: bool, what: str) -> None:
    if not holds:
        raise Failed(f"expected: {what}")
    print(f"  OK: {what}.", flush=True)


STAGES: dict[str, Callable[[], None]] = {
    "install": install,
    "mail": mails,
    "play": play,
    "backup": backup,
    "staff": staff,
    "people": people,
    "bots": bots,
    "doctor": doctor,
    "upgrade": upgrade,
    "postgresql": postgresql,
    "image": image,
    "containers": containers,
}
KEPT = mail.Kept()


def resume() -> None:
    """Start what ran in the roots when the last run ended."""
    SITE.mount()
    SITE.run(
        "rm -f /run/*.pid\n"
        "for name in postgresql redis-server; do [ ! -e /etc/init.d/$name ] || service $name start; done\n"
        f"systemctl start cabochon\n{UNTIL_IT_ANSWERS}"
    )


def main(names: list[str]) -> int:
    if os.geteuid():
        sys.exit("This needs root, for chroot and mounts.")
    if "BARE_INSIDE" not in os.environ:
        # Mounts and processes end with this program, whatever happens.
        inside = [
            "unshare",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "--mount-proc",
            sys.executable,
            "-m",
            "bench.bare",
        ]
        return subprocess.call([*inside, *names], env={**os.environ, "BARE_INSIDE": "1"})
    FOLDER.mkdir(parents=True, exist_ok=True)
    bootstrap(FOLDER / "base")
    running = mail.server(FOLDER, KEPT)
    running.start()
    begun, stage = monotonic(), "resume"
    try:
        if names and names[0] != "install":
            resume()
        for stage in names or STAGES:
            print(f"\n== {stage} ({(monotonic() - begun) / 60:.0f} min)", flush=True)
            STAGES[stage]()
    except (Failed, subprocess.CalledProcessError) as failed:
        print(f"bare: {stage} FAILED. {failed}")
        return 1
    finally:
        running.stop()
    print(f"bare: {', '.join(names or STAGES)} went well in {(monotonic() - begun) / 60:.0f} minutes.")
    return 0


sys.exit(main(sys.argv[1:]))
