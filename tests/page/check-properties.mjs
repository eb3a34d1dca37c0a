// The command line of check-properties for its WebAssembly, in node: `node check-properties.mjs PAGE WORD...`, where PAGE is the folder of the built page.
// What WORDs name is read here; streams and exit code are those of the program.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [page, ...words] = process.argv.slice(2);
globalThis.self = globalThis;  // as in a worker, for which the module is built
globalThis.location = { href: "file:///" };
const { run } = await import(pathToFileURL(path.join(page, "program.js")));
const compiled = await WebAssembly.compile(fs.readFileSync(path.join(page, "check-properties.wasm")));
const encodings = JSON.parse(fs.readFileSync(path.join(page, "encodings.json")));
const files = Object.fromEntries(Object.entries(encodings).map(([name, text]) => [`/encodings/${name}`, text]));
for (const word of words)
  if (!word.startsWith("-") && fs.statSync(word, { throwIfNoEntry: false })?.isFile()) files[path.resolve(word)] = new Uint8Array(fs.readFileSync(word));
const { code, output, errors } = await run("check-properties", compiled, { words, files, folder: process.cwd() });
process.stdout.write(output);
process.stderr.write(errors);
process.exitCode = code;
