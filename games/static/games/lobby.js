// Loads the page of an open table again when something has happened there. While its reader writes, has opened something
// or uses the keyboard, it offers that instead. It polls while the page is visible, and waits as long as the last answer
// says.
"use strict";
{
  const { poll, after } = document.querySelector("[data-poll]").dataset;
  let failures = 0;
  let timer, isSent;

  const wait = (seconds) => {
    clearTimeout(timer);
    timer = setTimeout(ask, seconds * 1000 * Math.min(2 ** failures, 60));
  };

  const isBusy = () => {
    const isChanged = (field) => field.value !== field.defaultValue;
    const fields = [...document.querySelectorAll(".guest-form input")];
    return document.querySelector("details[open], :focus-visible") || fields.some(isChanged);
  };

  async function ask() {
    if (document.hidden || isSent) return;
    const answer = await fetch(poll, { redirect: "manual" }).catch(() => null);
    // Loading the page now would give up what its reader has sent.
    if (isSent) return;
    if (answer && answer.status !== 204 && answer.status < 500) {
      if (!isBusy()) return location.reload();
      document.querySelector(".changed .note").hidden = false;
    }
    failures = answer?.ok ? 0 : failures + 1;
    wait(answer?.headers.get("X-Poll-After") || after);
  }

  document.addEventListener("submit", (event) => (isSent ||= !event.defaultPrevented));
  document.addEventListener("visibilitychange", () => wait(0));
  addEventListener("pageshow", ({ persisted }) => {
    isSent = false;
    wait(persisted ? 0 : after);
  });
}
