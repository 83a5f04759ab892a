"""Finds what does not fit a screen: pages that scroll sideways, and words that are cut."""

from playwright.sync_api import Page

FAULTS = """() => {
    const found = [];
    const { scrollWidth } = document.documentElement;
    const told = part => `${part.className} “${part.innerText?.trim()}”`;
    const box = part => part.getBoundingClientRect();
    if (scrollWidth > innerWidth) {
        const root = document.documentElement;
        const isCause = part => {
            const { display } = part.style;
            part.style.setProperty("display", "none", "important");
            const { scrollWidth: without } = root;
            part.style.display = display;
            return without < scrollWidth;
        };
        const cause = part => [...part.children].map(child => isCause(child) && cause(child)).find(Boolean) || part;
        found.push(`scrolls sideways: ${scrollWidth}, ${told(cause(document.body))}`);
    }
    const isSeen = part => part.checkVisibility() && box(part).width > 1;
    const visible = names => [...document.querySelectorAll(names)].filter(isSeen);
    const CONTROLS = ".btn, .btn-yet, .card-state, .idea-in, .way, .give, .deck-do, .turn-time b, .is-mine";
    // The words of a control end inside it.
    for (const part of visible(CONTROLS)) {
        const words = document.createRange();
        words.selectNodeContents(part);
        const hidden = part.querySelector(".visually-hidden:last-child");
        if (hidden) words.setEndBefore(hidden);
        const [inner, outer] = [words.getBoundingClientRect(), box(part)];
        if (inner.left < outer.left - 1 || inner.right > outer.right + 1) found.push(`cut: ${told(part)}`);
        const spare = 1 + 0.2 * parseFloat(getComputedStyle(part).fontSize);
        if (inner.top < outer.top - spare || inner.bottom > outer.bottom + spare) found.push(`too low: ${told(part)}`);
    }
    // Whose turn it is, and the time, are whole and uncovered, except under a sheet.
    for (const part of document.querySelector(".veil") ? [] : visible(".turn-who.is-mine, .turn-time b")) {
        const { left, right, top, bottom } = box(part);
        const over = part.scrollWidth > Math.ceil(right - left) + 1;
        const at = x => document.elementFromPoint(x, (top + bottom) / 2);
        const seen = [left + 2, right - 2].every(x => at(x)?.closest(".turn"));
        if (over || !seen || right > innerWidth) found.push(`hidden: ${told(part)}`);
    }
    // The account is at the end of the rail, unless it has a line of its own.
    const inRail = name => document.querySelector(`header.rail${name}`);
    const [rail, brand, end] = ["", " > .brand", " > .rail-end"].map(inRail);
    if (end && box(end).top < box(brand).bottom && box(rail).right - box(end).right > 24)
        found.push(`not at the end of the rail: ${told(end)}`);
    // A price covers no points.
    for (const part of visible(".card-points")) {
        const points = document.createRange();
        points.selectNodeContents(part);
        const { bottom, right } = points.getBoundingClientRect();
        const isUnder = gem => box(gem).top < bottom - .25 * (bottom - box(part).top) && box(gem).left < right;
        if ([...part.closest(".card, .duel-card").querySelectorAll(".cost .gem")].some(isUnder))
            found.push(`covered points: ${told(part.closest("[data-thing], li") ?? part)}`);
    }
    for (const part of visible(".sheet"))
        if (part.scrollWidth > part.clientWidth) found.push(`the sheet scrolls sideways: ${part.scrollWidth}`);
    for (const part of visible(".ghost"))
        if (box(part).left < 0 || box(part).right > box(part.closest(".board, main")).right)
            found.push(`outside: ${told(part)}`);
    return found;
}"""


def faults(page: Page, screens: list[tuple[int, int]], texts: tuple[str, ...] = ("100%", "200%")) -> list[str]:
    """The faults of this page on these screens, with text of the usual size and of twice the size."""
    found = []
    for text in texts:
        page.evaluate("size => { document.documentElement.style.fontSize = size }", "" if text == "100%" else text)
        for width, height in screens:
            page.set_viewport_size({"width": width, "height": height})
            found += [f"{page.url} {width} {text} {fault}" for fault in page.evaluate(FAULTS)]
    page.evaluate("() => { document.documentElement.style.fontSize = '' }")
    return found
