"""What a reader does in the page's view that checks encodings: twelve journeys and three of their
kind, for browser_test.py."""

import json
import os
import re

from journeys import Journeys
from playwright.sync_api import expect

BLOOM = json.dumps({"model_type": "bloom", "n_head": 4, "hidden_size": 256, "num_attention_heads": 4, "n_layer": 2})
LOGARITHM = (
    'schema = 1\nname = "mine"\n[parameters]\np = { default = "2", domain = "p >= 0", doc = "exponent" }\n[score]\n'
    'bias = "-p*log(n + 1)"\n'
)
journey = Journeys()
SLOW = "-sqrt(n)*(2 + sin(n)) - log(n + 2)^2*cos(sqrt(n))"


def answered(page, text):
    expect(page.locator("#check-status")).to_contain_text(text)


def row(page, title):
    return page.locator("#report tr", has=page.locator(f"th:text-is('{title}')"))


def entered(page, text):
    answered(page, "hold (")
    page.fill("#text", text)


@journey
def a_formula(page):
    entered(page, "-log(n+2) - 2*log(log(n+2))")
    answered(page, "expression: ")
    expect(row(page, "convergent-normalization, every-content").locator(".holds")).to_have_count(1)
    expect(row(page, "Z, the normalizer of an endless context").locator("td")).to_have_text(re.compile(r"^\d\.\d{4}"))
    expect(page.locator("canvas")).to_have_count(4)


@journey
def a_file(page):
    entered(page, LOGARITHM)
    answered(page, "mine: ")
    cell = row(page, "convergent-normalization, every-content")
    expect(cell.locator(".holds")).to_have_count(1)
    expect(cell.locator(".region")).to_have_text("holds where p > 1")
    expect(row(page, "Z, the normalizer of an endless context").locator("td")).to_have_text(
        re.compile(r"^1\.6449340668")
    )  # pi^2/6


@journey
def a_mistake_has_a_caret(page):
    entered(page, "-log(n+2")
    expect(page.locator("#mistake")).to_contain_text(
        "--bias:1:9: found the end where an operator or ')' was expected\n  -log(n+2\n          ^"
    )
    expect(page.locator("#marks mark")).to_have_count(1)
    page.fill("#text", LOGARITHM.replace("-p*", "-q*"))
    expect(page.locator("#mistake")).to_contain_text("encoding.toml:6:10: bias: unknown name 'q'")
    expect(page.locator("#marks mark")).to_have_text("q")
    page.fill("#text", LOGARITHM)
    answered(page, "mine: ")
    expect(page.locator("#mistake")).to_be_hidden()


@journey
def a_slider_moves_verdict_and_numbers(page):
    entered(page, LOGARITHM)
    answered(page, "mine: ")
    z = row(page, "Z, the normalizer of an endless context").locator("td")
    before = page.evaluate("document.querySelector('canvas').toDataURL()")
    page.focus("#slider-p")
    page.keyboard.press("Home")
    expect(page.locator("#sliders output")).to_have_text("0")
    expect(z).to_have_text("∞")
    expect(row(page, "convergent-normalization, every-content").locator(".fails")).to_have_count(1)
    assert page.evaluate("document.querySelector('canvas').toDataURL()") != before
    page.keyboard.press("End")
    expect(z).not_to_have_text("∞")


@journey
def a_config_is_dropped_and_pasted(page):
    answered(page, "hold (")
    transfer = page.evaluate_handle(
        """text => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], "config.json"));
        return transfer;
    }""",
        BLOOM,
    )
    page.dispatch_event("body", "drop", {"dataTransfer": transfer})
    answered(page, "bloom: ")
    page.fill("#text", BLOOM.replace("bloom", "blooom"))
    expect(page.locator("#mistake")).to_contain_text(
        "key 'model_type' is \"blooom\", which is not known here; did you mean 'bloom'?"
    )


@journey
def two_encodings(page):
    answered(page, "hold (")
    page.select_option("#library", "alibi")
    answered(page, "alibi: ")
    page.select_option("#beside", "rope")
    answered(page, "rope: ")
    expect(page.locator("#report tr").first.locator("th")).to_have_text(["property, reading", "alibi", "rope"])
    expect(row(page, "gps, vector").locator("td")).to_have_count(2)


def written(page, button):
    page.select_option("#library", "alibi")
    answered(page, "alibi: ")
    page.click(button)
    answered(page, " files")


def downloaded(page, ending):
    link = page.locator("#written a", has_text=re.compile(re.escape(ending) + "$")).first
    with page.expect_download() as waiting:
        link.click()
    return waiting.value.path().read_text()


@journey
def a_certificate_is_downloaded(page):
    answered(page, "hold (")
    written(page, "#certificates")
    assert json.loads(downloaded(page, "alibi.cn.every-content.json"))["claim"]


@journey
def certificates_are_verified(page):
    answered(page, "hold (")
    written(page, "#certificates")
    count = page.locator("#written a").count()
    page.click("#verify-these")
    expect(page.locator("#status")).to_have_text(f"{count} of {count} proved")


@journey
def a_forged_certificate_is_refused(page):
    answered(page, "hold (")
    written(page, "#certificates")
    one = json.loads(downloaded(page, "alibi.cn.every-content.json"))
    one["claim"]["verdict"] = "fails"
    page.click("#to-verify")
    expect(page.locator("#status")).to_have_text("Proved")
    page.fill("#certificate", json.dumps(one))
    page.click("#verify")
    expect(page.locator("#status")).to_have_text("Not proved")


@journey
def a_coq_file_is_downloaded(page):
    answered(page, "hold (")
    written(page, "#coq")
    assert "Theorem" in downloaded(page, ".v")


@journey
def a_link_holds_the_state(page):
    entered(page, LOGARITHM)
    answered(page, "mine: ")
    page.focus("#slider-p")
    page.keyboard.press("ArrowRight")
    value = page.locator("#sliders output").inner_text()
    assert value != "2"
    page.select_option("#beside", "alibi")
    answered(page, "alibi: ")
    page.click("#check-link")
    answered(page, "address bar")
    shown = page.locator("#report").inner_text()
    again = page.context.new_page()
    again.goto(page.url)
    expect(again.locator("#sliders output")).to_have_text(value)
    expect(again.locator("#report")).to_have_text(shown, use_inner_text=True)
    assert again.input_value("#text") == LOGARITHM


@journey
def stop_ends_a_check(page):
    answered(page, "hold (")
    page.fill("#limit", "1000")
    entered(page, SLOW)
    answered(page, "Checking")
    page.click("#check-stop")
    answered(page, "Stopped. Nothing is decided.")
    page.fill("#limit", "3")
    page.fill("#text", LOGARITHM)
    answered(page, "mine: ")


@journey
def the_first_verdict_is_there_in_two_seconds(page):
    answered(page, "alibi: ")
    seen = page.evaluate("performance.now()") / 1000
    assert page.evaluate("document.querySelectorAll('#report .holds').length") > 0
    is_idle = os.getloadavg()[0] < 0.7
    print(f"first verdict seen after {seen:.1f} s{'' if is_idle else ', on a machine that is not idle'}", flush=True)
    assert seen < (2 if is_idle else 20)


@journey
def the_keyboard_reaches_everything(page):
    answered(page, "hold (")
    ids = "e => e.id || e.tagName.toLowerCase()"
    wanted = set(
        page.evaluate(f"""() => [...document.querySelectorAll(
            '#check-view :is(input, select, textarea, button, [tabindex], a)')]
        .filter((e) => !e.disabled && e.checkVisibility()).map({ids})""")
    )
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate(f"({ids})(document.activeElement)"))
    assert reached >= wanted | {"to-check", "to-verify"}, wanted - reached


@journey
def it_needs_no_network_after_loading(page):
    answered(page, "hold (")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    page.fill("#text", LOGARITHM)
    answered(page, "mine: ")
    page.select_option("#library", "fire")  # it reads a table
    answered(page, "fire: ")
    page.click("#to-verify")
    expect(page.locator("#status")).to_have_text("Proved")


def looks(page, look):
    """Two encodings beside each other, or a mistake, as pictures are taken of them."""
    answered(page, "hold (")
    if look == "checked":
        page.select_option("#library", "ape")
        page.select_option("#beside", "alibi")
        answered(page, "; alibi: ")
    else:
        page.fill("#text", LOGARITHM.replace("-p*", "-q*"))
        expect(page.locator("#mistake")).to_be_visible()
