"""The bot *strongest* of 22 November 2026 as an external bot, an opponent for later ones:

    python manage.py simulate duel --paired --games 200 --time 1 --cpu-time --start 300 --seed SEED \
        --bots "strongest,exec:.venv/bin/python bench/strongest_2026.py"

It runs the code and the networks of that day, which Git takes out of the history once, into `var/strongest-2026`.
"""

import json
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time

ROOT = Path(__file__).parents[1]
COMMIT = "7df243d2a4e696ccd3e93801b6743c191bfa29b0"
PARTS = ("games/__init__.py", "games/bots", "games/rules")


def code() -> Path:
    """The folder with the code of that day."""
    folder = ROOT / "var/strongest-2026"
    if not folder.exists():
        folder.parent.mkdir(exist_ok=True)
        with TemporaryDirectory(dir=folder.parent) as place:
            archive = subprocess.run(["git", "archive", COMMIT, *PARTS], cwd=ROOT, check=True, stdout=subprocess.PIPE)
            subprocess.run(["tar", "--extract", "--directory", place], input=archive.stdout, check=True)
            with suppress(OSError):  # another game has just put it there
                Path(place).rename(folder)
    return folder


def main() -> None:
    """Answer requests until the input ends."""
    sys.path.insert(0, str(code()))
    base, players, search, codec = map(
        import_module, ("games.bots.base", "games.bots.players", "games.bots.search", "games.rules.codec")
    )
    rng, warm = Random(0), False
    for line in sys.stdin:
        request = json.loads(line)
        if request["clock"] == "processor":
            vars(search).update(perf_counter=process_time)
        engine = players.ENGINES[request["title"]]
        seen = codec.load(request["seen"], import_module(f"games.rules.{request['title']}.state").Observation)
        legal = [engine.ruleset.parse(notation) for notation in request["legal"]]
        # The core knows one payment for each purchase, the one with the least gold, which comes first.
        usual = {tuple(engine.observed.path(seen, action)): action for action in reversed(legal)}
        bot = search.Searcher(engine, players.networked)
        actions = list(usual.values())
        if not warm:  # the time for its first decision would go into loading
            bot.choose(seen, actions, Random(0), base.Limit(sims=200))
            warm = True
        print(bot.choose(seen, actions, rng, base.Limit(request["time"])), flush=True)


if __name__ == "__main__":
    main()
