"""Supervises a group of processes: starts them in order, restarts one that ends, stops them in order."""

import contextlib
import fcntl
import gc
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from celery.platforms import set_pdeathsig

TICK = 0.2
# A child that ends within SOON seconds has failed. After FAILURES failures in a row, a site that is not up yet gives
# up; later the child is restarted in any case, after a pause of at most LONGEST seconds.
SOON = 20
FAILURES = 4
LONGEST = 60

# Signals that ask the supervisor to stop.
ASKING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

Stops = tuple[tuple[float, signal.Signals], ...]


class InUse(Exception):
    """Another process holds the lock; the argument is its id, if known."""


class GaveUp(Exception):
    """A child ended again and again; the argument is its name."""


def end_with(parent: int) -> None:
    """Let the kernel kill this process when its parent dies; end at once if the parent is already gone."""
    set_pdeathsig("SIGKILL")
    if os.getppid() != parent:
        os._exit(1)


def share_memory(**_: Any) -> None:
    """Keep the garbage collector away from everything that exists now. It would write to these objects' pages, which
    a process that is forked from this one could then no longer share."""
    gc.collect()
    gc.freeze()


@dataclass(eq=False)
class Child:
    """A process that is forked from this one and calls `run`, in a session of its own. Sentences about it begin with
    `name`; `title` is what `top` and `ps -e` show, of at most 15 bytes. `stops` lists signals to stop it, each with the
    seconds after the request."""

    name: str
    title: str
    run: Callable[[], object]
    stops: Stops = ((0, signal.SIGTERM), (10, signal.SIGKILL))
    process: int | None = None
    started: float = 0
    failures: int = 0
    due: float = 0
    end: str = ""

    def start(self) -> None:
        self.started = time.monotonic()
        parent = os.getpid()
        # The supervisor's handlers must not take a signal that is meant for the child.
        signal.pthread_sigmask(signal.SIG_BLOCK, ASKING)
        share_memory()
        self.process = os.fork()
        if self.process == 0:
            self._become(parent)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ASKING)

    def _become(self, parent: int) -> NoReturn:
        """Run in the forked process, which never returns to the supervisor's code."""
        status: object = 1
        try:
            for number in ASKING:
                if signal.getsignal(number) != signal.SIG_IGN:
                    signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, ASKING)
            os.setsid()
            end_with(parent)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            with contextlib.suppress(OSError):  # only Linux has this file
                Path("/proc/self/comm").write_text(self.title)
            self.run()
            status = 0
        except SystemExit as end:
            status = end.code or 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status if isinstance(status, int) else 1)

    def ended(self) -> bool:
        """Whether the child has ended; if it has, kill the processes that it left behind."""
        if self.process is None:
            return True
        # The child is not reaped yet, so its group id cannot belong to others.
        if os.waitid(os.P_PID, self.process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            return False
        os.killpg(self.process, signal.SIGKILL)
        status = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        self.end = signal.Signals(-status).name if status < 0 else f"status {status}"
        self.process = None
        return True

    def send(self, number: signal.Signals) -> None:
        """Signal the main process only, which stops the others; SIGKILL goes to the whole group."""
        assert self.process is not None
        if number == signal.SIGKILL:
            os.killpg(self.process, number)
        else:
            os.kill(self.process, number)


class Supervisor:
    """Keeps children running until it is asked to stop. `say` is called with a sentence about each event."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.children: list[Child] = []
        self.stopping = False
        self.hurry = False
        signal.signal(signal.SIGINT, self._asked_to_stop)
        signal.signal(signal.SIGTERM, self._asked_to_stop)
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup ignores SIGHUP
            signal.signal(signal.SIGHUP, self._asked_to_stop)

    def _asked_to_stop(self, number: int, _: FrameType | None) -> None:
        # A second Ctrl-C means: stop at once. A second SIGTERM does not, because make may pass one on.
        self.hurry |= self.stopping and number == signal.SIGINT
        self.stopping = True

    def start(self, child: Child) -> None:
        child.start()
        self.children.append(child)

    def wait(self, until: Callable[[], bool]) -> None:
        """Keep the children running until `until` returns true or a stop is requested. Raises `GaveUp`."""
        while not self.stopping and not until():
            for child in self.children:
                if self._keep(child) >= FAILURES:
                    raise GaveUp(child.name)
            time.sleep(TICK)

    def stay(self) -> None:
        """Keep the children running until a stop is requested, however often they end: people can play on while a
        worker cannot run, and it may be able to later."""
        while not self.stopping:
            for child in self.children:
                self._keep(child)
            time.sleep(TICK)

    def _keep(self, child: Child) -> int:
        """Start the child again if it has ended and its pause is over. Returns its failures in a row."""
        now = time.monotonic()
        if child.process is None:
            if now >= child.due:
                child.start()
        elif child.ended():
            child.failures = child.failures + 1 if now - child.started < SOON else 1
            pause = min(2 ** (child.failures - 1), LONGEST)
            child.due = now + pause
            self.say(f"{child.name} ended ({child.end}); restarting in {pause} s.")
        return child.failures

    def stop(self, children: Iterable[Child] | None = None) -> None:
        """Signal all children at once, again after their waits, and kill what is left."""
        asked = time.monotonic()
        left = {child: list(child.stops) for child in (self.children if children is None else children)}
        while left := {child: stops for child, stops in left.items() if not child.ended()}:
            passed = time.monotonic() - asked
            for child, stops in left.items():
                while stops and (self.hurry or stops[0][0] <= passed):
                    child.send(stops.pop(0)[1])
            time.sleep(TICK / 4)


def hold(path: Path, patience: float = 2) -> int:
    """Lock the file while this process or a child of it lives. Waits for `patience` seconds, because children of a
    crashed supervisor need a moment to end."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    last = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > last:
                raise InUse(os.read(lock, 20).decode()) from None
            time.sleep(TICK)
        else:
            os.truncate(lock, 0)
            os.write(lock, str(os.getpid()).encode())
            # The broker, which is another program, keeps the lock too.
            os.set_inheritable(lock, True)
            return lock
