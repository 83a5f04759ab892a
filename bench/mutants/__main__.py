"""`make mutants` draws mutants by a seed and tries each with the tests that reach it. Results are kept below
`var/mutants`, so an interrupted draw continues with the same seed. The last line is the score."""

import argparse
import io
import json
import os
import secrets
import shutil
import subprocess
import tarfile
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

from bench.mutants import trial
from bench.mutants.draw import Mutant, draw, is_listed
from bench.mutants.reach import Reach

KEPT = Path("var/mutants").resolve()
LISTED = 0.03
"""The maximum share of a draw that may be listed as equivalent to the code."""
ENOUGH = 0.9
"""The minimum share of the others that must be killed."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.mutants", description=__doc__)
    parser.add_argument("--seed", default=secrets.token_hex(4))
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--commit", default="HEAD", help="the commit to change and test; uncommitted edits are ignored")
    parser.add_argument("--show", metavar="MUTANT", type=Mutant.parse, help="print the changed module")
    options = parser.parse_args()
    if options.show:
        print(options.show.source(Path()))
        return 0
    commit = _git("rev-parse", "--short=12", options.commit).decode().strip()
    print(f"commit {commit}, seed {options.seed}, {options.count} mutants", flush=True)
    folder = KEPT / commit
    trees = [folder / f"tree-{number}" for number in range(options.processes)]
    _unpack(trees[0], commit)
    reach = Reach(folder, trees[0], options.processes)
    for tree in trees[1:]:
        shutil.copytree(trees[0], tree, symlinks=True, dirs_exist_ok=True)
    kept = folder / f"seed-{options.seed}.jsonl"
    mutants = draw(trees[0], options.seed, options.count)
    tried = {found["mutant"] for found in _read(kept)}
    pending = [mutant for mutant in mutants if str(mutant) not in tried]
    # Do this before forking, because coverage loses its data in a forked process.
    chosen = [reach.tests(mutant.path, mutant.line) for mutant in pending]
    trial.warm_up()
    for number, tree in enumerate(trees):
        if not os.fork():
            for mutant, tests in islice(zip(pending, chosen, strict=True), number, None, len(trees)):
                _try(mutant, tests, reach.seconds, tree, kept)
            os._exit(0)
    for _ in trees:
        if os.wait()[1]:
            return 1
    drawn = {str(mutant) for mutant in mutants}
    return _score(f"commit {commit}, seed {options.seed}", [each for each in _read(kept) if each["mutant"] in drawn])


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], stdout=subprocess.PIPE, check=True).stdout


def _unpack(tree: Path, commit: str) -> None:
    """Write the files of the commit to the folder, so that edits do not disturb the run and no mutant stays behind."""
    with tarfile.open(fileobj=io.BytesIO(_git("archive", commit))) as archive:
        archive.extractall(tree, filter="data")


def _try(mutant: Mutant, tests: list[str], seconds: dict[str, float], tree: Path, kept: Path) -> None:
    begun = time.monotonic()
    before, after = mutant.change(tree)
    outcome, by = trial.run(mutant, tests, seconds, tree)
    took = round(time.monotonic() - begun, 1)
    found = {"mutant": str(mutant), "before": before, "after": after, "outcome": outcome, "by": by}
    with kept.open("a") as file:
        file.write(json.dumps(found | {"tests": len(tests), "seconds": took}) + "\n")
    print(f"{outcome:8} {took:6} s  {len(tests):4} tests  {mutant}  {by}", flush=True)


def _read(kept: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []


def _score(draw: str, results: list[dict[str, Any]]) -> int:
    """Print the survivors and the score. Return the exit status: 0 if the score is sufficient."""
    counts, survivors = Counter[str](), list[dict[str, Any]]()
    for each in results:
        if is_listed(each["mutant"].split(":")[0], each["before"], each["after"]):
            counts["listed"] += 1
            continue
        counts[each["outcome"]] += 1
        if each["outcome"] == "survived":
            survivors.append(each)
    for each in survivors:
        print(f"{each['mutant']}  ({each['tests']} tests)\n  - {each['before']}\n  + {each['after']}")
    asked = len(results) - counts["listed"]
    killed = asked - counts["survived"]
    print(
        f"mutants: {draw}, {len(results)} drawn, {counts['listed']} listed as equivalent; "
        f"{killed} of {asked} killed ({100 * killed / asked:.1f} %), "
        f"{counts['hung']} of them by time and {counts['broken']} before any test"
    )
    return 0 if killed >= ENOUGH * asked and counts["listed"] <= LISTED * len(results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
