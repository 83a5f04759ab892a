// Drops a form that is sent a second time with the same data, as by a double click. What a script sends is that script's
// concern.
"use strict";
{
  const PAUSE = 5000;
  let sent = new WeakMap();
  // A page that the browser kept can send its forms again.
  addEventListener("pageshow", () => (sent = new WeakMap()));
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (event.defaultPrevented || form.method !== "post") return;
    const data = String(new URLSearchParams(new FormData(form, submitter)));
    const last = sent.get(form);
    if (last?.data === data && Date.now() - last.time < PAUSE) event.preventDefault();
    else sent.set(form, { data, time: Date.now() });
  });
}
