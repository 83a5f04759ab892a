// Shows a theme that is chosen in the rail at once, and stores it without leaving the page.
"use strict";
document.getElementById("theme")?.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  const root = document.documentElement;
  event.preventDefault();
  if (submitter.value === "auto") delete root.dataset.theme;
  else root.dataset.theme = submitter.value;
  for (const button of document.querySelectorAll("[form=theme]"))
    button.setAttribute("aria-pressed", String(button.value === submitter.value));
  // Saving an open form of settings must not store the old theme again.
  const radio = document.querySelector(`input[name=theme][value=${submitter.value}]`);
  if (radio) radio.checked = true;
  fetch(form.action, { method: "POST", body: new FormData(form, submitter), redirect: "manual" });
});
