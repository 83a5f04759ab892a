// Looking back: shows the move that the slider chooses, plays moves one after the other, and keeps the shown one in view in
// the ledger. Any input stops playing. The script comes with the first position looked back at; as a module it runs once.
"use strict";
(() => {
  const STEP = 1500;
  const find = (selector) => document.querySelector(selector);
  let timer;

  function show() {
    const row = find(".ledger .is-shown");
    if (row) {
      const list = row.closest("ol");
      const above = row.getBoundingClientRect().top - list.getBoundingClientRect().top;
      list.scrollTop += above - (list.clientHeight - row.offsetHeight) / 2;
    }
    find("#play")?.setAttribute("aria-pressed", Boolean(timer));
  }

  function stop() {
    clearTimeout(timer);
    timer = undefined;
    show();
  }

  function step() {
    (find(".replay [rel=next]") ?? find("#step-first")).click();
  }

  document.addEventListener("click", ({ target }) => {
    if (!target.closest("#play")) return;
    if (timer) return stop();
    // Safari does not focus a button that is clicked.
    find("#play").focus();
    timer = setTimeout(step);
    show();
  });
  document.addEventListener("htmx:afterSwap", ({ target }) => {
    if (target.id !== "table") return;
    const hasMore = timer && find(".replay [rel=next]");
    timer = hasMore ? setTimeout(step, STEP) : undefined;
    show();
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => detail.successful || stop());
  for (const input of ["pointerdown", "keydown", "wheel"])
    document.addEventListener(input, ({ target, key }) => {
      const isToggle = target.closest("#play") && (!key || key === "Enter" || key === " ");
      if (timer && !isToggle) stop();
    });
  document.addEventListener("visibilitychange", stop);
  document.addEventListener("change", ({ target }) => {
    if (target.matches(".replay [type=range]")) target.form.requestSubmit();
  });
  show();
})();
