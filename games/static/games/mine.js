// Loads the list of tables again if its reader comes back to it after five minutes or more.
"use strict";
{
  const drawn = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && Date.now() - drawn >= 300_000) location.reload();
  });
}
