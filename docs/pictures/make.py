"""`make pictures` draws the icons of the site, the pictures that chats show beside a link, and the signs that
`games.pictures` puts on previews. A real browser draws them from the site's own SVG; they only change with it."""

from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from docs.screenshots.make import CHROMIUM, own_site, served

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "games/static/games"
SEED = bytes(range(32))
"""The seed of the deals in the pictures."""
SIGNS = ("crest-0", "crest-1", "crest-2", "crest-3", "i-laurel")
SIGN = 96
"""The width and height of a sign."""


def main() -> None:
    with own_site(), served() as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        # The pictures have styles of their own, which the policy of the site's pages forbids.
        page = browser.new_context(bypass_csp=True, color_scheme="light").new_page()
        page.goto(f"{site}/robots.txt")
        for name, context in _titles().items():
            picture = _shot(page, 1200, 630, _drawn("title.html", context))
            _few_colours(picture.convert("RGB")).save(STATIC / "pictures" / f"{name}.png", optimize=True)
        for name, (size, radius, scale) in ICONS.items():
            mark = (STATIC / "favicon.svg").read_text()
            picture = _shot(page, size, size, _drawn("icon.html", {"mark": mark, "radius": radius, "scale": scale}))
            picture.save(STATIC / "icons" / f"{name}.png", optimize=True)
        signs = _shot(page, SIGN * len(SIGNS), SIGN, _drawn("signs.html", {"signs": SIGNS, "size": SIGN}))
        signs.getchannel("A").save(ROOT / "games/pictures/signs.png", optimize=True)
        browser.close()


ICONS = {
    "192": (192, "22%", "1"),
    "512": (512, "22%", "1"),
    # Systems cut these into a shape of their own; the mark stays within the inner four fifths.
    "maskable": (512, "0", ".8"),
    "apple-touch": (180, "0", "1"),
}
"""The size of each icon, the radius of its corners and the scale of the mark."""


def _titles() -> dict[str, dict[str, Any]]:
    """The pictures by file name: that of the site, and those of its titles."""
    from games.boards.gems import GEMS
    from games.catalogue import TITLES

    pearl, gold = GEMS["p"], GEMS["*"]
    gems = [gem for gem in GEMS.values() if gem not in (pearl, gold)]
    openings = {slug: title.opening(SEED) for slug, title in TITLES.items()}
    scenes = {"splendor": ("market", [*gems, gold]), "duel": ("board", [*gems, pearl])}
    pictures = {
        slug: {
            "name": TITLES[slug].ruleset.name,
            "mark": TITLES[slug].mark,
            "scene": scene,
            "gems": kinds,
            "opening": openings[slug],
        }
        for slug, (scene, kinds) in scenes.items()
    }
    return {**pictures, "site": {"mark": "mark", "gems": [*gems, gold], "opening": openings["splendor"]}}


def _drawn(template: str, context: dict[str, Any]) -> str:
    from django.template import engines

    text = (Path(__file__).parent / template).read_text()
    drawn: str = engines["django"].from_string(text).render(context)
    return drawn


def _shot(page: Page, width: int, height: int, html: str) -> Image.Image:
    page.set_viewport_size({"width": width, "height": height})
    page.set_content(html, wait_until="networkidle")
    page.evaluate("document.fonts.ready")
    return Image.open(BytesIO(page.screenshot(animations="disabled", omit_background=True)))


def _few_colours(picture: Image.Image) -> Image.Image:
    """The picture with 256 colours: less than half of the bytes, and no visible difference."""
    palette = picture.quantize(method=Image.Quantize.FASTOCTREE)
    return picture.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG)


if __name__ == "__main__":
    main()
