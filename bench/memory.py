"""The memory of `make serve` while people play: `python -m bench.memory`.

It prints the proportional set size (PSS, which divides shared pages among their processes) of every process after
half of the time and at the end, in MB.
"""

import argparse
import os
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

from bench.cluster.machines import Machine
from tests.shared import PROJECT
from tests.smtp import MailServer

# Django is imported only after its settings are known.

PEOPLE, GAMES, THREADS = 24, 60, 2
BOTS = ("medium", "strongest")
"""A quick one and a slow one, which take turns in the bots' process."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    minutes = parser.parse_args().minutes
    with tempfile.TemporaryDirectory(prefix="memory-") as folder, MailServer() as mails:
        environment = {"EMAIL_URL": f"smtp://127.0.0.1:{mails.port}", "SECRET_KEY": "x" * 64}
        os.environ |= {**environment, "DJANGO_SETTINGS_MODULE": "bench.cluster.settings"}
        # The environment may hold the settings of a real site.
        os.environ |= {"DATABASE_URL": "", "REDIS_URL": ""}
        os.environ["VAR_DIR"] = str(Path(folder) / "machine" / "var")
        machine = Machine(Path(folder) / "machine", PROJECT, environment)
        import django

        django.setup()
        from django.core.management import call_command

        from bench.cluster.load import Load

        call_command("migrate", verbosity=0)
        load = Load([machine], Random(0), BOTS)
        load.populate(PEOPLE, GAMES, 0)
        machine.start()
        threads = [threading.Thread(target=load.play, args=(at, THREADS)) for at in range(THREADS)]
        try:
            for thread in threads:
                thread.start()
            totals = []
            for _half in range(2):
                time.sleep(minutes * 30)
                sizes = measure(machine)
                totals.append(sum(sizes.values()))
                print(f"{len(load.moves)} moves, {sum(sizes.values()):.0f} MB: {told(sizes)}", flush=True)
            print(f"In the second half it grew by {totals[1] / totals[0] - 1:.1%}.")
        finally:
            load.stopping.set()
            for thread in threads:
                thread.join()
            machine.kill()


def measure(machine: Machine) -> Counter[str]:
    """The MB of all processes of each name."""
    sizes = Counter[str]()
    for process in machine.site.processes():
        with suppress(OSError):
            folder = Path("/proc") / str(process)
            lines = (folder / "smaps_rollup").read_text().splitlines()
            [size] = [int(line.split()[1]) for line in lines if line.startswith("Pss:")]
            sizes[(folder / "comm").read_text().strip().removeprefix("cabochon-")] += size / 1024  # type: ignore[assignment]
    return sizes


def told(sizes: Counter[str]) -> str:
    return ", ".join(f"{name} {size:.0f}" for name, size in sizes.most_common())


if __name__ == "__main__":
    main()
