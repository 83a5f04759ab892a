from pathlib import Path
from time import sleep

from celery import Task, shared_task


def write(path: str, line: str) -> None:
    with Path(path).open("a") as book:
        book.write(f"{line}\n")


def probe(self: Task, path: str) -> None:
    """Writes the name of its worker."""
    write(path, self.request.hostname.partition("@")[0])


def hold(path: str) -> None:
    """Runs until the file `go` exists."""
    write(path, "begun")
    while "go\n" not in Path(path).read_text():
        sleep(0.05)
    write(path, "done")


def dam(path: str) -> None:
    """Waits until the file exists, then adds a line to it."""
    while not Path(path).exists():
        sleep(0.05)
    write(path, "done")


for name in ("", "games.tasks.think_", "games.tasks.deliver_"):
    shared_task(dam, name=f"{name}dam")
shared_task(probe, name="probe", bind=True)
shared_task(probe, name="games.tasks.think_probe", bind=True)
shared_task(probe, name="games.tasks.deliver_probe", bind=True)
shared_task(hold, name="hold")
