"""The cost of pages under the present web server and under the former one: `python -m bench.servers` (Linux).

This needs Granian, which is not locked: `.venv/bin/uv pip install granian==2.8.7`. Both serve the same site at the same
time, with one process and one thread, and a round requests each page of each server in turn. Costs are measured as in
`bench.pages`: medians of the processor time that a server spends on a request. Waits are medians of the time until an
answer is complete.
"""

import sys
import time
from collections import defaultdict
from statistics import median

from bench.pages import PORT, ROUNDS, WARMING, Bench, line, running, server, site, spent

GRANIAN = PORT + 1


def main() -> None:
    words = ["--interface", "wsgi", "--port", str(GRANIAN), "--blocking-threads", "1", "--no-ws"]
    command = [sys.executable, "-m", "granian", *words, "bench.wsgi:application"]
    with site(), server(PORT) as ours, running(command, GRANIAN) as granian:
        bench = Bench(PORT)
        servers = {"waitress": (ours, bench.line), "granian": (granian, line(GRANIAN))}
        costs: dict[tuple[str, str], list[float]] = defaultdict(list)
        waits: dict[tuple[str, str], list[float]] = defaultdict(list)
        pages = bench.pages()
        for _round in range(WARMING + ROUNDS):
            for page, requests in pages.items():
                for name, (process, bench.line) in servers.items():
                    asks = requests()
                    before, began = spent(process), time.perf_counter()
                    for ask in asks:
                        assert ask().status in (200, 204)
                    waits[page, name].append((time.perf_counter() - began) / len(asks))
                    costs[page, name].append((spent(process) - before) / len(asks))
    print("page                  cost, ms: waitress  granian  ratio   wait, ms: waitress  granian  ratio")
    for page in pages:
        figures = []
        for table in (costs, waits):
            here, there = (1000 * median(table[page, name][WARMING:]) for name in servers)
            figures.append(f"{here:>18.2f} {there:>8.2f} {here / there:>6.2f}")
        print(f"{page:<20}", *figures, sep="  ")


if __name__ == "__main__":
    main()
