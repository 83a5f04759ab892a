// Loads the page of an open table again when something has happened there, unless its reader is writing. It polls while
// the page is visible, and waits as long as the last answer says.
"use strict";
{
  const { poll, after } = document.querySelector("[data-poll]").dataset;
  const isWriting = () =>
    [...document.querySelectorAll(".guest-form input")].some(
      (field) => field.value !== field.defaultValue || field === document.activeElement,
    );
  let failures = 0;

  async function ask() {
    let seconds = after;
    if (!document.hidden && !isWriting()) {
      try {
        const answer = await fetch(poll, { redirect: "manual" });
        if (answer.status !== 204 && answer.status < 500) {
          location.reload();
          return;
        }
        seconds = answer.headers.get("X-Poll-After") || after;
        failures = answer.ok ? 0 : failures + 1;
      } catch {
        failures += 1;
      }
    }
    setTimeout(ask, seconds * 1000 * Math.min(2 ** failures, 60));
  }

  setTimeout(ask, after * 1000);
}
