"""PAGE PICTURES: what a reader does with the built page, in Debian's Chromium by Playwright: the journeys of
check_journeys.py and of verify_journeys.py. Pictures of both views, at both widths, light and dark, go to PICTURES.

Every journey begins with a new tab. Nothing may be written to the console, and nothing asked of another address. Exit
code 1, and the journeys that failed."""

import functools
import sys
import threading
import time
import traceback
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import check_journeys
import verify_journeys
from playwright.sync_api import expect, sync_playwright

PAGE, PICTURES = Path(sys.argv[1]), Path(sys.argv[2])
expect.set_options(timeout=60_000)


class Quiet(SimpleHTTPRequestHandler):
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, *_):
        pass


CONTRAST = """() => {
    const parts = (color) => color.match(/[\\d.]+/g).map(Number);
    const light = (color) => {
        const [r, g, b] = parts(color).map((c) => (c /= 255) <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
        return .2126 * r + .7152 * g + .0722 * b;
    };
    const ground = (e) => {
        for (; e; e = e.parentElement) {
            const color = getComputedStyle(e).backgroundColor;
            if ((parts(color)[3] ?? 1) > 0) return color;
        }
        return "rgb(255, 255, 255)";
    };
    const least = { contrast: 21 };
    for (const e of document.querySelectorAll("body *")) {
        const own = [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim())
            || /^(INPUT|TEXTAREA|SELECT)$/.test(e.tagName);
        // marks, which lie behind the text and repeat it, are hidden
        if (!own || !e.checkVisibility() || e.closest("[aria-hidden]")) continue;
        const [a, b] = [light(getComputedStyle(e).color), light(ground(e))];
        const contrast = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
        if (contrast < least.contrast) Object.assign(least, { contrast, where: e.outerHTML.slice(0, 80) });
    }
    return least;
}"""


def judged(page, name, width):
    """A picture, and what is wrong with what it shows."""
    least = page.evaluate(CONTRAST)
    page.screenshot(path=PICTURES / f"{name}.png", full_page=True)
    wide = page.evaluate("document.documentElement.scrollWidth")
    return [f"{name}: contrast {least}"] * (least["contrast"] < 4.5) + [f"{name}: {wide} pixels wide"] * (wide > width)


def looks(browser, address):
    """Pictures at both widths in light and dark; contrast, and nothing wider than the window."""
    errors = []
    for scheme in ("light", "dark"):
        for width in (390, 1280):
            page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
            for look in ("checked", "mistaken"):
                page.goto(address)
                check_journeys.looks(page, look)
                errors += judged(page, f"{look}-{scheme}-{width}", width)
            page.goto("about:blank")
            page.goto(address + "#verify")
            verify_journeys.looks(page)
            errors += judged(page, f"verified-{scheme}-{width}", width)
            page.close()
    return errors


def watched(context, address):
    """A new tab, and a list of what is written to its console and asked of other addresses."""
    page, said = context.new_page(), []

    def asked(request):
        if not request.url.startswith(address) and request.url != "data:,":
            said.append(request.url)

    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", asked)
    return page, said


def main():
    PICTURES.mkdir(parents=True, exist_ok=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(PAGE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address, errors = f"http://127.0.0.1:{server.server_port}/", []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for act in [*check_journeys.journey, *verify_journeys.journey]:
            context = browser.new_context()
            page, said = watched(context, address)
            started = time.monotonic()
            try:
                page.goto(address + ("#verify" if act in verify_journeys.journey else ""))
                act(page)
                if said:
                    errors.append(f"{act.__name__}: {said}")
            except Exception:
                errors.append(f"{act.__name__}: {traceback.format_exc(limit=3)} {said}")
            print(f"{act.__name__}: {time.monotonic() - started:.1f} s", flush=True)
            context.close()
        errors += looks(browser, address)
        browser.close()
    print("\n".join(errors) or f"{len(check_journeys.journey) + len(verify_journeys.journey)} journeys")
    sys.exit(1 if errors else 0)


main()
