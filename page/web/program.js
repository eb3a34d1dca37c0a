// Runs of the programs, in a browser's worker or in node. Every run has a module of its own: nothing is left of the one before.
import check_properties from "./check-properties.mjs";
import verify_certificate from "./verify-certificate.mjs";

const PROGRAMS = { "check-properties": check_properties, "verify-certificate": verify_certificate };

function write(FS, files) {
  for (const [name, content] of Object.entries(files)) {
    FS.mkdirTree(name.slice(0, name.lastIndexOf("/")) || "/");
    FS.writeFile(name, content);
  }
}

function read(FS, folder) {
  if (!FS.analyzePath(folder).exists) return {};
  const names = FS.readdir(folder).filter((name) => FS.isFile(FS.stat(`${folder}/${name}`).mode)).sort();
  return Object.fromEntries(names.map((name) => [name, FS.readFile(`${folder}/${name}`, { encoding: "utf8" })]));
}

/**
 * name: of the program; compiled: its module. words: the command line; files: absolute names to contents, text or bytes; folder: where it runs;
 * written: a folder that it may write into. Encodings lie in /encodings.
 * Answers { code, output, errors, files }: the exit code, both standard streams as text, and what lies in `written`, names to text.
 */
export async function run(name, compiled, { words, files, folder, written }) {
  const bytes = { output: [], errors: [] };
  let code = 1;
  const module = await PROGRAMS[name]({
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(compiled, imports).then((instance) => receive(instance, compiled));
      return {};
    },
    preRun: [
      (own) => { own.ENV.GPE_ENCODINGS = "/encodings"; },
      (own) => own.FS.init(
        () => null,
        (byte) => byte !== null && bytes.output.push(byte),
        (byte) => byte !== null && bytes.errors.push(byte)),
    ],
    quit(status, thrown) {
      code = status;
      throw thrown;
    },
  });
  write(module.FS, files);
  module.FS.mkdirTree(folder);
  module.FS.chdir(folder);
  try {
    code = module.callMain(words) ?? code;
  } catch (error) {  // it ended itself, or there was no room left for its stack or its numbers
    if (error?.name !== "ExitStatus") {
      code = 1;
      bytes.errors.push(...new TextEncoder().encode(`${name}: ${error?.message ?? error}\n`));
    }
  }
  const text = (list) => new TextDecoder().decode(Uint8Array.from(list));
  return { code, output: text(bytes.output), errors: text(bytes.errors), files: written ? read(module.FS, written) : {} };
}
