// The page: what is entered, what is asked of the verifier, and its answer.
import { read_answer, summary } from "./answer.js";
import { Client, Stopped } from "./client.js";
import { hash_of, state_of } from "./link.js";

const at = (id) => document.getElementById(id);
const FOLDER = "/work";
const OWN = "certificate.json";
const LONGEST_LINK = 100_000;

let client, examples, encodings;
let turn = 0;  // of what is entered: an answer to an earlier one is not shown
let files = {};  // those that were chosen or dropped, names to bytes; the editor's text where there are none

/** Everything that is ever loaded is loaded here. */
async function load() {
  const json = (name) => fetch(name).then((response) => response.json());
  const module = fetch("verify-certificate.wasm").then((response) => response.arrayBuffer()).then((bytes) => WebAssembly.compile(bytes));
  [examples, encodings, client] = await Promise.all([json("examples.json"), json("encodings.json"), module.then((compiled) => new Client(compiled))]);
  for (const name of Object.keys(examples)) at("example").append(new Option(name, name));
  for (const name of Object.keys(encodings)) if (name.endsWith(".toml")) at("encoding").append(new Option(name.slice(0, -5), name));
}

function show(line) {
  const item = document.createElement("li");
  item.className = line.proved ? "proved" : "refused";
  const add = (parent, tag, text) => {
    const element = document.createElement(tag);
    element.textContent = text;
    parent.append(element);
    return element;
  };
  add(item, "strong", line.proved ? "Proved" : "Not proved");
  add(item, "code", line.file);
  add(item, "p", line.claim);
  if (line.details) {
    const details = add(item, "details", "");
    add(details, "summary", "the proof's constants, and the score function that the claim is about");
    add(details, "pre", line.details.replace("; law: ", "\n\nlaw: "));
  }
  return item;
}

function busy(is_busy) {
  at("verify").disabled = is_busy;
  at("stop").disabled = !is_busy;
}

/** What was answered is not about what is entered now. */
function changed() {
  turn += 1;
  busy(false);
  at("claims").replaceChildren();
  at("status").textContent = "Not verified yet";
}

async function verify() {
  const given = Object.keys(files).length > 0 ? files : { [OWN]: at("certificate").value };
  const names = Object.keys(given);
  const inside = names.map((_, i) => `${i + 1}.json`);  // whatever they are called, no option and no path
  changed();
  const mine = turn;
  if (names.length === 1 && given[OWN]?.trim() === "") {
    at("status").textContent = "Paste a certificate, drop files, or choose an example.";
    return;
  }
  const spec = at("encoding").value;
  const all = Object.fromEntries(names.map((name, i) => [`${FOLDER}/${inside[i]}`, given[name]]));
  if (spec) for (const [name, text] of Object.entries(encodings)) all[`/encodings/${name}`] = text;
  busy(true);
  at("status").textContent = names.length === 1 ? "Verifying …" : `Verifying ${names.length} files …`;
  try {
    const words = [...(spec ? ["--spec", `/encodings/${spec}`] : []), ...inside];
    const answer = await client.ask({ words, files: all, folder: FOLDER });
    if (mine !== turn) return;
    const { lines, trouble } = read_answer(answer, inside);
    for (const line of lines) line.file = names[inside.indexOf(line.file)];
    at("status").textContent = summary(lines, trouble);
    at("claims").replaceChildren(
      ...trouble.map((claim) => show({ file: "verify-certificate", proved: false, claim, details: "" })), ...lines.map(show));
  } catch (error) {
    if (mine === turn) at("status").textContent = error instanceof Stopped ? "Stopped. Nothing is proved." : `Not verified: ${error.message}`;
  } finally {
    if (mine === turn) busy(false);
  }
}

/** One file goes to the editor, several are kept beside it. */
async function take(list) {
  const taken = await Promise.all(Array.from(list, async (file) => [file.name, new Uint8Array(await file.arrayBuffer())]));
  if (taken.length === 0) return;
  at("example").value = "";
  files = taken.length === 1 ? {} : Object.fromEntries(taken);
  at("certificate").value = taken.length === 1 ? new TextDecoder().decode(taken[0][1]) : "";
  await verify();
}

async function copy_link() {
  const hash = hash_of({ certificate: at("certificate").value, encoding: at("encoding").value });
  if (Object.keys(files).length > 0 || hash.length > LONGEST_LINK) {
    at("status").textContent = "A link holds one certificate of at most 75 kB.";
    return;
  }
  history.replaceState(null, "", hash);
  try {
    await navigator.clipboard.writeText(location.href);
    at("status").textContent = "The link is copied, and in the address bar.";
  } catch {
    at("status").textContent = "The link is in the address bar.";
  }
}

/** What the link holds; the first example where it holds nothing. */
function enter() {
  const linked = state_of(location.hash);
  const first = Object.keys(examples)[0];
  files = {};
  at("example").value = linked ? "" : first;
  at("certificate").value = linked ? linked.certificate : examples[first];
  at("encoding").value = linked && linked.encoding in encodings ? linked.encoding : "";
  return verify();
}

function listen() {
  at("form").addEventListener("submit", (event) => {
    event.preventDefault();
    verify();
  });
  at("stop").addEventListener("click", () => client.stop());
  at("link").addEventListener("click", copy_link);
  at("example").addEventListener("change", ({ target }) => {
    files = {};
    at("certificate").value = target.value ? examples[target.value] : "";
    verify();
  });
  at("encoding").addEventListener("change", verify);
  at("certificate").addEventListener("input", () => {
    files = {};
    at("example").value = "";
    changed();
  });
  at("files").addEventListener("change", ({ target }) => take(target.files));
  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("over");
  });
  addEventListener("dragleave", () => document.body.classList.remove("over"));
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("over");
    take(event.dataTransfer.files);
  });
  addEventListener("hashchange", enter);
}

try {
  await load();
  listen();
  await enter();
} catch (error) {
  at("status").textContent = `The page could not be loaded: ${error.message}`;
}
