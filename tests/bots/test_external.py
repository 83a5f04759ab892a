"""External bots: their requests and answers. Nothing that they do blocks the arena."""

import json
import re
import subprocess
import sys
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from random import Random
from signal import SIGINT, SIGTERM, getsignal, raise_signal, signal
from time import monotonic, sleep

import pytest

from games.bots import arena, external
from games.bots.base import Limit
from games.bots.external import START_SECONDS, External
from games.bots.random_bot import RandomBot
from games.catalogue import TITLES
from games.rules import codec

DOC = (Path(__file__).parents[2] / "docs" / "external-bots.md").read_text()
ASKED = """
import json, os, sys, time
for line in sys.stdin:
    legal = json.loads(line)["legal"]
"""
"""The beginning of a program, which reads its first request."""
TWICE = f"""{ASKED}
    if json.loads(line)["seen"]["number"] == 0:
        print(legal[0], flush=True)
        continue
"""
"""The beginning of a program that answers once and reads its second request."""


@pytest.fixture
def _impatient(monkeypatch):
    """Kill a hanging program sooner than usual."""
    monkeypatch.setattr(external, "PARTING", 0.1)


@pytest.fixture
def program(tmp_path):
    """Makes an external bot from the text of a program."""

    def write(text, slug="splendor"):
        path = tmp_path / "player.py"
        path.write_text(text)
        return External(slug, [sys.executable, "-IS", str(path)], START_SECONDS)

    return write


def play(player, slug="splendor", limit=arena.UNLIMITED, other=None):
    """Play a game with that player in seat 0."""
    bots = [("program", player), ("other", other or RandomBot())]
    return arena.play(TITLES[slug].ruleset, bots, bytes(32), [Random(0), Random(1)], limit)


def running(pid):
    """Whether a process with that id is running."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout
    return state.strip()[:1] not in ("", "Z")


def written(path):
    """The numbers in that file, once they are written."""
    deadline = monotonic() + 20
    while not path.exists() or not path.read_text().endswith("\n"):
        assert monotonic() < deadline
        sleep(0.01)
    return [int(number) for number in path.read_text().split()]


def acting_until(states, seat):
    """For every decision of that seat, the seats that have decided so far."""
    acting = [state.to_act for state in states]
    return [acting[: number + 1] for number, decides in enumerate(acting) if decides == seat]


@pytest.mark.parametrize("slug", TITLES)
def test_a_program_gets_the_observation_and_legal_actions_of_its_seat(slug, program, tmp_path):
    notes, ruleset = tmp_path / "notes", TITLES[slug].ruleset
    text = f"""{ASKED}
    with open({str(notes)!r}, "a") as notes:
        notes.write(line)
    blind = [notation for notation in legal if notation.startswith("reserve L")]
    print((blind or legal)[0], flush=True)
"""
    record = play(program(text, slug), slug, Limit(seconds=20))
    assert (record.violation, record.forfeit, record.forfeiter) == ("", "", None)
    requests = [json.loads(line) for line in notes.read_text().splitlines()]
    states = [step.state for step in ruleset.replay(2, record.seed, record.notations)]
    asked = [state for state in states if state.to_act == 0]
    rounds = [1 + sum(pair == (1, 0) for pair in pairwise(acting)) for acting in acting_until(states, 0)]
    assert len(requests) == len(asked) > 20
    for request, state, current in zip(requests, asked, rounds, strict=True):
        seen = ruleset.observe(state, 0)
        assert request == {
            "title": slug,
            "seats": 2,
            "seat": 0,
            "round": current,
            "seen": json.loads(json.dumps(codec.dump(seen))),
            "first": json.loads(json.dumps(codec.dump(ruleset.observe(states[0], 0)))),
            "legal": [str(action) for action in ruleset.all_actions(state)],
            "time": 20,
            "clock": "wall",
        }
        assert codec.load(request["seen"], type(seen)) == seen
    assert any(held["card"] for request in requests for held in request["seen"]["players"][0]["reserved"])


def test_the_time_is_null_without_a_limit(program):
    record = play(program(f"{ASKED}\n    print('no' if json.loads(line)['time'] is None else legal[0], flush=True)\n"))
    assert record.forfeit == "answered 'no', which is not legal"


@pytest.mark.parametrize(
    ("text", "forfeit"),
    [
        ("", "ended with status 0"),
        (f"{ASKED}\n    sys.exit(3)", "ended with status 3"),
        (f"{TWICE}\n    sys.exit(3)", "ended with status 3"),
        (f"{ASKED}\n    os.kill(os.getpid(), 9)", "was ended by signal 9"),
        (f"{ASKED}\n    print('take www', flush=True)", "answered 'take www', which is not legal"),
        (f"{ASKED}\n    print('x' * 999, flush=True)", f"answered '{'x' * 60}', which is not legal"),
        (f"{ASKED}\n    print(flush=True)", "answered '', which is not legal"),
        (f"{ASKED}\n    os.write(1, bytes([255, 0, 10]))", "answered '\ufffd\\x00', which is not legal"),
        (f"{ASKED}\n    os.close(2)\n    while True: os.write(1, b'x' * 100000)", "answered more than 1000 bytes"),
        (f"{ASKED}\n    os.close(2)\n    while True: os.write(1, b'x\\n' * 100)", "answered more than one line"),
        (f"{ASKED}\n    os.write(1, f'{{legal[0]}}\\n{{legal[0]}}\\n'.encode())", "answered more than one line"),
    ],
)
def test_a_program_that_gives_no_proper_answer_forfeits(text, forfeit, program, capfd):
    record = play(program(text))
    assert (record.forfeiter, record.forfeit) == (0, forfeit)
    assert (record.outcome, record.violation, list(record.winners)) == (None, "", [1])
    assert capfd.readouterr().err == ""


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("end", ["os.close(0); print(legal[0], flush=True)", "os.close(1)"])
def test_a_program_that_closes_its_input_or_output_forfeits(end, program, capfd):
    record = play(program(f"{ASKED}\n    {end}; time.sleep(60)"))
    assert (record.forfeiter, record.forfeit) == (0, "closed its standard input or output")
    assert (record.violation, capfd.readouterr().err) == ("", "")


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize(
    ("text", "limit"),
    [
        (f"{ASKED}\n    time.sleep(60)", Limit()),
        ("import time\ntime.sleep(60)", Limit(seconds=0.1)),
        (f"{ASKED}\n    while True: time.sleep(0.001); os.write(1, b'x')", Limit(seconds=0.1)),
    ],
)
def test_a_program_that_does_not_answer_in_time_forfeits(text, limit, program, monkeypatch):
    monkeypatch.setattr(external, "ANSWER_SECONDS", 0.3)
    player = program(text)
    player.start = 0.2
    assert play(player, limit=limit).forfeit == "did not answer within 0.3 s"


@pytest.mark.usefixtures("_impatient")
def test_only_the_first_answer_has_the_time_to_start(program, monkeypatch):
    monkeypatch.setattr(external, "EXTRA_SECONDS", 0.2)
    record = play(program(f"{TWICE}\n    time.sleep(60)"), limit=Limit(seconds=0.1))
    assert record.forfeit == "did not answer within 0.3 s"
    first, second = record.seconds[0]
    assert first < START_SECONDS
    assert 0.3 <= second < 5


@pytest.mark.usefixtures("_impatient")
def test_a_program_that_answers_before_its_request_forfeits(program, tmp_path):
    said = tmp_path / "said"

    class Waiting(RandomBot):
        def choose(self, seen, legal, rng, limit):
            written(said)
            return super().choose(seen, legal, rng, limit)

    text = f"""{ASKED}
    print(legal[0], flush=True)
    time.sleep(0.2)
    print(legal[0], flush=True)
    open({str(said)!r}, "w").write("1\\n")
"""
    record = play(program(text), other=Waiting())
    assert (record.forfeiter, record.forfeit) == (0, "answered before it was asked")
    record = play(program("import time\nprint('pass', flush=True)\ntime.sleep(60)"))
    assert record.forfeit in ("answered before it was asked", "answered 'pass', which is not legal")


BUSY = f"""{ASKED}
    until = time.process_time() + SECONDS
    while time.process_time() < until:
        pass
"""
"""A program that uses a given amount of processor time for every answer, without its last line."""
ANSWER = """
    print(legal[0], flush=True)
"""


def test_processor_time_counts_everything_a_program_uses(program, monkeypatch):
    """Sleep costs nothing, and the time of child processes counts."""
    monkeypatch.setattr(arena, "MAX_DECISIONS", 20)
    child = "import time\nwhile time.process_time() < 0.2: pass"
    text = BUSY.replace("SECONDS", "0.1 if json.loads(line)['clock'] == 'processor' else 60")
    text += f"""
    time.sleep(0.3)
    if json.loads(line)["seen"]["number"] < 2:
        import subprocess
        subprocess.run([sys.executable, "-IS", "-c", {child!r}])
"""
    record = play(program(text + ANSWER), limit=Limit(seconds=5, processor=True))
    assert (record.forfeit, record.violation) == ("", "")
    first, *others = record.seconds[0]
    assert first > 0.28
    assert len(others) >= 9
    assert 0.08 * len(others) < sum(others) < 0.3 * len(others)


def test_the_work_of_the_arena_is_not_part_of_a_programs_processor_time(program, monkeypatch):
    monkeypatch.setattr(arena, "MAX_DECISIONS", 20)
    record = play(program(ASKED + ANSWER), limit=Limit(seconds=5, processor=True))
    assert (record.forfeit, record.violation) == ("", "")
    assert min(record.seconds[0]) == 0  # less than a tick


def test_no_decision_has_a_negative_time(program, monkeypatch):
    """The time of a child process that nobody waits for is lost when it ends."""
    monkeypatch.setattr(arena, "MAX_DECISIONS", 3)
    text = f"""{ASKED}
    if json.loads(line)["seen"]["number"] == 0:
        read, write = os.pipe()
        if os.fork() == 0:
            if os.fork():
                os._exit(0)
            while time.process_time() < 0.3:
                pass
            os.write(write, b"%d" % os.getpid())
            time.sleep(60)
        os.wait()
        orphan = int(os.read(read, 20))
    else:
        os.kill(orphan, 9)
        while os.path.exists(f"/proc/{{orphan}}"):
            time.sleep(0.05)
"""
    record = play(program(text + ANSWER), limit=Limit(seconds=5, processor=True))
    assert (record.forfeit, record.violation) == ("", "")
    first, second = record.seconds[0]
    assert first > 0.28
    assert second >= 0


@pytest.mark.usefixtures("_impatient")
def test_a_program_that_uses_too_much_processor_time_forfeits(program):
    player = program(BUSY.replace("SECONDS", "60"))
    player.start = 0.5
    record = play(player, limit=Limit(seconds=0.1, processor=True))
    assert (record.forfeiter, record.forfeit) == (0, "used too much processor time")
    assert record.seconds[0][0] >= 0.6


@pytest.mark.parametrize(
    ("remark", "sims", "elsewhere"), [("", None, 0), ("# 40", 40, 0), ("#40 2.5", 40, 2.5), (" # 0 0", 0, 0)]
)
def test_a_program_can_report_the_cost_of_an_answer(remark, sims, elsewhere, program):
    record = play(program(f"{ASKED}\n    print(legal[0] + {remark!r}, flush=True)"), limit=Limit(9, processor=True))
    assert (record.forfeit, record.violation) == ("", "")
    assert set(record.sims[0]) == {sims}
    assert min(record.seconds[0]) == elsewhere  # and less than a tick of its own


@pytest.mark.parametrize(
    "remark", ["# many", "# 1 two", "# 1 2 3", "# -1", "# inf", "# 1e400", "# 1e308", "# 1 -1", "# 1 nan"]
)
def test_a_remark_that_makes_no_sense_forfeits(remark, program):
    record = play(program(f"{ASKED}\n    print(legal[0], {remark!r}, flush=True)"))
    assert record.forfeit == f"wrote {remark[2:]!r} after #, which is not a valid cost (simulations, seconds)"


def test_a_program_may_be_given_more_time_to_start(program):
    slow = program(f"import time; time.sleep(1.5)\n{ASKED}\n    print(legal[0], flush=True)")
    for start, forfeit in ((0.2, "did not answer within 0.3 s"), (20, "")):
        slow.start = start
        assert play(slow, limit=Limit(seconds=0.1)).forfeit == forfeit


@pytest.mark.usefixtures("_impatient")
def test_a_program_may_start_longer_than_an_answer_without_a_limit_may_take(program, monkeypatch):
    monkeypatch.setattr(external, "ANSWER_SECONDS", 0.3)
    monkeypatch.setattr(external, "EXTRA_SECONDS", 0.2)
    slow = program(f"import time; time.sleep(0.5)\n{TWICE}\n    time.sleep(60)")
    slow.start = 20
    record = play(slow)
    assert record.forfeit == "did not answer within 0.3 s"
    assert len(record.seconds[0]) == 2


def test_a_command_that_cannot_be_run_forfeits(tmp_path):
    record = play(External("splendor", [str(tmp_path)], START_SECONDS))
    assert record.forfeiter == 0
    assert record.forfeit.startswith("cannot be started: [Errno 13] Permission denied")


def test_standard_error_goes_to_the_terminal(program, capfd):
    play(program(f"{ASKED}\n    sys.exit('no idea')"))
    assert capfd.readouterr().err == "no idea\n"


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize(
    "end",
    ["print(legal[0], flush=True)", "print('take www', flush=True)", "time.sleep(60)", "time.sleep(0.05); os._exit(1)"],
)
def test_no_process_is_left(end, program, tmp_path, monkeypatch):
    """However a game ends, neither the program nor its child processes are left, even in groups of their own."""
    monkeypatch.setattr(external, "ANSWER_SECONDS", 1)
    pids = tmp_path / "pids"
    text = f"""
import subprocess
from signal import SIGTERM, SIG_IGN, signal
{ASKED}
    if json.loads(line)["seen"]["number"] == 0:
        signal(SIGTERM, SIG_IGN)
        sleep = ["sleep", "60"]
        child = subprocess.Popen(sleep, stdout=subprocess.DEVNULL)
        other = subprocess.Popen(sleep, stdout=subprocess.DEVNULL, process_group=0)
        open({str(pids)!r}, "w").write(f"{{os.getpid()}} {{child.pid}} {{other.pid}}\\n")
    {end}
"""
    play(program(text))
    program_itself, *children = written(pids)
    assert not running(program_itself)
    deadline = monotonic() + 5
    while any(map(running, children)):  # no parent waits for them
        assert monotonic() < deadline
        sleep(0.01)


@pytest.mark.parametrize("number", [SIGINT, SIGTERM])
def test_a_signal_while_a_program_starts_leaves_none(program, monkeypatch, number):
    """It comes before anybody knows the program."""
    started = []

    def interrupt(*_):
        raise KeyboardInterrupt

    class Interrupted(subprocess.Popen[bytes]):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            started.append(self.pid)
            raise_signal(number)

    monkeypatch.setattr(external, "Popen", Interrupted)
    before = signal(number, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            play(program("import time\ntime.sleep(60)"))
        assert getsignal(number) is interrupt
    finally:
        signal(number, before)
    [pid] = started
    assert not running(pid)


def test_a_signal_at_the_end_of_a_game_leaves_no_program(program, monkeypatch):
    started = []

    class Interrupted(subprocess.Popen[bytes]):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            started.append(self.pid)
            monkeypatch.setattr(self.stdin, "close", lambda: raise_signal(SIGINT))

    monkeypatch.setattr(external, "Popen", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        play(program(f"{ASKED}\n    print('none', flush=True)\n    time.sleep(60)"))
    [pid] = started
    assert not running(pid)


def test_the_program_starts_again_for_each_game(program, tmp_path):
    pids = tmp_path / "pids"
    text = f"{ASKED}\n    open({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n')\n    print('nothing', flush=True)"
    player = program(text)
    bots = [("program", player), ("random", RandomBot())]
    records = list(arena.series(TITLES["splendor"].ruleset, bots, 4, "anew"))
    assert [record.forfeiter for record in records] == [0, 1, 0, 1]
    assert len(set(written(pids))) == 4


@pytest.mark.parametrize(("slug", "seats"), [("splendor", 3), ("duel", 2)])
def test_the_program_of_the_documentation_plays(slug, seats, program):
    (text,) = re.findall(r"^    #!.*\n(?:(?:    .*)?\n)*", DOC, re.MULTILINE)
    player = program(re.sub("^    ", "", text, flags=re.MULTILINE), slug)
    bots = [("program", player), *[("random", RandomBot())] * (seats - 1)]
    records = list(arena.series(TITLES[slug].ruleset, bots, 3, "documentation"))
    assert [(record.violation, record.forfeit) for record in records] == [("", "")] * 3
    assert all(record.outcome for record in records)


def test_the_documentation_names_every_field():
    tables = {heading: [set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) for table in body.split("|---|")[1:]]
              for heading, body in re.findall(r"^## (.*)\n((?:(?!## ).*\n)*)", DOC, re.MULTILINE)}  # fmt: skip
    assert tables["Requests and answers"] == [
        {"title", "seats", "seat", "round", "seen", "first", "legal", "time", "clock"}
    ]
    both = tables["`seen` in both titles"]
    for title in TITLES.values():
        seen = title.ruleset.observe(title.ruleset.initial(2, bytes(32)), 0)
        documented = tables[f"`seen` in {title.ruleset.name}"]
        for shared, own, value in zip(both, documented, (seen, seen.players[0]), strict=True):
            assert not shared & own
            assert shared | own == {field.name for field in fields(value)}
