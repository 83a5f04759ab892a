"""How the table feels: `python -m bench.feel [--turns 200] [--latency 0 100 300]` (Linux, with Chromium).

The benchmark plays both titles against `greedy` in a real browser, on a complete site of its own. For each title
and network latency it prints 95th percentiles in milliseconds:

- `tap`: from a tap to the frame that shows it, the longest of the turn;
- `confirm`: from the confirmation to the table that answers it;
- `bot`: from the bot's move, as stored, to its display;
- `paint`, `blocked`: the largest paint and the blocking time (what tasks take beyond 50 ms) of a game's first load;

and `shift`, the largest layout shift of any turn.
"""

import argparse
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

import django
from playwright.sync_api import Browser, Page, sync_playwright

from tests.live.people import PASSWORD
from tests.live.site import Site

TITLES = ("splendor", "duel")
CHROMIUM = Path("/usr/bin/chromium-headless-shell")
OBSERVED = """
window.feel = { shift: 0, paint: 0, blocked: 0 };
const observe = (type, use) =>
  new PerformanceObserver((list) => list.getEntries().forEach(use)).observe({ type, buffered: true });
observe("layout-shift", ({ value }) => (feel.shift += value));
observe("largest-contentful-paint", ({ startTime }) => (feel.paint = startTime));
observe("longtask", ({ duration }) => (feel.blocked += Math.max(0, duration - 50)));
"""
CHOICES = "JSON.parse(document.getElementById('choices')?.textContent ?? 'null')"
TAP = """async (names) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    let longest = 0;
    for (const name of names) {
        const began = performance.now();
        document.querySelector(`#board [data-touch="${name}"]`).click();
        await frame();
        longest = Math.max(longest, performance.now() - began);
        if (!document.querySelector(`#board .is-picked[data-touch="${name}"]`)) throw `${name} is not shown`;
        await new Promise((done) => setTimeout(done, 120));
    }
    return longest;
}"""
CONFIRM = """async () => {
    const began = performance.now();
    const visible = [...document.querySelectorAll("button[data-key=Enter]")].find((button) => button.checkVisibility());
    // The answer to the last tap may settle first.
    const isAnswer = ({ detail }) => detail.requestConfig?.verb === "post";
    const answered = new Promise((done) =>
      document.addEventListener("htmx:afterSettle", (event) => isAnswer(event) && done()));
    visible.click();
    await answered;
    return performance.now() - began;
}"""
NEWS = """() => new Promise((done) => {
    const isMine = () => document.querySelector("#turn .is-mine, #result");
    const look = () => (isMine() ? done(Date.now()) : requestAnimationFrame(look));
    look();
})"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--latency", type=int, nargs="+", default=[0, 100, 300])
    parser.add_argument("--table", choices=TITLES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.live.settings")
    if options.table:
        print(_table(options.table))
        return
    print(f"{'':9} latency    tap confirm     bot   shift   paint blocked   turns")
    with _site() as site, _browser() as browser:
        for title in TITLES:
            for latency in options.latency:
                print(f"{title:9} {latency:7}", *_play(site, browser, title, latency, options.turns), flush=True)


def _table(title: str) -> str:
    """Open a table for Alice and the bot, in the environment of the site; return its key."""
    django.setup()
    from accounts.models import User  # needs Django to be set up
    from games.services.tables import tables

    return tables.create(User.objects.get(username="alice"), tables.TableSpec(title, 2, bots=["greedy"])).key


@contextmanager
def _site() -> Iterator[Site]:
    with tempfile.TemporaryDirectory(prefix="feel-") as folder:
        site = Site(Path(folder) / "var", DJANGO_SETTINGS_MODULE="tests.live.settings", MAIL_PROCESSES="0")
        with site.running():
            yield site


@contextmanager
def _browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = str(CHROMIUM) if CHROMIUM.exists() else "/usr/bin/chromium"
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def _play(site: Site, browser: Browser, title: str, latency: int, turns: int) -> Iterator[str]:
    """Play that many turns, in as many games as needed; yield the figures of a line."""
    page = browser.new_page(base_url=site.address, viewport={"width": 1366, "height": 768})
    page.goto("/account/login/")
    page.get_by_label("User name", exact=False).first.fill("alice")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in", exact=True).click()
    page.add_init_script(OBSERVED)
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    slow = {"offline": False, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.emulateNetworkConditions", slow)
    rng = Random(f"{title} {latency}")
    figures: dict[str, list[float]] = {name: [] for name in ("tap", "confirm", "bot", "shift", "paint", "blocked")}
    key = ""
    for _turn in range(turns):
        if not key or page.locator("#result").count():
            key = site.python("-m", "bench.feel", "--table", title).stdout.strip()
            page.goto(f"/table/{key}/", wait_until="networkidle")
            load = page.evaluate("feel")
            figures["paint"].append(load["paint"])
            figures["blocked"].append(load["blocked"])
        for name, figure in _decide(site, page, key, rng).items():
            figures[name].append(figure)
    page.context.close()
    for name, width in (("tap", 6), ("confirm", 7), ("bot", 7), ("shift", 7), ("paint", 7), ("blocked", 7)):
        found = sorted(figures[name]) or [float("nan")]
        shown = found[-1] if name == "shift" else found[ceil(0.95 * len(found)) - 1]
        yield f"{shown:{width}.{3 if name == 'shift' else 0}f}"
    yield f"{turns:7}"


def _decide(site: Site, page: Page, key: str, rng: Random) -> dict[str, float]:
    """Make the decisions of one turn, and wait for the bot; return the figures of the turn."""
    figures: dict[str, float] = {}
    page.evaluate(NEWS)
    page.evaluate("feel.shift = 0")
    while not page.locator("#result").count() and page.locator("#turn .is-mine").count():
        choices: list[dict[str, Any]] = page.evaluate(CHOICES)["choices"]
        names = page.locator("#board a[data-touch]").evaluate_all("all => all.map(({ dataset }) => dataset.touch)")
        takes = [choice for choice in choices if choice.get("words") and set(choice["touches"]) <= set(names)]
        longest = max((len(choice["touches"]) for choice in takes), default=0)
        if takes and rng.random() < 0.8:
            chosen = rng.choice([choice for choice in takes if len(choice["touches"]) == longest])
            figures["tap"] = max(figures.get("tap", 0), page.evaluate(TAP, chosen["touches"]))
        else:
            chosen = rng.choice(choices)
            page.goto(f"/table/{key}/?draft={chosen.get('draft') or chosen['moves']}", wait_until="networkidle")
            page.evaluate("feel.shift = 0")
        if page.locator("button[data-key=Enter]:visible").count():
            figures["confirm"] = page.evaluate(CONFIRM)
    shown = page.evaluate(NEWS)
    [(made, actor)] = site.ask("SELECT made_at, actor FROM games_move ORDER BY id DESC LIMIT 1")
    if actor == "bot" and not page.locator("#result").count():
        figures["bot"] = shown - datetime.fromisoformat(f"{made}+00:00").timestamp() * 1000
    figures["shift"] = page.evaluate("feel.shift")
    return figures


if __name__ == "__main__":
    main()
