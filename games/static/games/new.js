// Keeps the sentence about the settings of a new table true while they change.
"use strict";
document.querySelector(".new form").addEventListener("change", ({ target }) => {
  const part = document.querySelector(`[data-part="${target.name}"]`);
  if (part) part.textContent = target.dataset.said ?? target.closest("label").querySelector("b").textContent;
});
