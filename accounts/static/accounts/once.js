// Sends a form once, however often its button is pressed. What a script sends is that script's concern.
"use strict";
{
  const PAUSE = 30_000;
  let sent = new WeakMap();
  // A page that the browser kept can send its forms again.
  addEventListener("pageshow", () => (sent = new WeakMap()));
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented || event.target.method !== "post") return;
    if (Date.now() - sent.get(event.target) < PAUSE) event.preventDefault();
    else sent.set(event.target, Date.now());
  });
}
