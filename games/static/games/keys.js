// Shortcut keys. They only move the focus and click controls that the server drew; this script knows no rules. Keys typed
// during a request are handled after its answer. The help, which explains the keys too, is fetched when it is first opened.
"use strict";
(() => {
  const KEYS = /^([123bgknprtuw?*]|Arrow(Left|Right|Up|Down)|Escape)$/;
  const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 };
  const by = (id) => document.getElementById(id);
  const visible = (elements) => [...elements].filter((element) => element.checkVisibility());
  const rows = (kind) => [...document.querySelectorAll(`[data-row=${kind}]`)].map(stops).filter((row) => row.length);
  const openSheet = () => document.querySelector(".veil:modal");
  const typed = [];
  let fetching;

  // The links of a row between which the arrow keys move; only the first link of a card counts.
  function stops(row) {
    const isFirst = ({ dataset: { card } }, place, links) => !card || card !== links[place - 1]?.dataset.card;
    return visible(row.querySelectorAll("a")).filter(isFirst);
  }

  // The link that an arrow key leads to: the next one in the row, or the nearest one in the next row of that kind.
  function beside(link, key) {
    const { row: kind } = link.closest("[data-row]").dataset;
    const isHere = (stop) => stop === link || (link.dataset.card && stop.dataset.card === link.dataset.card);
    const all = rows(kind);
    const row = all.findIndex((each) => each.some(isHere));
    if (/Left|Right/.test(key)) return all[row]?.[all[row].findIndex(isHere) + STEPS[key]];
    const left = (stop) => Math.abs(stop.getBoundingClientRect().left - link.getBoundingClientRect().left);
    return all[(row + STEPS[key] + all.length) % all.length].toSorted((one, other) => left(one) - left(other))[0];
  }

  // The element that a key clicks or focuses now.
  function found(key, ctrl) {
    const focused = document.activeElement;
    const sheet = openSheet();
    const { card } = focused.dataset;
    if (ctrl || key === "Escape") return { click: visible((sheet ?? document).querySelectorAll(`[data-key=${key}]`))[0] };
    if (key === "?") return { click: by("help-open") };
    if (key === "n") return { click: document.querySelector("[data-key=n]") };
    if (sheet) return { click: sheet.querySelector(`[data-key="${key}"]`) };
    if (key in STEPS && focused.closest("[data-row]")) return { focus: beside(focused, key) };
    if (key === "ArrowLeft") return { click: document.querySelector(".replay a[rel=prev]") };
    if (key === "ArrowRight") return { click: document.querySelector(".replay a[rel=next]") };
    if (/[123]/.test(key)) {
      const level = stops(by(`level-${key}`).closest("[data-row]"));
      return { focus: level.find((stop) => !stop.dataset.key) ?? level[0] };
    }
    if (key === "t") return { focus: rows("tokens")[0]?.[0] };
    // A card that the reader cannot buy or reserve opens and says why.
    if (card && /[br]/.test(key)) {
      const action = document.querySelector(`[data-key=${key}][data-card="${card}"]`);
      return { click: action ?? (focused.dataset.key ? null : focused) };
    }
    const isStaged = "draft" in by("table").dataset;
    const tokens = focused.closest("[data-tokens]") ?? (isStaged ? document.querySelector("[data-tokens]") : null);
    const gems = visible(tokens?.querySelectorAll(`[data-touch="${key}"]`) ?? []);
    if (gems.length) return { click: gems.at(-1) };
    const spaces = visible(tokens?.querySelectorAll(`[data-find="${key}"]`) ?? []);
    return { focus: spaces[(spaces.indexOf(focused) + 1) % spaces.length] };
  }

  function press(key, ctrl) {
    const { click, focus } = found(key, ctrl);
    click?.click();
    focus?.focus();
    return Boolean(click ?? focus);
  }

  const isOff = () => localStorage.getItem("keys") === "off";
  const isBusy = () => by("working").classList.contains("htmx-request") || "waits" in by("table").dataset;

  document.addEventListener("keydown", (event) => {
    const { altKey, ctrlKey, metaKey, target } = event;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (isOff() || by("help").open || altKey || metaKey || target.matches("input, textarea, select")) return;
    if (ctrlKey ? key !== "Enter" : !KEYS.test(key)) return;
    // The browser itself asks to close an open card.
    if (key === "Escape" && openSheet()) return;
    if (isBusy() ? typed.push([key, ctrlKey]) : press(key, ctrlKey)) event.preventDefault();
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (!detail.successful) typed.length = 0;
    while (typed.length && !isBusy()) press(...typed.shift());
  });

  // The help is a page; what it says is shown in a dialog.
  async function fetchHelp() {
    const answer = await fetch(by("help-open").href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const style = page.getElementById("help-style");
    const isStyled = new Promise((resolve, reject) => {
      style.addEventListener("load", resolve);
      style.addEventListener("error", reject);
    });
    document.head.append(style);
    await isStyled;
    by("help").append(page.querySelector(".help"));
    by("keys-on").checked = !isOff();
    by("keys-on").addEventListener("change", ({ target }) => localStorage.setItem("keys", target.checked ? "on" : "off"));
  }

  by("help-open").addEventListener("click", async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    try {
      if (!by("help-title")) await (fetching ??= fetchHelp());
    } catch {
      fetching = undefined;
      location.assign(by("help-open").href);
      return;
    }
    if (!by("help").open) by("help").showModal();
    by("help-title").focus();
  });
})();
