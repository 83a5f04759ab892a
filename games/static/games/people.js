// Shows a person in brief while the mouse rests on a link to their profile. Escape hides the bubble, and the mouse may
// move onto it.
"use strict";
(() => {
  const REST = 350;
  const LEAVE = 200;
  const bubble = document.createElement("aside");
  const known = new Map();
  let coming, going, shown;
  bubble.className = "person-card leaf";
  bubble.hidden = true;
  document.body.append(bubble);

  async function load(address) {
    const answer = await fetch(address);
    if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
    return answer.text();
  }

  async function show(link) {
    const address = link.dataset.cardAddress;
    if (!known.has(address)) known.set(address, load(address));
    shown = link;
    let html;
    try {
      html = await known.get(address);
    } catch {
      known.delete(address);
      return;
    }
    if (shown !== link) return;
    bubble.innerHTML = html;
    bubble.hidden = false;
    const { left, top, bottom } = link.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = bubble;
    bubble.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
    bubble.style.top = `${bottom + 8 + height < innerHeight ? bottom + 8 : Math.max(8, top - height - 8)}px`;
  }

  function hide() {
    clearTimeout(coming);
    clearTimeout(going);
    shown = undefined;
    bubble.hidden = true;
  }

  document.addEventListener("pointerover", ({ pointerType, target }) => {
    if (pointerType === "touch") return;
    if (bubble.contains(target)) return clearTimeout(going);
    const link = target.closest("[data-card-address]");
    if (link && link === shown) return clearTimeout(going);
    clearTimeout(coming);
    clearTimeout(going);
    if (link) coming = setTimeout(show, REST, link);
    if (shown) going = setTimeout(hide, LEAVE);
  });
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  document.addEventListener("scroll", hide, true);
})();
