"""Processes that sweep at the same moment, on a database of their own: `python -m tests.services.race_sweep
first|killed`.

Run with DATABASE_URL in the environment. Prints one JSON object: how many sweeps began; with `killed`, also how many
holders of the lease were killed before, and how many sweeps began at once after that.
"""

import json
import multiprocessing
import os
import signal
import sys
from datetime import timedelta
from multiprocessing.context import ForkServerContext
from multiprocessing.synchronize import Barrier

import django

RACERS = 8


def sweep(start: Barrier, late: timedelta) -> bool:
    """Whether a sweep that begins that much later gets the lease."""
    django.setup()
    import time_machine  # once Django is set up

    from games.services.clocks.moment import now
    from games.services.work import leases

    start.wait()
    with time_machine.travel(now() + late):
        return leases.take() is not None


def die() -> None:
    """Take the lease, and be killed."""
    django.setup()
    from games.services.work import leases  # once Django is set up

    assert leases.take()
    os.kill(os.getpid(), signal.SIGKILL)


def begun(context: ForkServerContext, late: timedelta = timedelta(0)) -> int:
    """How many of several simultaneous sweeps begin."""
    with context.Manager() as manager, context.Pool(RACERS) as pool:
        start = manager.Barrier(RACERS)
        return sum(pool.starmap(sweep, [(start, late)] * RACERS, chunksize=1))


def main(mode: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "splendor_site.settings")
    django.setup()
    from django.db import connection  # once Django is set up

    from games.services.work import leases

    connection.close()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.services.loaded"])
    found = {}
    if mode == "killed":
        holder = context.Process(target=die)
        holder.start()
        holder.join()
        found = {"killed": int(holder.exitcode == -signal.SIGKILL), "at_once": begun(context)}
    found["begun"] = begun(context, leases.LEASE if mode == "killed" else timedelta(0))
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
