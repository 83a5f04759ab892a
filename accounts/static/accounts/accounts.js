/* What a form can do better with script: the browser's time zone, a password to look at, passkeys. */
(() => {
  "use strict";
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const field of document.querySelectorAll("[data-browser-zone]")) {
    // A list without that zone stays empty.
    if (!field.value && zone) field.value = zone;
  }
  for (const button of document.querySelectorAll(".reveal")) {
    const field = document.getElementById(button.getAttribute("aria-controls"));
    button.hidden = false;
    button.addEventListener("click", () => {
      const shown = button.getAttribute("aria-pressed") === "true";
      field.type = shown ? "password" : "text";
      button.setAttribute("aria-pressed", String(!shown));
      field.focus();
    });
    field.form.addEventListener("submit", () => { field.type = "password"; });
  }
  const trouble = document.getElementById("passkey-trouble");
  for (const part of document.querySelectorAll("[data-needs-script]")) part.hidden = false;
  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    if (trouble) trouble.hidden = false;
  });
})();
