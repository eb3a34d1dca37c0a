"""What a reader does in the page's view that verifies certificates, for browser_test.py."""

import json
from pathlib import Path

from journeys import Journeys
from playwright.sync_api import expect

EXAMPLES = {
    path.name: path.read_text() for path in sorted((Path(__file__).parents[2] / "page" / "examples").glob("*.json"))
}
APE = EXAMPLES["ape.cn.every-content.json"]
journey = Journeys()


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
    proved(page, "alibi, gps norm: fails")


@journey
def a_certificate_is_pasted(page):
    status(page, "Proved")
    enter(page, APE)
    proved(page, "ape, cn every-content, |c| <= 1: holds")
    page.click("summary")
    expect(page.locator("#claims pre")).to_contain_text("sum-converges")


@journey
def every_example_is_proved(page):
    for name in EXAMPLES:
        page.select_option("#example", name)
        status(page, "Proved")
        proved(page, name.split(".")[0] + ", ")


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
    page.set_input_files(
        "#files",
        [
            {"name": name, "mimeType": "application/json", "buffer": text.encode()}
            for name, text in [("--help", APE), ("ä 2.json", forged())]
        ],
    )
    status(page, "1 of 2 proved")
    expect(page.locator("#claims .proved code")).to_have_text("--help")
    expect(page.locator("#claims .refused code")).to_have_text("ä 2.json")


@journey
def a_file_is_dropped(page):
    status(page, "Proved")
    transfer = page.evaluate_handle(
        """text => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], "one.json"));
        return transfer;
    }""",
        APE,
    )
    page.dispatch_event("body", "drop", {"dataTransfer": transfer})
    proved(page, "ape, cn every-content")
    expect(page.locator("#certificate")).to_have_value(APE)


@journey
def it_must_be_about_the_encoding(page):
    status(page, "Proved")
    enter(page, APE)
    status(page, "Proved")
    page.select_option("#encoding", "ape.toml")
    proved(page, "ape, cn every-content")
    page.select_option("#encoding", "rope.toml")
    refused(page)


@journey
def a_link_is_opened_again(page):
    status(page, "Proved")
    enter(page, APE)
    page.select_option("#encoding", "ape.toml")
    proved(page, "ape, cn every-content")
    page.click("#link")
    expect(page.locator("#status")).to_contain_text("address bar")
    again = page.context.new_page()
    again.goto(page.url)
    proved(again, "ape, cn every-content")
    assert again.input_value("#certificate") == APE and again.input_value("#encoding") == "ape.toml"


@journey
def stop_ends_it(page):
    status(page, "Proved")
    page.set_input_files(
        "#files", [{"name": f"{i}.json", "mimeType": "application/json", "buffer": APE.encode()} for i in range(800)]
    )
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
    assert set(reached) >= {
        "to-check",
        "to-verify",
        "example",
        "certificate",
        "files",
        "encoding",
        "verify",
        "link",
        "summary",
        "a",
    }, reached
    page.focus("#verify")
    page.keyboard.press("Enter")
    status(page, "Proved")


@journey
def it_needs_no_network_after_loading(page):
    status(page, "Proved")
    page.wait_for_load_state("networkidle")  # the other view's program
    page.context.set_offline(True)
    enter(page, APE)
    proved(page, "ape, cn every-content")
    page.select_option("#encoding", "ape.toml")
    status(page, "Proved")
    page.set_input_files("#files", [{"name": "1.json", "mimeType": "application/json", "buffer": forged().encode()}])
    refused(page)


def looks(page):
    """A certificate that is proved and one that is not, as pictures are taken of them."""
    status(page, "Proved")
    page.set_input_files(
        "#files",
        [
            {"name": name, "mimeType": "application/json", "buffer": text.encode()}
            for name, text in [("ape.json", APE), ("forged.json", forged())]
        ],
    )
    status(page, "1 of 2 proved")
