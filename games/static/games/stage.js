// Stages decisions the moment they are tapped, from the choices that the server sent with the table. This script knows
// no rules: controls can be touched together if some choice names them all. The server draws every draft afterwards; one
// request is under way at most, and the newest draft follows it. Taps on a draft that leads to another decision wait
// for its choices. The first page has no htmx: there the draft stays in the picture until its form posts it.
"use strict";
(() => {
  const by = (id) => document.getElementById(id);
  const isMine = ({ requestConfig }) => requestConfig?.elt.id === "stage";
  const count = (names, name) => names.filter((each) => each === name).length;
  const base = (draft) => draft.slice(0, draft.lastIndexOf(";") + 1);
  let said, touched, choice, draft, asked, from, posting, pressed;
  let taps = [];

  function read() {
    said = JSON.parse(by("choices")?.textContent ?? "null");
    if (!said) return;
    ({ touched, draft } = said);
    // Of a refused draft the server keeps what can stay, and that needs no other request.
    if (asked !== undefined) asked = draft;
    choice = said.choices.find(({ moves }) => moves === draft);
    for (const name of taps.splice(0)) {
      const later = touched.length ? null : document.querySelector(`#board [data-touch="${name}"][data-later]`);
      if (later) follow(later);
      else tap(name);
    }
  }

  const isBlind = () => base(draft) !== base(said.draft);
  const verb = (moves) => moves.slice(base(said.draft).length).split(" ")[0];
  const holds = (touches, names) => names.every((name) => count(names, name) <= count(touches, name));
  // The choices that these controls belong to; with a verb, only those of that verb.
  const naming = (names, word) =>
    said.choices.filter(({ touches, moves }) => (word ?? verb(moves)) === verb(moves) && holds(touches, names));

  // The choice of exactly these controls, or the shortest one that they suffice for.
  function made(names, word) {
    const found = naming(names, word).sort((one, other) => one.touches.length - other.touches.length);
    return found.find(({ touches, fills }) => fills || touches.length === names.length);
  }

  // The controls touched after a tap on this one: with it, without it, or only it; nothing if there is no such choice.
  function after(name) {
    if (naming([...touched, name]).length) return [...touched, name];
    if (touched.includes(name)) {
      const rest = touched.filter((each) => each !== name);
      return rest.length && made(rest)?.touches.includes(name) ? rest.slice(0, 1) : rest;
    }
    return touched.length === 1 && choice && !choice.fills && naming([name]).length ? [name] : null;
  }

  function tap(name) {
    if (isBlind()) {
      taps.push(name);
      // A request that failed is tried again.
      send();
      return true;
    }
    const names = after(name);
    if (names) touch(names);
    return Boolean(names);
  }

  // Fewer controls than before stay with the verb that was chosen.
  function touch(names) {
    const kept = names.length < touched.length ? verb(choice?.moves ?? draft) : undefined;
    choice = names.length ? made(names, kept) : undefined;
    touched = choice?.touches ?? names;
    aim(choice ? (choice.draft ?? choice.moves) : base(said.draft) + unfinished(names, kept));
  }

  // The notation of controls that do not make a choice yet.
  function unfinished(names, kept) {
    if (!names.length) return "";
    const word = verb(naming(names, kept)[0].moves);
    return word === names[0] ? names.join(" ") : `${word} ${names.join(names[0].length > 1 ? " " : "")}`;
  }

  // Stages the draft of a link, which may begin a choice: a privilege without its space, a card without its gold. While
  // the board shows other decisions before it than the draft has, it follows those of the draft.
  function follow(link) {
    taps = [];
    let next = new URLSearchParams(link.search).get("draft") ?? "";
    if (next && isBlind() && next.startsWith(base(said.draft))) next = base(draft) + next.slice(base(said.draft).length);
    // Closing a card changes nothing, also if the controls touched do not make a choice yet.
    if (next === draft) return aim(next);
    choice = said.choices.find((each) => next && (each.moves === next || each.draft === next));
    const begun = said.choices.find(({ moves, payment }) => next && !payment && moves.startsWith(`${next} `));
    touched = choice?.touches ?? begun?.touches.slice(0, 1) ?? [];
    aim(next);
  }

  // Pays for the card with one token less of a kind, and one more of another.
  function pay({ less, more }) {
    const sorted = (payment) => [...payment].sort().join("");
    const paid = sorted(choice.payment.replace(less, more));
    const isPaid = ({ touches: [card], payment }) => card === choice.touches[0] && payment && sorted(payment) === paid;
    const other = said.choices.find(isPaid);
    if (!other) return;
    choice = other;
    aim(other.moves);
  }

  function aim(next) {
    draft = next;
    paint();
    if (!window.htmx) return;
    history.replaceState(history.state, "", address());
    send();
  }

  // Gives a link that was drawn with an older draft the newest one.
  function renew(link) {
    const query = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(link.search)), ...ledger() });
    if (draft) query.set("draft", draft);
    else query.delete("draft");
    link.search = query;
  }

  // The part of the address that opens the whole ledger, if it is open.
  const ledger = () => (new URLSearchParams(location.search).has("ledger") ? { ledger: "all" } : {});

  function address() {
    const query = new URLSearchParams({ ...(draft && { draft }), ...ledger() });
    return location.pathname + (String(query) && `?${query}`);
  }

  // Shows the draft until the server draws it.
  function paint() {
    by("table").toggleAttribute("data-draft", Boolean(draft));
    by("table").toggleAttribute("data-waits", isBlind());
    const lines = touched.length ? naming(touched).filter(({ fills }) => fills) : [];
    document.querySelector("#board .token-grid")?.classList.toggle("is-line", lines.length > 0);
    for (const control of document.querySelectorAll("#board [data-touch]")) {
      const { touch: name, find } = control.dataset;
      const [number, pick, rest] = [count(touched, name), ...[".pick", ".rest"].map((part) => control.querySelector(part))];
      control.classList.toggle("is-picked", number > 0);
      control.classList.toggle("can-join", !number && lines.some(({ touches }) => touches.includes(name)));
      if (pick) pick.textContent = number ? (find ? touched.indexOf(name) + 1 : pick.dataset.sign + number) : "";
      if (rest) rest.textContent = number ? control.dataset.number - number : "";
    }
    for (const card of document.querySelectorAll("#board .card"))
      card.classList.toggle("is-staged", touched.includes(card.querySelector("[data-card]")?.dataset.card));
    const sheet = document.querySelector(".veil");
    if (sheet) {
      sheet.remove();
      const card = new URLSearchParams(location.search).get("card");
      document.querySelector(`#board [data-card="${card}"]`)?.focus();
    }
    const decision = document.querySelector("#board .decision");
    // A title may draw its own buttons.
    if (!decision) return;
    // A link that goes or hides leaves the focus with the decision.
    const focused = document.activeElement.closest("#board :is([data-acts], [data-idle]) a");
    decision.classList.toggle("is-staging", Boolean(draft));
    for (const acts of decision.querySelectorAll("[data-acts]")) acts.remove();
    if (draft) {
      decision.append(acts());
      window.htmx?.process(decision.lastElementChild);
    }
    if (!focused) return;
    const heading = decision.querySelector("h2") ?? decision;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }

  // The button that confirms the draft, and links that take it back.
  function acts() {
    const part = by("staging").content.cloneNode(true).firstElementChild;
    const [form, yet] = part.children;
    form.hidden = !choice?.words;
    yet.hidden = Boolean(choice) || !touched.length;
    yet.textContent = said.unfinished;
    form.elements.moves.value = choice?.moves;
    form.querySelector("[data-words]").textContent = choice?.words;
    return part;
  }

  // Asks the server to draw the draft, and again if it has changed meanwhile.
  async function send() {
    if (asked !== undefined || !window.htmx) return;
    // A poll gives way.
    htmx.trigger("#table", "htmx:abort");
    asked = draft;
    by("table").toggleAttribute("data-waits", isBlind());
    const query = new URLSearchParams({ draft, number: said.number, ...ledger() });
    const answered = await htmx
      .ajax("GET", `${location.pathname}?${query}`, { source: "#stage", target: "#table", swap: "outerHTML show:none" })
      .then(() => true, () => false);
    const isOld = asked !== draft;
    asked = undefined;
    if (!answered) by("table").removeAttribute("data-waits");
    else if (isOld && !posting) send();
  }

  // A click that stages something; every other click is left to the page.
  function click(event) {
    const link = event.target.closest("#table a");
    const { button, ctrlKey, metaKey, shiftKey, altKey } = event;
    if (!said || !link || button || ctrlKey || metaKey || shiftKey || altKey) return;
    const { touch: name, less, undo, later } = link.dataset;
    if (/[?&](card|prices|ledger|at)=/.test(link.search)) return renew(link);
    if (!link.getAttribute("href").startsWith(`${by("table").dataset.at ?? ""}?`)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (posting) return;
    if (undo !== undefined) touch(touched.slice(0, -1));
    else if (less && choice?.payment) pay(link.dataset);
    // What only follows another control says so when it comes first.
    else if (!name || (later !== undefined && !touched.length && !isBlind()) || !tap(name)) follow(link);
  }

  document.addEventListener("click", click, true);
  // htmx keeps the address with which a link was drawn.
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (said && detail.elt.matches("#table a")) detail.path = detail.elt.getAttribute("href");
  });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (isMine(detail) && asked !== draft) detail.shouldSwap = false;
  });
  document.addEventListener("htmx:beforeRequest", ({ detail }) => (posting ||= detail.requestConfig.verb === "post"));
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    posting &&= detail.requestConfig.verb !== "post";
  });
  document.addEventListener("htmx:afterSwap", ({ target }) => target.id === "table" && read());
  document.addEventListener("DOMContentLoaded", read);

  // The browser sends no click to a control that is drawn anew while the mouse is pressed on it, nor to one that has
  // moved away from under the mouse.
  const control = (target) => target.closest?.("#table :is(a, button)");
  const label = ({ dataset, textContent }) => dataset.touch ?? textContent.trim();
  document.addEventListener("pointerdown", ({ target, pointerType, button }) => {
    const found = pointerType === "mouse" && !button && control(target);
    pressed = found && { found, place: found.getBoundingClientRect() };
  });
  document.addEventListener("pointerup", ({ target, clientX: x, clientY: y }) => {
    const { found, place } = pressed || {};
    pressed = null;
    if (!found || found.isConnected) return;
    const same = [...by("table").querySelectorAll("a, button")].filter((each) => label(each) === label(found));
    const isThere = place.left <= x && x <= place.right && place.top <= y && y <= place.bottom;
    if (same.includes(control(target))) control(target).click();
    else if (isThere && same.length === 1) same[0].click();
  });

  // Dragging over a line of spaces touches both of its ends.
  document.addEventListener("pointerdown", ({ target, pointerId, button }) => {
    from = button ? null : target.closest("#board [data-find]");
    if (from) target.releasePointerCapture(pointerId);
  });
  document.addEventListener("pointerover", ({ target }) => {
    const over = target.closest("#board [data-find]");
    if (!from || !over || over === from || !said || posting || isBlind()) return;
    const ends = [from.dataset.touch, over.dataset.touch];
    if (made(ends)?.fills) touch(ends);
  });
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => (from = null));
  document.addEventListener("dragstart", (event) => from && event.preventDefault());
})();
