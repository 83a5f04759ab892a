/* Improves forms: fills in the browser's time zone, shows passwords, handles passkeys. */
(() => {
  "use strict";
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const field of document.querySelectorAll("[data-browser-zone]")) {
    // If the list lacks the browser's zone, it stays empty.
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
