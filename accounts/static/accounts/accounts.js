/* Improves forms: fills in the browser's time zone, shows passwords, handles passkeys. */
(() => {
  "use strict";
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const field of document.querySelectorAll("[data-browser-zone]")) {
    // If the list lacks the browser's zone, it stays empty.
    const renamed = field.querySelector?.(`[data-former~="${CSS.escape(zone ?? "")}"]`);
    if (!field.value && zone) field.value = renamed?.value ?? zone;
    const search = document.getElementById(`${field.id}_search`);
    if (!search) continue;
    search.hidden = false;
    // Browsers cannot hide an option, so those that do not match are taken out of the list.
    const places = [...field.options].map((option) => [option, option.parentElement]);
    const bare = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    search.addEventListener("input", () => {
      const wanted = bare(search.value.trim());
      const found = [];
      for (const [option, group] of places.filter(([option]) => option.value)) {
        const names = bare(`${option.text} ${option.dataset.former ?? ""}`);
        if (names.includes(wanted)) {
          group.append(option);
          found.push([option, names.split(/[ ,/]+/).some((word) => word.startsWith(wanted))]);
        } else option.remove();
      }
      const best = found.find(([, begins]) => begins) ?? found[0];
      if (wanted) field.value = best?.[0].value ?? "";
    });
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
