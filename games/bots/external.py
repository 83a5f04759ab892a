"""A program in any language as a player, asked on its standard input: docs/external-bots.md says how it answers."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from random import Random
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from signal import SIGKILL
from subprocess import PIPE, Popen, TimeoutExpired
from time import monotonic
from typing import Any, Self

from games.bots.base import Bot, Limit
from games.rules import codec
from games.rules.base import Action

PATIENCE = 60.0
"""Seconds for an answer where there is no limit."""
GRACE = 1.0
"""Seconds beyond the limit."""
START = 10.0
"""Seconds beyond the limit for the first answer of a game, before which the program starts."""
PARTING = 1.0
"""Seconds to end in, once nothing more is asked."""
LONGEST = 1000
"""Bytes of an answer."""


class Forfeit(Exception):
    """Why a player cannot go on."""


class External(Bot[object]):
    """A program that is started for every game in which it is asked. Entered for one game, it ends the program when it
    is left."""

    variants = True

    def __init__(self, title: str, command: Sequence[str]) -> None:
        self.title, self.command = title, command
        self.process: Popen[bytes] | None = None

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
        more = GRACE if self.process else START
        data, actions = codec.dump(seen), {str(action): action for action in legal}
        request = {
            "title": self.title,
            "seats": len(data["players"]),
            "seat": data["seat"],
            "seen": data,
            "legal": list(actions),
            "time": limit.seconds,
        }
        self.process = self.process or self._start()
        line = json.dumps(request).encode() + b"\n"
        answer = self._ask(self.process, line, PATIENCE if limit.seconds is None else limit.seconds + more)
        if answer not in actions:
            raise Forfeit(f"answered {answer[:60]!r}, which is not legal")
        return actions[answer]

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
    def _ask(process: Popen[bytes], request: bytes, seconds: float) -> str:
        """The line that answers the request, which is one line too."""
        assert process.stdin
        assert process.stdout
        deadline, answer = monotonic() + seconds, b""
        with DefaultSelector() as selector:
            selector.register(process.stdin, EVENT_WRITE)
            selector.register(process.stdout, EVENT_READ)
            while b"\n" not in answer:
                ready = [key.fileobj for key, _ in selector.select(deadline - monotonic())]
                if not ready or monotonic() > deadline:
                    raise Forfeit(f"did not answer within {seconds:g} s")
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


def _gone(process: Popen[bytes]) -> Forfeit:
    """What to say of a program that no longer reads or writes."""
    with suppress(TimeoutExpired):
        return Forfeit(f"ended with status {process.wait(PARTING)}")
    return Forfeit("closed its standard input or output")
