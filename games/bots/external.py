"""External bots: programs in any language that read requests on their standard input. See docs/external-bots.md."""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from math import inf, isnan, nan
from pathlib import Path
from random import Random
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from signal import SIGINT, SIGKILL, SIGTERM, raise_signal, signal
from subprocess import PIPE, Popen, TimeoutExpired
from time import monotonic
from typing import Any, Self

from games.bots.base import Bot, Limit, Spent
from games.rules import codec
from games.rules.base import Action

ANSWER_SECONDS = 60.0
"""Seconds for an answer if there is no limit."""
EXTRA_SECONDS = 1.0
"""Seconds allowed beyond the limit."""
START_SECONDS = 10.0
"""Seconds usually allowed beyond the limit for the first answer of a game, in which the program starts."""
LOOK = 0.5
"""Seconds between two checks of the processor time that a program has used."""
REMARK = "#"
"""The mark between an answer and its cost."""
PARTING = 1.0
"""Seconds that the program has to end after the game."""
MAX_ANSWER_BYTES = 1000
"""The maximum length of an answer in bytes."""
MAX_COST = 1e15
"""The simulations, and the seconds, that a program cannot have spent on an answer."""
SESSION, TIMES = 3, slice(11, 15)
"""The fields after the name in Linux's /proc/PID/stat: the session, and the processor time of the process and of its
ended children, in ticks."""


class Forfeit(Exception):
    """The reason why a player forfeits the game."""


class External(Bot[object]):
    """A program that starts at the first request of a game. Enter this bot for one game; leaving it ends the
    program."""

    variants = True

    def __init__(self, title: str, command: Sequence[str], start: float) -> None:
        """`start` is the number of seconds allowed beyond the limit for the first answer of a game."""
        self.title, self.command, self.start = title, command, start
        self.process: Popen[bytes] | None = None
        self.last = Spent()
        self.first: object = None
        self.current_round = 1

    def inform(self, first: object, current_round: int) -> None:
        self.first, self.current_round = first, current_round

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        process, self.process = self.process, None
        if process is None:
            return
        try:
            assert process.stdin
            assert process.stdout
            process.stdin.close()
            process.stdout.close()
            with suppress(TimeoutExpired):
                process.wait(PARTING)
        finally:
            with suppress(ProcessLookupError):  # the whole group has ended
                os.killpg(process.pid, SIGKILL)
            for pid in _session(process):  # also in groups of their own
                with suppress(ProcessLookupError):  # it has ended meanwhile
                    os.kill(pid, SIGKILL)
            process.wait()

    def choose(self, seen: object, legal: Sequence[Action[Any]], rng: Random, limit: Limit) -> Action[Any]:
        """The program's answer; raises `Forfeit` if it is not a legal action or does not come in time."""
        more = EXTRA_SECONDS if self.process else self.start
        data, actions = codec.dump(seen), {str(action): action for action in legal}
        self.last = Spent()
        request = {
            "title": self.title,
            "seats": len(data["players"]),
            "seat": data["seat"],
            "round": self.current_round,
            "seen": data,
            "first": codec.dump(self.first),
            "legal": list(actions),
            "time": limit.seconds,
            "clock": "processor" if limit.processor else "wall",
        }
        if self.process is None:
            with uninterrupted():
                self.process = self._start()
        line = json.dumps(request).encode() + b"\n"
        before = _processor_time(self.process)
        most = inf
        if limit.seconds is None:
            wall = max(ANSWER_SECONDS, more)
        elif limit.processor:
            wall, most = ANSWER_SECONDS + limit.seconds + more, limit.seconds + more
        else:
            wall = limit.seconds + more
        try:
            answer, _, remark = self._ask(self.process, line, wall, before + most).partition(REMARK)
        finally:
            # The time of a child process that nobody waits for is lost when it ends.
            used = max(0.0, _processor_time(self.process) - before)
            self.last = Spent(None, used if limit.processor else None)
        answer = answer.strip()
        if answer not in actions:
            raise Forfeit(f"answered {answer[:60]!r}, which is not legal")
        sims, elsewhere = _read(remark)
        used += elsewhere
        self.last = Spent(sims, used if limit.processor else None)
        if used > most:
            raise Forfeit(f"took {used:.1f} s of processor time")
        return actions[answer]

    def spent(self) -> Spent:
        return self.last

    def _start(self) -> Popen[bytes]:
        """Start the program in a session of its own, so that Ctrl-C does not reach it, and so that everything it starts
        can be ended with it."""
        try:
            process = Popen(self.command, stdin=PIPE, stdout=PIPE, bufsize=0, start_new_session=True)
        except OSError as error:
            raise Forfeit(f"cannot be started: {error}") from error
        assert process.stdin
        os.set_blocking(process.stdin.fileno(), False)
        return process

    @staticmethod
    def _ask(process: Popen[bytes], request: bytes, seconds: float, used: float) -> str:
        """Write the request, one line, and return the line that answers it. Raises `Forfeit` after `seconds`, or once
        the program has used `used` seconds of processor time in total."""
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
                    raise Forfeit("used too much processor time")
                if process.stdout in ready:
                    chunk = process.stdout.read(MAX_ANSWER_BYTES)
                    if not chunk:
                        raise _gone(process)
                    if request:
                        raise Forfeit("answered before it was asked")
                    answer += chunk
                    if len(answer) > MAX_ANSWER_BYTES:
                        raise Forfeit(f"answered more than {MAX_ANSWER_BYTES} bytes")
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


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C, or the end of this process, take effect only after the block: nobody could end a program or process
    that is still being started."""
    asked: list[int] = []
    before = {number: signal(number, lambda sent, _: asked.append(sent)) for number in (SIGINT, SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal(number, handler)
        for sent in asked:
            raise_signal(sent)


def _session(process: Popen[bytes]) -> dict[int, int]:
    """The processes of the program's session, each with its ticks of processor time so far."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # the process has ended meanwhile
            values = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
            if int(values[SESSION]) == process.pid:
                found[int(folder.name)] = sum(map(int, values[TIMES]))
    return found


def _processor_time(process: Popen[bytes]) -> float:
    """Seconds of processor time used so far by the program and by everything it started in its session."""
    return sum(_session(process).values()) / os.sysconf("SC_CLK_TCK")


def _read(remark: str) -> tuple[int | None, float]:
    """The number of simulations that the program reports, and the seconds of processor time it used outside its
    session."""
    with suppress(ValueError):
        sims, seconds = [*map(float, remark.split()), *(nan, 0.0)[len(remark.split()) :]]
        if 0 <= seconds < MAX_COST and (isnan(sims) or 0 <= sims < MAX_COST):
            return None if isnan(sims) else int(sims), seconds
    raise Forfeit(f"wrote {remark.strip()[:60]!r} after {REMARK}, which is not a valid cost (simulations, seconds)")


def _gone(process: Popen[bytes]) -> Forfeit:
    """The forfeit of a program that no longer reads or writes."""
    with suppress(TimeoutExpired):
        status = process.wait(PARTING)
        return Forfeit(f"ended with status {status}" if status >= 0 else f"was ended by signal {-status}")
    return Forfeit("closed its standard input or output")
