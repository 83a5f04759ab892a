"""A program in any language as a player, asked on its standard input: docs/external-bots.md says how it answers."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from math import inf, isnan, nan
from pathlib import Path
from random import Random
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from signal import SIGKILL
from subprocess import PIPE, Popen, TimeoutExpired
from time import monotonic
from typing import Any, Self

from games.bots.base import Bot, Limit, Spent
from games.rules import codec
from games.rules.base import Action

PATIENCE = 60.0
"""Seconds for an answer where there is no limit."""
GRACE = 1.0
"""Seconds beyond the limit."""
START = 10.0
"""Seconds beyond the limit for the first answer of a game, before which the program starts, unless it is given more."""
LOOK = 0.5
"""Seconds between two looks at how much processor time a program has used."""
REMARK = "#"
"""What stands between an answer and what it took."""
PARTING = 1.0
"""Seconds to end in, once nothing more is asked."""
LONGEST = 1000
"""Bytes of an answer."""
SESSION, TIMES = 3, slice(11, 15)
"""Where Linux tells of a process, behind its name, the session and the processor time, in ticks: its own and that of
children that have ended."""


class Forfeit(Exception):
    """Why a player cannot go on."""


class External(Bot[object]):
    """A program that is started for every game in which it is asked. Entered for one game, it ends the program when it
    is left."""

    variants = True

    def __init__(self, title: str, command: Sequence[str], start: float | None = None) -> None:
        self.title, self.command, self.start = title, command, start
        self.process: Popen[bytes] | None = None
        self.last = Spent()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        process, self.process = self.process, None
        if process is None:
            return
        assert process.stdin
        assert process.stdout
        process.stdin.close()
        process.stdout.close()
        try:
            with suppress(TimeoutExpired):
                process.wait(PARTING)
        finally:
            with suppress(ProcessLookupError):  # it is gone, with all that it started
                os.killpg(process.pid, SIGKILL)
            process.wait()

    def choose(self, seen: object, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        """What the program answers; raises `Forfeit` if that is no legal action, or nothing in time."""
        start = START if self.start is None else self.start
        more = GRACE if self.process else start
        data, actions = codec.dump(seen), {str(action): action for action in legal}
        request = {
            "title": self.title,
            "seats": len(data["players"]),
            "seat": data["seat"],
            "seen": data,
            "legal": list(actions),
            "time": limit.seconds,
            "clock": "processor" if limit.processor else "wall",
        }
        self.process = self.process or self._start()
        line = json.dumps(request).encode() + b"\n"
        before = _processor_time(self.process)
        most = inf
        if limit.seconds is None:
            wall = PATIENCE if self.process else max(PATIENCE, start)
        elif limit.processor:
            wall, most = PATIENCE + limit.seconds + more, limit.seconds + more
        else:
            wall = limit.seconds + more
        answer, _, remark = self._ask(self.process, line, wall, before + most).partition(REMARK)
        answer = answer.strip()
        if answer not in actions:
            raise Forfeit(f"answered {answer[:60]!r}, which is not legal")
        sims, elsewhere = _read(remark)
        used = _processor_time(self.process) - before + elsewhere
        if used > most:
            raise Forfeit(f"took {used:.1f} s of the processor")
        self.last = Spent(sims, used)
        return actions[answer]

    def spent(self) -> Spent:
        return self.last

    def _start(self) -> Popen[bytes]:
        """The program, in a process group of its own: it takes no Ctrl-C, and ends together with what it starts."""
        try:
            process = Popen(self.command, stdin=PIPE, stdout=PIPE, bufsize=0, start_new_session=True)
        except OSError as error:
            raise Forfeit(f"cannot be started: {error}") from error
        assert process.stdin
        os.set_blocking(process.stdin.fileno(), False)
        return process

    @staticmethod
    def _ask(process: Popen[bytes], request: bytes, seconds: float, used: float) -> str:
        """The line that answers the request, which is one line too, before so many seconds are over and the program has
        used so much processor time in all."""
        assert process.stdin
        assert process.stdout
        deadline, answer = monotonic() + seconds, b""
        with DefaultSelector() as selector:
            selector.register(process.stdin, EVENT_WRITE)
            selector.register(process.stdout, EVENT_READ)
            while b"\n" not in answer:
                wait = deadline - monotonic()
                ready = [key.fileobj for key, _ in selector.select(wait if used == inf else min(wait, LOOK))]
                if monotonic() > deadline:
                    raise Forfeit(f"did not answer within {seconds:g} s")
                if _processor_time(process) > used:
                    raise Forfeit("took too long by the clock of the processor")
                if process.stdout in ready:
                    chunk = process.stdout.read(LONGEST)
                    if not chunk:
                        raise _gone(process)
                    if request:
                        raise Forfeit("answered before it was asked")
                    answer += chunk
                    if len(answer) > LONGEST:
                        raise Forfeit(f"answered more than {LONGEST} bytes")
                elif process.stdin in ready:
                    try:
                        request = request[process.stdin.write(request) or 0 :]
                    except BrokenPipeError:
                        raise _gone(process) from None
                    if not request:
                        selector.unregister(process.stdin)
        line, _, rest = answer.partition(b"\n")
        if rest:
            raise Forfeit("answered more than one line")
        return line.decode(errors="replace").strip()


def _processor_time(process: Popen[bytes]) -> float:
    """The seconds of processor time that the program has used so far, and all that it started in its session."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            values = stat.read_text(errors="replace").rpartition(")")[2].split()
            if int(values[SESSION]) == process.pid:
                ticks += sum(map(int, values[TIMES]))
    return ticks / os.sysconf("SC_CLK_TCK")


def _read(remark: str) -> tuple[int | None, float]:
    """How many simulations the program says that it made, and how many seconds of processor time it used outside its
    session."""
    with suppress(ValueError):
        sims, seconds = [*map(float, remark.split()), *(nan, 0.0)[len(remark.split()) :]]
        if 0 <= seconds < inf and not sims < 0:
            return None if isnan(sims) else int(sims), seconds
    raise Forfeit(f"says {remark.strip()[:60]!r} of its answer; that should be numbers")


def _gone(process: Popen[bytes]) -> Forfeit:
    """What to say of a program that no longer reads or writes."""
    with suppress(TimeoutExpired):
        return Forfeit(f"ended with status {process.wait(PARTING)}")
    return Forfeit("closed its standard input or output")
