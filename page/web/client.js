// The page's side of the worker. Stopping ends the worker; the next question begins another.

export class Stopped extends Error {}

export class Client {
  #name;
  #compiled;
  #worker;
  #waiting = new Map();
  #number = 0;

  constructor(name, compiled) {
    this.#name = name;
    this.#compiled = compiled;
    this.#begin();
  }

  /** See run() of program.js. Rejects with Stopped where stop() came first. */
  ask(question) {
    const number = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#worker.postMessage({ number, question });
    });
  }

  static async load(name) {
    const file = `${name}.wasm`;
    // while it arrives, unless the server does not say what it is
    const compiled = await WebAssembly.compileStreaming(fetch(file)).catch(async () => WebAssembly.compile(await (await fetch(file)).arrayBuffer()));
    return new Client(name, compiled);
  }

  stop() {
    this.#worker.terminate();
    this.#fail(new Stopped("stopped"));
    this.#begin();
  }

  #fail(error) {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(error);
  }

  #begin() {
    this.#worker = new Worker("worker.js", { type: "module" });
    this.#worker.onmessage = ({ data: { number, answer, failure } }) => {
      const one = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (failure) one?.reject(new Error(failure));
      else one?.resolve(answer);
    };
    this.#worker.onerror = (event) => this.#fail(new Error(event.message || "the worker could not be started"));
    this.#worker.postMessage({ name: this.#name, compiled: this.#compiled });
  }
}
