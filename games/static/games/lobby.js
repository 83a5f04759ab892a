// Loads the page of an open table again when something has happened there, unless its reader is writing. It polls while
// the page is visible, and waits as long as the last answer says.
"use strict";
{
  const { poll, after } = document.querySelector("[data-poll]").dataset;
  let failures = 0;
  let timer;

  const wait = (seconds) => {
    clearTimeout(timer);
    timer = setTimeout(ask, seconds * 1000 * Math.min(2 ** failures, 60));
  };

  // A poll is given up if its reader begins to write meanwhile.
  const isWriting = () => {
    const fields = [...document.querySelectorAll(".guest-form input")];
    return fields.some((field) => field.value !== field.defaultValue || field === document.activeElement);
  };

  async function ask() {
    if (document.hidden) return;
    if (isWriting()) {
      wait(after);
      return;
    }
    const answer = await fetch(poll, { redirect: "manual" }).catch(() => null);
    if (isWriting()) {
      wait(after);
      return;
    }
    if (answer && answer.status !== 204 && answer.status < 500) {
      location.reload();
      return;
    }
    failures = answer?.ok ? 0 : failures + 1;
    wait(answer?.headers.get("X-Poll-After") || after);
  }

  document.addEventListener("visibilitychange", () => wait(0));
  wait(after);
}
