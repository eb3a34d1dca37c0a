// The command line of verify-certificate for its WebAssembly, in node: `node verify-certificate.mjs PAGE [--spec FILE.toml] CERTIFICATE...`, where
// PAGE is the folder of the built page. Streams and exit code are those of the program.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [page, ...words] = process.argv.slice(2);
globalThis.self = globalThis;  // as in a worker, for which the module is built
globalThis.location = { href: "file:///" };
const { run } = await import(pathToFileURL(path.join(page, "program.js")));
const compiled = await WebAssembly.compile(fs.readFileSync(path.join(page, "verify-certificate.wasm")));

// A certificate is a file, an encoding a file and the tables beside it; a file that is not there is not there in the module either.
const files = {};
const add = (name) => fs.statSync(name, { throwIfNoEntry: false })?.isFile() && (files[path.resolve(name)] = new Uint8Array(fs.readFileSync(name)));
words.forEach((word, i) => {
  if (word.startsWith("-")) return;
  add(word);
  if (words[i - 1] !== "--spec") return;
  const folder = path.dirname(path.resolve(word));
  for (const name of fs.readdirSync(folder, { recursive: true })) add(path.join(folder, name));
});
const { code, output, errors } = await run("verify-certificate", compiled, { words, files, folder: process.cwd() });
process.stdout.write(output);
process.stderr.write(errors);
process.exitCode = code;
