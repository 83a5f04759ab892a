// Shows what a move changed: what is gone flies to the seat that moved, and what is new appears. A sound says that it is
// the reader's turn. Both only add to a page that is complete already, and take no clicks; readers can turn them off.
"use strict";
(() => {
  const { movement, sound } = document.currentScript.dataset;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const TIME = { duration: 280, easing: "ease-in-out" };
  const MOST = 16;
  const isMove = ({ requestConfig: { elt, verb } }) => elt.id === "turn" || verb === "post";
  const isMine = () => Boolean(document.querySelector("#turn .is-mine"));
  let before, wasMine, context;

  // The cards, piles and tokens on the board by name, with their places and numbers.
  function things() {
    const rows = [...document.querySelectorAll("#board [data-row]")];
    const shown = [...document.querySelectorAll("#board [data-thing]")].filter((element) => element.checkVisibility());
    const facts = (element) => ({
      element,
      row: rows.indexOf(element.closest("[data-row]")),
      box: element.getBoundingClientRect(),
      number: Number(element.dataset.number ?? 1),
    });
    return new Map(shown.map((element) => [element.dataset.thing, facts(element)]));
  }

  const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];

  // Lets a copy of a thing fly from one box to another.
  function fly({ element, row, box }, from, to) {
    const copy = element.cloneNode(true);
    copy.inert = true;
    copy.removeAttribute("data-thing");
    const [width, height, left, top] = [box.width, box.height, box.left, box.top].map((number) => `${number}px`);
    Object.assign(copy.style, { position: "fixed", zIndex: 40, margin: 0, width, height, left, top });
    const place = document.querySelectorAll("#board [data-row]")[row];
    // A row of a table would count it as a cell.
    (place?.closest("table")?.parentElement ?? place)?.append(copy);
    const at = (target, scale) => {
      const [x, y] = middle(target).map((place, axis) => place - middle(box)[axis]);
      return { transform: `translate(${x}px, ${y}px) scale(${scale})`, opacity: scale === 1 ? 1 : 0.4 };
    };
    const steps = [at(from, from === box ? 1 : 0.5), at(to, to === box ? 1 : 0.5)];
    copy.animate(steps, TIME).finished.finally(() => copy.remove());
  }

  function show() {
    const now = things();
    const seat = by(`seat-${by("table").dataset.mover}`)?.getBoundingClientRect();
    const fewer = [...before].filter(([name, { number }]) => (now.get(name)?.number ?? 0) < number);
    const more = [...now].filter(([name, { number }]) => number > (before.get(name)?.number ?? 0));
    if (!seat || fewer.length + more.length > MOST) return;
    for (const [, thing] of fewer) fly(thing, thing.box, seat);
    for (const [name, thing] of more) {
      if (before.has(name)) fly(thing, seat, thing.box);
      else thing.element.animate([{ opacity: 0, transform: "translateY(-8px)" }, {}], TIME);
    }
  }

  const by = (id) => document.getElementById(id);

  async function ring() {
    const asked = Date.now();
    context ??= new AudioContext();
    // Before the first tap or key, browsers keep silent. A sound that could not be heard in time is not made up for.
    await context.resume();
    if (Date.now() - asked > 1000) return;
    for (const [place, pitch] of [660, 880].entries()) {
      const [tone, volume] = [context.createOscillator(), context.createGain()];
      const start = context.currentTime + place * 0.12;
      tone.frequency.value = pitch;
      volume.gain.setValueAtTime(0.08, start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
      tone.connect(volume).connect(context.destination);
      tone.start(start);
      tone.stop(start + 0.3);
    }
  }

  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    before = isMove(detail) && detail.shouldSwap ? things() : undefined;
    wasMine = isMine();
  });
  document.addEventListener("htmx:afterSettle", ({ target }) => {
    if (target.id !== "table" || !before) return;
    if (movement && !still.matches) show();
    if (sound && isMine() && !wasMine) ring();
    before = undefined;
  });
})();
