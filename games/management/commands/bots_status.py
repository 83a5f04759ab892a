"""Prints how long games wait for the bots, and how many requests wait in the queues."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from datetime import timedelta
from typing import Any

import redis
from django.core.management.base import BaseCommand

from games.management.numbers import numbered
from games.services.work import queues, waits
from games.services.work.waits import Past, Spread

TIMES = {"hour": timedelta(hours=1), "day": timedelta(days=1)}


class Command(BaseCommand):
    help = "Shows how long games have waited for bots, how long bots have thought, and how long the queues are."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one object")

    def handle(self, *args: Any, **options: Any) -> None:
        past = {name: waits.within(time) for name, time in TIMES.items()}
        waiting = [wait.total_seconds() for wait in waits.waiting()]
        if options["json"]:
            now = {"games": len(waiting), "longest": round(max(waiting, default=0), 3)}
            told = {**{name: asdict(each) for name, each in past.items()}, "waiting": now, "queues": _queues()}
            self.stdout.write(json.dumps(told))
            return
        self.stdout.write("Seconds: median / 95% within / longest")
        for name, each in past.items():
            self.stdout.write("\n".join([f"The last {name}:", *_lines(each)]))
        longest = f", the longest for {waiting[0]:.1f} s" if waiting else ""
        self.stdout.write(f"Now {numbered(len(waiting), 'game waits', 'games wait')} for a bot{longest}.")
        lengths = _queues()
        said = f"Requests wait: {queues.told(lengths)}." if lengths else "The broker does not answer."
        self.stdout.write(said)


def _queues() -> dict[str, int]:
    """How many requests wait in each queue; nothing if the broker does not answer."""
    try:
        return queues.lengths()
    except redis.RedisError:
        return {}


def _lines(past: Past) -> Iterator[str]:
    for each in past.thoughts:
        name, waited, thought = f"{each.title} {each.bot}", _shown(each.waited), _shown(each.thought)
        yield f"  {name:<20}{each.decisions:6} decisions   waited {waited}   thought {thought}"
    if not past.thoughts:
        yield "  no decisions"
    for kind, number in past.incidents.items():
        yield f"  {kind}: {number}"


def _shown(spread: Spread) -> str:
    return f"{spread.median:.2f} / {spread.p95:.2f} / {spread.longest:.2f}"
