// The page: its two views, and what a link says of them.
import { Check } from "./check.js";
import { Client } from "./client.js";
import { state_of } from "./link.js";
import { Verify } from "./verify.js";

const at = (id) => document.getElementById(id);
const json = (name) => fetch(name).then((response) => response.json());
const views = {};

function show(name) {
  for (const view of ["check", "verify"]) {
    at(`${view}-view`).hidden = view !== name;
    if (view === name) at(`to-${view}`).setAttribute("aria-current", "page");
    else at(`to-${view}`).removeAttribute("aria-current");
  }
  document.title = `${at(`to-${name}`).textContent} · gpe`;
}

/** The view that the link names, with what the link holds, or as it was. */
function enter() {
  const state = state_of(location.hash);
  const name = location.hash === "#verify" || typeof state?.certificate === "string" ? "verify" : "check";
  show(name);
  return views[name].enter(state);
}

async function load() {
  const engine = Client.load("check-properties");
  const [encodings, examples] = await Promise.all([json("encodings.json"), json("examples.json")]);
  views.verify = new Verify(encodings, examples);
  views.check = new Check(encodings, engine, (files) => {
    history.replaceState(null, "", "#verify");
    show("verify");
    return views.verify.verify_files(files);
  });
  const current = () => at("check-view").hidden ? views.verify : views.check;
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("over");
  });
  addEventListener("dragleave", () => document.body.classList.remove("over"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("over");
    current().take(event.dataTransfer.files);
  });
  addEventListener("hashchange", enter);
  await enter();
  await Promise.all([engine, views.verify.load()]);  // the network may be gone later
}

load().catch((error) => {
  for (const id of ["check-status", "status"]) at(id).textContent = `The page could not be loaded: ${error.message}`;
});
