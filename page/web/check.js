// The view that checks encodings: what is entered, what is asked of check-properties, and its answer.
import { Stopped } from "./client.js";
import { share } from "./link.js";
import { sliders_of } from "./parameters.js";
import { draw } from "./pictures.js";
import { show_report } from "./report.js";

const at = (id) => document.getElementById(id);
const FOLDER = "/files";
const WRITTEN = "/written";
const FIRST = "alibi";

/** { words, files }: a formula, an encoding as TOML, or a config.json, by how it begins. */
export function question_of(text, tables) {
  if (/^\s*\{/.test(text)) return { kind: "config", words: ["./config.json"], files: { [`${FOLDER}/config.json`]: text } };
  if (/^\s*(#|\[|[A-Za-z_]\w*\s*=)/m.test(text)) return { kind: "toml", words: ["./encoding.toml"], files: { ...tables, [`${FOLDER}/encoding.toml`]: text } };
  return { kind: "formula", words: [`--bias=${text.trim().replace(/\s*\n\s*/g, " ")}`], files: {} };
}

/** Where in the text the message is about: { line, column } from 1, or null. */
export function place_of(message) {
  const found = /:(\d+):(\d+): /.exec(message);
  return found && { line: Number(found[1]), column: Number(found[2]) };
}

export class Check {
  #encodings;
  #verify;
  #client;
  #turn = 0;  // of what is entered: an answer to an earlier one is not shown
  #is_asking = false;
  #is_stale = false;  // something changed since it was asked
  #set = {};  // what the sliders say, names to values
  #shown = null;  // the encodings of the last answer
  #is_entered = false;

  /** client: a promise of the program's; verify: is given certificates, names to texts. */
  constructor(encodings, client, verify) {
    this.#encodings = encodings;
    this.#client = client;
    this.#verify = verify;
    for (const name of Object.keys(encodings).filter((one) => one.endsWith(".toml")).map((one) => one.slice(0, -5)))
      for (const list of ["library", "beside"]) at(list).append(new Option(name, name));
    this.#listen();
  }

  #question() {
    const tables = Object.entries(this.#encodings).filter(([name]) => !name.endsWith(".toml")).map(([name, text]) => [`${FOLDER}/${name}`, text]);
    const question = question_of(at("text").value, Object.fromEntries(tables));
    for (const [name, text] of Object.entries(this.#encodings)) question.files[`/encodings/${name}`] = text;
    if (question.kind === "config") question.words.push(`--head=${at("head").value}`);
    const prefix = at("beside").value && this.#shown?.[0] ? `${this.#shown[0].name}.` : "";
    for (const [name, value] of Object.entries(this.#set)) question.words.push(`--set=${prefix}${name}=${value}`);
    if (at("beside").value) question.words.push(`--beside=${at("beside").value}`);
    question.words.push("--format=json", `--content-bound=${at("bound").value}`, `--time-limit=${at("limit").value}`, "--digits=15");
    return { ...question, folder: FOLDER };
  }

  #busy(is_busy) {
    this.#is_asking = is_busy;
    at("check-stop").disabled = !is_busy;
    for (const id of ["certificates", "coq"]) at(id).disabled = is_busy;
  }

  /** Asks, unless an answer is awaited: then asks once that is there. */
  async #check() {
    if (this.#is_asking) {
      this.#is_stale = true;
      return;
    }
    at("written").replaceChildren();
    if (at("text").value.trim() === "") {
      at("check-status").textContent = "Write a formula in n, such as -log(n+1), or choose an encoding.";
      return;
    }
    this.#is_stale = false;
    const question = this.#question();
    const mine = ++this.#turn;
    this.#busy(true);
    at("check-status").textContent = "Checking …";
    try {
      const started = performance.now();
      const client = await this.#client;
      let answer = await client.ask({ ...question, words: [...question.words, "--curves=80"] });
      if (answer.code === 2 && answer.errors.includes("--curves and --content are about softmax")) answer = await client.ask(question);
      if (mine === this.#turn) this.#show(answer, question, (performance.now() - started) / 1000);
    } catch (error) {
      if (mine === this.#turn) at("check-status").textContent = error instanceof Stopped ? "Stopped. Nothing is decided." : `Not checked: ${error.message}`;
    } finally {
      if (mine === this.#turn) this.#busy(false);
      if (mine === this.#turn && this.#is_stale) this.#check();
    }
  }

  #show({ code, output, errors }, question, seconds) {
    this.#mark(code === 0 ? "" : errors || `the program ended with exit code ${code}`);
    if (code !== 0) {
      at("check-status").textContent = "Not checked: see the message under the text.";
      at("report").replaceChildren();
      at("pictures").hidden = true;
      if (Object.keys(this.#set).length === 0) at("sliders").replaceChildren();
      return;
    }
    let { encodings } = JSON.parse(output);
    if (question.kind === "formula" && at("beside").value) encodings = [...encodings].reverse();  // the program has files first
    this.#shown = encodings;
    show_report(at("report"), encodings);
    at("pictures").hidden = !encodings.some((e) => e.curves);
    draw(at("pictures"), encodings);
    const holding = encodings.map((e) => `${e.name}: ${e.verdicts.filter((v) => v.verdict === "holds").length} of ${e.verdicts.length} hold`);
    at("check-status").textContent = `${holding.join("; ")} (${seconds.toFixed(1)} s)`;
    if (question.kind === "toml" && Object.keys(this.#set).length === 0) this.#sliders(encodings[0].parameters);
    if (question.kind !== "toml") at("sliders").replaceChildren();
  }

  /** The engine's message, and its place in the text. */
  #mark(message) {
    at("mistake").hidden = message === "";
    const said = message.replace(/^check-properties: /, "").replace(`${FOLDER}/`, "").replace("./", "");
    const sentence = document.createElement("span");
    sentence.textContent = said.split("\n", 1)[0];
    at("mistake").replaceChildren(sentence, said.slice(sentence.textContent.length));
    at("text").setAttribute("aria-invalid", message !== "");
    const text = at("text").value;
    const place = message && place_of(message);
    at("marks").replaceChildren();
    if (!place) return;
    const before = text.split("\n").slice(0, place.line - 1).reduce((sum, one) => sum + one.length + 1, 0) + place.column - 1;
    const mark = document.createElement("mark");
    mark.textContent = text[before] === undefined || text[before] === "\n" ? " " : text[before];
    at("marks").append(text.slice(0, before), mark, text.slice(before + (mark.textContent === text[before] ? 1 : 0)));
  }

  #sliders(values) {
    at("sliders").replaceChildren(...sliders_of(at("text").value, values).map((slider) => {
      const row = document.createElement("div");
      const label = document.createElement("label");
      const input = document.createElement("input");
      const output = document.createElement("output");
      Object.assign(input, { type: "range", min: 0, max: slider.values.length - 1, id: `slider-${slider.name}` });
      const set = this.#set[slider.name];
      input.value = set === undefined ? slider.own : slider.values.indexOf(set);
      label.htmlFor = output.htmlFor = input.id;
      label.textContent = slider.doc ? `${slider.name}: ${slider.doc}` : slider.name;
      const told = () => {
        output.textContent = slider.values[input.value];
        input.setAttribute("aria-valuetext", `${slider.name} = ${output.textContent}`);
      };
      told();
      input.addEventListener("input", () => {
        told();
        if (Number(input.value) === slider.own) delete this.#set[slider.name];
        else this.#set[slider.name] = output.textContent;
        this.#check();
      });
      row.append(label, input, output);
      return row;
    }));
  }

  /** Another text: what the sliders said was about the one before. */
  #changed() {
    this.#set = {};
    this.#mark("");
    return this.#check();
  }

  /** Certificates or Coq files of what is entered, as links; certificates can be handed to the verifier. */
  async #write(option) {
    const question = this.#question();
    question.words.push(`--${option}=${WRITTEN}`);
    question.written = WRITTEN;
    const mine = ++this.#turn;
    this.#busy(true);
    at("check-status").textContent = option === "coq" ? "Writing Coq files …" : "Writing certificates …";
    try {
      const { code, errors, files } = await (await this.#client).ask(question);
      if (mine !== this.#turn) return;
      const names = Object.keys(files);
      this.#mark(code === 0 ? "" : errors);
      at("check-status").textContent = `${names.length} ${names.length === 1 ? "file" : "files"}`;
      at("written").replaceChildren(...names.map((name) => {
        const item = document.createElement("li");
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([files[name]], { type: "application/octet-stream" }));
        link.download = link.textContent = name;
        item.append(link);
        return item;
      }));
      if (option !== "certificates" || names.length === 0) return;
      const button = document.createElement("button");
      Object.assign(button, { type: "button", id: "verify-these", textContent: "Verify these" });
      button.addEventListener("click", () => this.#verify(files));
      at("written").prepend(button);
    } catch (error) {
      if (mine === this.#turn) at("check-status").textContent = error instanceof Stopped ? "Stopped. Nothing is written." : `Not written: ${error.message}`;
    } finally {
      if (mine === this.#turn) this.#busy(false);
    }
  }

  async take(list) {
    if (list.length === 0) return;
    at("library").value = "";
    at("text").value = await list[0].text();
    await this.#changed();
  }

  /** What the link holds; what was there before, or the first example, where it holds nothing. */
  async enter(state) {
    const is_linked = typeof state?.text === "string";
    if (!is_linked && this.#is_entered) return;
    this.#is_entered = true;
    at("library").value = is_linked ? state.library ?? "" : FIRST;
    at("text").value = is_linked ? state.text : this.#encodings[`${FIRST}.toml`];
    for (const id of is_linked ? ["beside", "bound", "head", "limit"] : []) if (typeof state[id] === "string") at(id).value = state[id];
    const set = is_linked && typeof state.set === "object" && state.set !== null ? state.set : {};
    this.#set = {};
    await this.#check();
    if (Object.keys(set).length === 0) return;
    this.#set = set;
    for (const [name, value] of Object.entries(set)) this.#place(name, value);
    await this.#check();
  }

  #place(name, value) {
    const input = at(`slider-${name}`);
    if (!input || !this.#shown) return;
    const slider = sliders_of(at("text").value, this.#shown[0].parameters).find((one) => one.name === name);
    input.value = Math.max(0, slider?.values.indexOf(value) ?? 0);
    input.parentElement.querySelector("output").textContent = value;
  }

  #listen() {
    at("check-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#check();
    });
    at("check-stop").addEventListener("click", async () => {
      this.#is_stale = false;
      (await this.#client).stop();
    });
    at("check-link").addEventListener("click", async () => {
      const values = Object.fromEntries(["library", "text", "beside", "bound", "head", "limit"].map((id) => [id, at(id).value]));
      at("check-status").textContent = await share({ ...values, set: this.#set });
    });
    for (const option of ["certificates", "coq"]) at(option).addEventListener("click", () => this.#write(option));
    at("library").addEventListener("change", ({ target }) => {
      at("text").value = target.value ? this.#encodings[`${target.value}.toml`] : "";
      this.#changed();
    });
    at("beside").addEventListener("change", () => this.#check());
    for (const id of ["bound", "head", "limit"]) at(id).addEventListener("change", () => this.#check());
    let wait;
    at("text").addEventListener("input", () => {
      at("library").value = "";
      this.#set = {};
      this.#mark("");
      clearTimeout(wait);
      wait = setTimeout(() => this.#check(), 500);
    });
    at("text").addEventListener("scroll", () => {
      at("marks").scrollTop = at("text").scrollTop;
      at("marks").scrollLeft = at("text").scrollLeft;
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#shown && draw(at("pictures"), this.#shown));
  }
}
