// Names the symbols of a board: the one under the mouse as its title, the one that is pressed for long in a bubble, and in
// a bubble also a control that shows no words of its own when the keyboard reaches it.
"use strict";
(() => {
  const LONG = 450;
  const SLACK = 10;
  const names = JSON.parse(document.getElementById("names").textContent);
  const tip = document.createElement("p");
  let titled, timer, pressed, from;
  tip.className = "tip";
  // Above an open card too.
  tip.popover = "manual";
  tip.setAttribute("role", "tooltip");
  document.body.append(tip);

  // The name of a symbol; that of a crest is its player's.
  function named(use) {
    const symbol = use.getAttribute("href").split("#")[1];
    const [, family, number] = symbol.match(/^(.*?)(?:-(\d))?$/);
    return family === "crest" ? document.getElementById(`name-${number}`)?.textContent.trim() : names[family];
  }

  // The words of a control that shows none, or shows signs in their place.
  function hidden(control) {
    const spoken = control?.querySelector(".visually-hidden");
    const walker = document.createTreeWalker(control ?? tip, NodeFilter.SHOW_TEXT);
    while (spoken && walker.nextNode()) {
      const { data, parentElement } = walker.currentNode;
      if (/\p{L}{2}/u.test(data) && !parentElement.closest(".visually-hidden, [aria-hidden]")) return undefined;
    }
    return spoken?.textContent.trim().replace(/\s+/g, " ");
  }

  // The name of what lies at a point, under links too, or else of the control there.
  function at(x, y) {
    const things = document.elementsFromPoint(x, y);
    for (const thing of things) {
      const use = thing.matches("use") ? thing : thing.closest("svg")?.querySelector("use:only-of-type");
      const name = use && named(use);
      if (name) return name;
    }
    return hidden(things[0]?.closest("a:not([data-card]), button, summary"));
  }

  function show(name, left, top, bottom) {
    tip.textContent = name;
    tip.showPopover();
    const { offsetWidth: width, offsetHeight: height } = tip;
    tip.style.left = `${Math.max(8, Math.min(left - width / 2, innerWidth - width - 8))}px`;
    tip.style.top = `${top - height - 8 > 0 ? top - height - 8 : bottom + 8}px`;
  }

  function hide() {
    clearTimeout(timer);
    tip.hidePopover();
  }

  document.addEventListener("pointermove", ({ pointerType, target, clientX: x, clientY: y }) => {
    if (pointerType === "touch") {
      if (from && Math.hypot(x - from.x, y - from.y) > SLACK) hide();
      return;
    }
    const name = at(x, y);
    if (titled?.title === name) return;
    titled?.removeAttribute("title");
    titled = name && target.closest(":not(svg, svg *)");
    if (titled?.hasAttribute("title")) titled = undefined;
    if (titled) titled.title = name;
  });
  document.addEventListener("pointerdown", ({ pointerType, clientX: x, clientY: y }) => {
    hide();
    pressed = false;
    from = { x, y };
    if (pointerType !== "touch") return;
    timer = setTimeout(() => {
      const name = at(x, y);
      if (!name) return;
      pressed = true;
      show(name, x, y - 24, y + 24);
    }, LONG);
  });
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => clearTimeout(timer));
  // A long press that told a name does nothing else; the window hears of it before the other scripts.
  for (const kind of ["click", "contextmenu"]) {
    window.addEventListener(kind, (event) => {
      if (!pressed) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (kind === "click") pressed = false;
    }, true);
  }
  document.addEventListener("focusin", ({ target }) => {
    const name = target.matches(":focus-visible:not([data-card])") && hidden(target);
    if (pressed) return;
    hide();
    if (!name) return;
    const { left, width, top, bottom } = target.getBoundingClientRect();
    show(name, left + width / 2, top, bottom);
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  document.addEventListener("scroll", hide, true);
})();
