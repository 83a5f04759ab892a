// Shows a theme that is chosen in the rail at once, and stores it without leaving the page.
"use strict";
document.getElementById("theme")?.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  const { dataset } = document.documentElement;
  const before = dataset.theme ?? "auto";
  const show = (theme) => {
    if (theme === "auto") delete dataset.theme;
    else dataset.theme = theme;
    for (const button of document.querySelectorAll("[form=theme]"))
      button.setAttribute("aria-pressed", String(button.value === theme));
    // Saving an open form of settings must not store the old theme again.
    const radio = document.querySelector(`input[name=theme][value=${theme}]`);
    if (radio) radio.checked = true;
  };
  event.preventDefault();
  show(submitter.value);
  const body = new FormData(form, submitter);
  // The request outlives the page, if a link is followed at once.
  fetch(form.action, { method: "POST", body, redirect: "manual", keepalive: true })
    .then(({ status }) => status < 400 || show(before))
    .catch(() => show(before));
});
