// Copies or shares the link in a field, and links that are marked for it: with the system's sheet if there is one,
// otherwise by copying. Without a script the field is there to select from, and the links lead to their page.
"use strict";
for (const acts of document.querySelectorAll("[data-link]")) {
  const field = document.getElementById(acts.dataset.link);
  const [copy, share] = ["copy", "share"].map((name) => acts.querySelector(`[name=${name}]`));
  acts.hidden = false;
  share.hidden = !navigator.share;
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // Pages that came over an open connection have no clipboard; a selection can still be copied.
      field.select();
      if (!document.execCommand("copy")) return;
    }
    acts.querySelector("[role=status]").textContent = acts.dataset.copied;
  });
  // Closing the sheet without a choice is no error.
  share.addEventListener("click", () => navigator.share({ title: acts.dataset.title, url: field.value }).catch(() => {}));
}
document.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-share]");
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event;
  if (!link || button || ctrlKey || metaKey || shiftKey || altKey || !(navigator.share || navigator.clipboard)) return;
  event.preventDefault();
  const { share: title, copied } = link.dataset;
  if (navigator.share) return navigator.share({ title, url: link.href }).catch(() => {});
  try {
    await navigator.clipboard.writeText(link.href);
  } catch {
    return location.assign(link.href);
  }
  const status = link.querySelector("[role=status]");
  const say = (words) => {
    status.textContent = words;
    status.previousElementSibling.hidden = Boolean(words);
  };
  say(copied);
  setTimeout(say, 4000, "");
});
