#!/usr/bin/python3
"""Stands in for systemctl in a root without systemd: starts the program of a unit with its user, folder and
environment, and stops it with SIGTERM. The fences of the unit are left out."""

import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

STOPS = 30


def unit(name: str) -> dict[str, list[str]]:
    """The settings of the unit's service."""
    found: dict[str, list[str]] = {}
    for line in Path(f"/etc/systemd/system/{name}.service").read_text().splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


def start(name: str) -> None:
    said = unit(name)
    environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "LANG": "C.UTF-8"}
    for file in ["/etc/environment", *said["EnvironmentFile"]]:
        for line in filter(None, Path(file).read_text().splitlines()):
            key, _, value = line.partition("=")
            environment[key] = value[1:-1] if value[:1] == value[-1:] == "'" else value
    for value in said["Environment"]:
        environment |= dict(word.split("=", 1) for word in shlex.split(value))
    [user], [folder] = said["User"], said["WorkingDirectory"]
    for cache in said.get("CacheDirectory", []):
        subprocess.run(["install", "-d", "-o", user, "-g", user, f"/var/cache/{cache}"], check=True)
    words = ["setpriv", "--reuid", user, "--regid", user, "--init-groups", "--no-new-privs", "--bounding-set=-all"]
    with Path(f"/var/log/{name}.log").open("ab") as log:
        program = subprocess.Popen(
            [*words, *shlex.split(said["ExecStart"][0])],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            umask=int(said["UMask"][0], 8),
        )
    Path(f"/run/{name}.pid").write_text(str(program.pid))


def stop(name: str) -> None:
    place = Path(f"/run/{name}.pid")
    if not place.exists():
        return
    process = int(place.read_text())
    last = time.monotonic() + STOPS
    try:
        os.kill(process, signal.SIGTERM)
        while time.monotonic() < last:
            if Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                break
            time.sleep(0.2)
        else:
            sys.exit(f"{name} did not stop within {STOPS} seconds.")
    except (ProcessLookupError, FileNotFoundError):
        pass
    place.unlink()


def main() -> None:
    match [word for word in sys.argv[1:] if not word.startswith("--")]:
        case ["enable" | "start", name]:
            start(name)
        case ["stop", name]:
            stop(name)
        case ["restart", name]:
            stop(name)
            start(name)
        case ["daemon-reload"]:
            pass
        case _:
            sys.exit(f"This stand-in knows no {' '.join(sys.argv)}.")


main()
