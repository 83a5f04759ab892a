"""How much a flood in one queue delays the others, on a running site."""

import tempfile
import time
from pathlib import Path
from statistics import median

from tests.live.site import Site
from tests.runall_tasks import write

QUEUES = {"celery": "", "bots": "games.tasks.think_", "mail": "games.tasks.deliver_"}
"""The queues, each with the beginning of its tasks' names."""
FLOOD, TRIES = 1000, 5
"""The tasks of a flood, each of which only writes a line, and the number of floods of each queue."""


def table() -> None:
    """Print the milliseconds (median) until a task begins in each queue, without a flood and with one in each."""
    print(f"\n{'milliseconds until a task begins':<34}" + "".join(f"{queue:>9}" for queue in QUEUES))
    with tempfile.TemporaryDirectory(prefix="floods-") as folder:
        site = Site(Path(folder) / "var")
        with site.running():
            for full in (None, *QUEUES):
                waits = [_waits(site, full, attempt) for attempt in range(TRIES)]
                times = [1000 * median(each[queue] for each in waits) for queue in QUEUES]
                name = f"{FLOOD} tasks in {full}" if full else "no flood"
                print(f"{name:<34}" + "".join(f"{milliseconds:>9.0f}" for milliseconds in times))


def _waits(site: Site, full: str | None, attempt: int) -> dict[str, float]:
    """The seconds until a task begins in each queue, the flooded one last."""
    flood = f"flood of {full} {attempt}"
    write(str(site.var / flood), "open")
    for _task in range(FLOOD if full else 0):
        site.send(f"{QUEUES[full or 'celery']}dam", flood)
    waits = {}
    for queue in sorted(QUEUES, key=lambda queue: queue == full):
        probe, began = f"{queue} beside {flood}", time.monotonic()
        site.send(f"{QUEUES[queue]}probe", probe)
        while not site.lines(probe):
            time.sleep(0.002)
        waits[queue] = time.monotonic() - began
    return waits
