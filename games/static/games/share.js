// Copies or shares the link in a field. Without a script the field is there to select from.
"use strict";
for (const acts of document.querySelectorAll("[data-link]")) {
  const field = document.getElementById(acts.dataset.link);
  const [copy, share] = ["copy", "share"].map((name) => acts.querySelector(`[name=${name}]`));
  acts.hidden = false;
  share.hidden = !navigator.share;
  copy.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // Pages that came over an open connection have no clipboard; the selection can still be copied.
      if (!document.execCommand("copy")) return;
    }
    acts.querySelector("[role=status]").textContent = acts.dataset.copied;
  });
  // Closing the sheet without a choice is no error.
  share.addEventListener("click", () => navigator.share({ title: acts.dataset.title, url: field.value }).catch(() => {}));
}
