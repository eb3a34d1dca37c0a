// The view that verifies certificates: what is entered, what is asked of the verifier, and its answer.
import { read_answer, summary } from "./answer.js";
import { Client, Stopped } from "./client.js";
import { share } from "./link.js";

const at = (id) => document.getElementById(id);
const FOLDER = "/files";
const OWN = "certificate.json";

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

export class Verify {
  #encodings;
  #examples;
  #client;
  #turn = 0;  // of what is entered: an answer to an earlier one is not shown
  #files = {};  // those that were chosen or dropped, names to bytes; the editor's text where there are none
  #is_entered = false;

  constructor(encodings, examples) {
    this.#encodings = encodings;
    this.#examples = examples;
    for (const name of Object.keys(examples)) at("example").append(new Option(name, name));
    for (const name of Object.keys(encodings)) if (name.endsWith(".toml")) at("encoding").append(new Option(name.slice(0, -5), name));
    this.#listen();
  }

  load() {
    return this.#client ??= Client.load("verify-certificate");
  }

  /** What was answered is not about what is entered now. */
  #changed() {
    this.#turn += 1;
    busy(false);
    at("claims").replaceChildren();
    at("status").textContent = "Not verified yet";
  }

  async #verify() {
    const given = Object.keys(this.#files).length > 0 ? this.#files : { [OWN]: at("certificate").value };
    const names = Object.keys(given);
    const inside = names.map((_, i) => `${i + 1}.json`);  // whatever they are called, no option and no path
    this.#changed();
    const mine = this.#turn;
    if (names.length === 1 && given[OWN]?.trim() === "") {
      at("status").textContent = "Paste a certificate, drop files, or choose an example.";
      return;
    }
    const spec = at("encoding").value;
    const all = Object.fromEntries(names.map((name, i) => [`${FOLDER}/${inside[i]}`, given[name]]));
    if (spec) for (const [name, text] of Object.entries(this.#encodings)) all[`/encodings/${name}`] = text;
    busy(true);
    at("status").textContent = names.length === 1 ? "Verifying …" : `Verifying ${names.length} files …`;
    try {
      const words = ["--verbose", ...(spec ? ["--spec", `/encodings/${spec}`] : []), ...inside];
      const client = await this.load();
      const answer = await client.ask({ words, files: all, folder: FOLDER });
      if (mine !== this.#turn) return;
      const { lines, trouble } = read_answer(answer, inside);
      for (const line of lines) line.file = names[inside.indexOf(line.file)];
      at("status").textContent = summary(lines, trouble);
      at("claims").replaceChildren(
        ...trouble.map((claim) => show({ file: "verify-certificate", proved: false, claim, details: "" })), ...lines.map(show));
    } catch (error) {
      if (mine === this.#turn) at("status").textContent = error instanceof Stopped ? "Stopped. Nothing is proved." : `Not verified: ${error.message}`;
    } finally {
      if (mine === this.#turn) busy(false);
    }
  }

  /** Of names to text or bytes: one goes to the editor, several are kept beside it. */
  verify_files(files) {
    const all = Object.entries(files);
    this.#is_entered = true;
    at("example").value = "";
    at("encoding").value = "";
    this.#files = all.length === 1 ? {} : files;
    at("certificate").value = all.length !== 1 ? "" : typeof all[0][1] === "string" ? all[0][1] : new TextDecoder().decode(all[0][1]);
    return this.#verify();
  }

  async take(list) {
    const taken = await Promise.all(Array.from(list, async (file) => [file.name, new Uint8Array(await file.arrayBuffer())]));
    if (taken.length > 0) await this.verify_files(Object.fromEntries(taken));
  }

  /** What the link holds; what was there before, or the first example, where it holds nothing. */
  enter(state) {
    const is_linked = typeof state?.certificate === "string";
    if (!is_linked && this.#is_entered) return undefined;
    const first = Object.keys(this.#examples)[0];
    this.#is_entered = true;
    this.#files = {};
    at("example").value = is_linked ? "" : first;
    at("certificate").value = is_linked ? state.certificate : this.#examples[first];
    at("encoding").value = is_linked && state.encoding in this.#encodings ? state.encoding : "";
    return this.#verify();
  }

  #listen() {
    at("form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#verify();
    });
    at("stop").addEventListener("click", async () => (await this.load()).stop());
    at("link").addEventListener("click", async () => {
      at("status").textContent = Object.keys(this.#files).length > 0 ? "A link holds one certificate."
        : await share({ certificate: at("certificate").value, encoding: at("encoding").value });
    });
    at("example").addEventListener("change", ({ target }) => {
      this.#files = {};
      at("certificate").value = target.value ? this.#examples[target.value] : "";
      this.#verify();
    });
    at("encoding").addEventListener("change", () => this.#verify());
    at("certificate").addEventListener("input", () => {
      this.#files = {};
      at("example").value = "";
      this.#changed();
    });
    at("files").addEventListener("change", ({ target }) => this.take(target.files));
  }
}
