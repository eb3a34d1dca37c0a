"""PAGE PICTURES: what a reader does with the built page, in Debian's Chromium by Playwright: here in the view that verifies certificates, in
check_journeys.py in the one that checks encodings. Pictures of both, at both widths, light and dark, go to PICTURES.

Every journey begins with a new tab. Nothing may be written to the console, and nothing asked of another address. Exit code 1, and the journeys that failed."""

import functools
import json
import sys
import threading
import time
import traceback
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

import check_journeys

PAGE, PICTURES = Path(sys.argv[1]), Path(sys.argv[2])
EXAMPLES = json.loads((PAGE / "examples.json").read_text())
APE = EXAMPLES["ape.cn.every-content.json"]
expect.set_options(timeout=60_000)
JOURNEYS = []


class Quiet(SimpleHTTPRequestHandler):
    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, *_):
        pass


def journey(act):
    JOURNEYS.append(act)
    return act


def status(page, text):
    expect(page.locator("#status")).to_have_text(text)


def proved(page, text):
    expect(page.locator("#claims .proved")).to_contain_text(text)


def refused(page):
    status(page, "Not proved")
    expect(page.locator("#claims .proved")).to_have_count(0)
    expect(page.locator("#claims .refused")).to_have_count(1)


def enter(page, text):
    page.fill("#certificate", text)
    page.click("#verify")


def forged():
    one = json.loads(APE)
    one["claim"]["verdict"] = "fails"
    return json.dumps(one)


@journey
def an_example_is_verified_on_opening(page):
    status(page, "Proved")
    proved(page, "alibi: gps, norm: fails")


@journey
def a_certificate_is_pasted(page):
    status(page, "Proved")
    enter(page, APE)
    proved(page, "ape: convergent-normalization, every-content")
    page.click("summary")
    expect(page.locator("#claims pre")).to_contain_text("sum-converges")


@journey
def every_example_is_proved(page):
    for name in EXAMPLES:
        page.select_option("#example", name)
        status(page, "Proved")
        proved(page, name.split(".")[0] + ": ")


@journey
def a_forgery_is_refused(page):
    status(page, "Proved")
    enter(page, forged())
    refused(page)


@journey
def an_answer_goes_when_the_text_changes(page):
    status(page, "Proved")
    page.locator("#certificate").press_sequentially(" ")
    status(page, "Not verified yet")
    expect(page.locator("#claims li")).to_have_count(0)


@journey
def what_is_no_certificate_is_refused(page):
    status(page, "Proved")
    for text in ["{", "[]", "<b>bold</b>", "null"]:
        enter(page, text)
        refused(page)
    expect(page.locator("#claims b")).to_have_count(0)
    enter(page, "")
    status(page, "Paste a certificate, drop files, or choose an example.")


@journey
def files_are_chosen(page):
    status(page, "Proved")
    page.set_input_files("#files", [{"name": name, "mimeType": "application/json", "buffer": text.encode()}
                                    for name, text in [("--help", APE), ("ä 2.json", forged())]])
    status(page, "1 of 2 proved")
    expect(page.locator("#claims .proved code")).to_have_text("--help")
    expect(page.locator("#claims .refused code")).to_have_text("ä 2.json")


@journey
def a_file_is_dropped(page):
    status(page, "Proved")
    transfer = page.evaluate_handle("""text => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], "one.json"));
        return transfer;
    }""", APE)
    page.dispatch_event("body", "drop", {"dataTransfer": transfer})
    proved(page, "ape: convergent-normalization")
    expect(page.locator("#certificate")).to_have_value(APE)


@journey
def it_must_be_about_the_encoding(page):
    status(page, "Proved")
    enter(page, APE)
    status(page, "Proved")
    page.select_option("#encoding", "ape.toml")
    proved(page, "ape: convergent-normalization")
    page.select_option("#encoding", "rope.toml")
    refused(page)


@journey
def a_link_is_opened_again(page):
    status(page, "Proved")
    enter(page, APE)
    page.select_option("#encoding", "ape.toml")
    proved(page, "ape: convergent-normalization")
    page.click("#link")
    expect(page.locator("#status")).to_contain_text("address bar")
    again = page.context.new_page()
    again.goto(page.url)
    proved(again, "ape: convergent-normalization")
    assert again.input_value("#certificate") == APE and again.input_value("#encoding") == "ape.toml"


@journey
def stop_ends_it(page):
    status(page, "Proved")
    page.set_input_files("#files", [{"name": f"{i}.json", "mimeType": "application/json", "buffer": APE.encode()} for i in range(800)])
    expect(page.locator("#stop")).to_be_enabled()
    page.click("#stop")
    status(page, "Stopped. Nothing is proved.")
    expect(page.locator("#claims li")).to_have_count(0)
    enter(page, APE)
    status(page, "Proved")


@journey
def the_keyboard_reaches_everything(page):
    status(page, "Proved")
    reached = []
    for _ in range(14):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.tagName.toLowerCase()"))
    assert set(reached) >= {"to-check", "to-verify", "example", "certificate", "files", "encoding", "verify", "link", "summary", "a"}, reached
    page.focus("#verify")
    page.keyboard.press("Enter")
    status(page, "Proved")


@journey
def it_needs_no_network_after_loading(page):
    status(page, "Proved")
    page.wait_for_load_state("networkidle")  # the other view's program
    page.context.set_offline(True)
    enter(page, APE)
    proved(page, "ape: convergent-normalization")
    page.select_option("#encoding", "ape.toml")
    status(page, "Proved")
    page.set_input_files("#files", [{"name": "1.json", "mimeType": "application/json", "buffer": forged().encode()}])
    refused(page)


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
        const own = [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) || /^(INPUT|TEXTAREA|SELECT)$/.test(e.tagName);
        if (!own || !e.checkVisibility() || e.closest("[aria-hidden]")) continue;  // the marks lie behind the text and repeat it
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
            status(page, "Proved")
            page.set_input_files("#files", [{"name": name, "mimeType": "application/json", "buffer": text.encode()}
                                            for name, text in [("ape.json", APE), ("forged.json", forged())]])
            status(page, "1 of 2 proved")
            errors += judged(page, f"verified-{scheme}-{width}", width)
            page.close()
    return errors


def main():
    PICTURES.mkdir(parents=True, exist_ok=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(PAGE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address, errors = f"http://127.0.0.1:{server.server_port}/", []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        for act in [*check_journeys.JOURNEYS, *JOURNEYS]:
            context, said = browser.new_context(), []
            page = context.new_page()
            page.on("console", lambda message: said.append(message.text))
            page.on("pageerror", lambda error: said.append(str(error)))
            page.on("request", lambda request: request.url.startswith(address) or request.url == "data:," or said.append(request.url))
            begun = time.monotonic()
            try:
                page.goto(address + ("#verify" if act in JOURNEYS else ""))
                act(page)
                if said:
                    errors.append(f"{act.__name__}: {said}")
            except Exception:
                errors.append(f"{act.__name__}: {traceback.format_exc(limit=3)} {said}")
            print(f"{act.__name__}: {time.monotonic() - begun:.1f} s", flush=True)
            context.close()
        errors += looks(browser, address)
        browser.close()
    print("\n".join(errors) or f"{len(check_journeys.JOURNEYS) + len(JOURNEYS)} journeys")
    sys.exit(1 if errors else 0)


main()
