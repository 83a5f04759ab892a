// The table without full page loads: links and forms are boosted by htmx; this asks now and then whether something is
// new, only while the page is visible and no draft is open, and waits as long as the last answer says.
"use strict";
(() => {
  const table = () => document.getElementById("table");
  let timer;

  function wait(seconds) {
    clearTimeout(timer);
    timer = setTimeout(ask, seconds * 1000);
  }

  function ask() {
    const { poll, after, draft } = table()?.dataset ?? {};
    if (!poll) return;
    if (document.hidden || draft !== undefined) wait(after);
    else htmx.ajax("GET", poll, { target: "#table", swap: "outerHTML show:none" });
  }

  document.addEventListener("htmx:afterRequest", (event) => {
    const after = event.detail.xhr.getResponseHeader("X-Poll-After") ?? table()?.dataset.after;
    if (after) wait(Number(after));
  });
  document.addEventListener("visibilitychange", () => document.hidden || wait(0));
  document.addEventListener("DOMContentLoaded", () => wait(Number(table()?.dataset.after ?? 10)));
  // A number chosen with the slider is shown at once.
  document.addEventListener("change", (event) => {
    if (event.target.matches(".replay input[type=range]")) event.target.form.requestSubmit();
  });
  // Arrow keys look back, outside of fields.
  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
    const plain = !event.altKey && !event.ctrlKey && !event.metaKey && !event.target.matches("input, textarea, select");
    const link = step && plain && document.querySelector(`.replay a[rel=${step}]`);
    if (link) link.click();
  });
})();
