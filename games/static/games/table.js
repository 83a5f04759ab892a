// Keeps the table up to date without full page loads; htmx boosts its links and forms. While the page is visible and
// nothing is staged or open on it, this script polls, and waits as long as the last answer says. It keeps focus and
// scroll position, and reports a lost connection.
"use strict";
(() => {
  const by = (id) => document.getElementById(id);
  const isPoll = ({ requestConfig }) => requestConfig?.elt.id === "turn";
  const isDraft = ({ requestConfig }) => requestConfig?.elt.id === "stage";
  const boardTop = () => document.querySelector(".board").getBoundingClientRect().top;
  const { script } = by("table").dataset;
  let timer, asking, began, top, spot, inside, scrolled, unfolded, card, had, told;
  let opened = [];
  let failures = 0;

  function wait(seconds) {
    clearTimeout(timer);
    timer = setTimeout(ask, seconds * 1000);
    tick();
  }

  // After trouble, waits longer and longer.
  const rest = () => by("table").dataset.poll && wait(Math.min(2 ** failures, 60));

  // Counts down the time left, in the patterns of the page.
  function tick() {
    const patterns = by("clock")?.dataset;
    for (const place of document.querySelectorAll("[data-left]")) {
      place.drawn ??= Date.now();
      const minutes = Math.max(0, Math.floor((place.dataset.left - (Date.now() - place.drawn) / 1000) / 60));
      const left = { days: Math.floor(minutes / 1440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 };
      const pattern = left.days ? patterns.days : left.hours ? patterns.hours : patterns.minutes;
      place.textContent = pattern.replace(/%\((\w+)\)s/g, (_, name) => left[name]);
    }
  }

  // Unfolds a player's area, or the nobles' needs: what the address names.
  function unfold(id) {
    const { state } = history;
    location.replace(`#${id}`);
    history.replaceState(state, "");
  }

  // Turns the open card that the server has drawn into a modal dialog, which the keyboard cannot leave.
  function show() {
    const sheet = document.querySelector(".veil:not(:modal)");
    if (!sheet) return;
    document.querySelector(".board").inert = false;
    sheet.open = false;
    sheet.showModal();
  }

  // Messages are told on an open card, since it covers the others.
  const trouble = () => document.querySelector(".veil:modal .trouble") ?? by("trouble");

  // The address of this page, with the draft in it.
  const here = () => location.pathname + location.search;

  function ask() {
    const { poll, after, draft } = by("table").dataset;
    if (document.hidden || asking) return;
    // The table of a link from a mail is not polled; its time left is drawn anew.
    if (!poll) return document.querySelector("[data-left]") && wait(60);
    if (draft !== undefined) return wait(after);
    const done = () => (asking = false);
    asking = true;
    htmx.ajax("GET", poll, { source: "#turn", target: "#table", swap: "outerHTML show:none" }).then(done, done);
  }

  function tell(id, detail) {
    if (isPoll(detail) && trouble().firstChild) return;
    told = id;
    trouble().replaceChildren(by(id).content.cloneNode(true));
    const link = trouble().querySelector("a");
    if (link) link.href = link.search === "?next=" ? link.href + encodeURIComponent(here()) : here();
  }

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const focused = document.activeElement;
    const stays = isPoll(detail) || isDraft(detail) || focused.closest(".replay");
    spot = stays && ["id", "data-touch", "data-card", "href", "data-key"].find((name) => focused.getAttribute(name));
    // Two links can lead to the same address; one of them has an id.
    spot &&= `[${spot}="${CSS.escape(focused.getAttribute(spot))}"]${spot === "id" ? "" : ":not([id])"}`;
    inside = by("table").contains(focused);
    opened = stays ? [...document.querySelectorAll("#table details[open]")].map(({ id }) => id) : [];
    scrolled = stays && by("lines")?.scrollTop;
    unfolded = stays && document.querySelector("#table :target")?.id;
    card = by("sheet") && new URLSearchParams(location.search).get("card");
    had = Boolean(by("result"));
    top = boardTop();
    // A poll does not show that another request would be answered now, or that the page is up to date.
    const isOver = !detail.isError && !(isPoll(detail) && ["refused", "updated"].includes(told));
    if (isOver) by("trouble").replaceChildren();
  });
  document.addEventListener("htmx:afterSwap", ({ target, detail }) => {
    if (target.id !== "table") return;
    show();
    for (const details of opened.map(by).filter(Boolean)) details.open = true;
    if (scrolled && by("lines")) by("lines").scrollTop = scrolled;
    if (unfolded && by(unfolded)) unfold(unfolded);
    if (scrollY && detail.requestConfig) scrollBy(0, boardTop() - top);
    if (by("table").dataset.script !== script) tell("updated", detail);
    // A poll, a draft or a step of the replay keeps the focus. A card that is closed gets it. After the reader's own
    // action it moves to the next decision.
    if ((isPoll(detail) || isDraft(detail)) && !inside) return;
    const kept = spot || (card && !by("sheet") && `#board [data-card="${CSS.escape(card)}"]`);
    const same = kept ? [...document.querySelectorAll(kept)].find((element) => element.checkVisibility()) : null;
    const heading = ["sheet", "result", "asked", "decision"].map(by).find(Boolean);
    if (!same) heading.tabIndex = -1;
    (same ?? heading).focus({ preventScroll: Boolean(same) || heading.id !== "result" || had });
  });
  // Escape, and Back on Android, ask to close an open card: the server then draws the table without it.
  document.addEventListener("cancel", (event) => {
    if (!event.target.matches(".veil")) return;
    event.preventDefault();
    event.target.querySelector(".veil-close").click();
  }, true);
  // Screen readers announce whose turn it is only when it changes, not after every click.
  document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
    if (detail.target.id === "turn") detail.shouldSwap = detail.target.textContent !== detail.fragment.textContent;
  });
  document.addEventListener("htmx:beforeRequest", () => (began = Date.now()));
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    const after = detail.xhr.getResponseHeader("X-Poll-After") ?? by("table").dataset.after;
    if (detail.successful) failures = 0;
    if (failures) rest();
    // The time that a request takes is part of the pause after it, so that a slow network brings news as often.
    else if (after) wait(Math.max(after / 4, after - (Date.now() - began) / 1000));
    // A button that was disabled during the request has lost the focus.
    if (!detail.successful && document.activeElement === document.body)
      detail.requestConfig.elt.querySelector("button")?.focus();
  });
  for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError", "htmx:historyCacheMissLoadError"])
    document.addEventListener(name, ({ detail }) => {
      const { status } = detail.xhr;
      // The browser closes a card itself if it is asked again and again.
      show();
      tell(status === 401 ? "logged-out" : status >= 400 && status < 500 ? "refused" : "lost", detail);
      failures += 1;
      rest();
    });
  document.addEventListener("visibilitychange", () => document.hidden || wait(0));
  // Back from looking back: no request has ended.
  document.addEventListener("htmx:historyRestore", rest);
  document.addEventListener("DOMContentLoaded", () => {
    show();
    wait(Number(by("table").dataset.after ?? 10));
  });
})();
