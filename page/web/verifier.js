// Runs of verify-certificate, in a browser's worker or in node. Every run has a module of its own: nothing is left of the one before.
import program from "./verify-certificate.mjs";

function write(FS, files) {
  for (const [name, content] of Object.entries(files)) {
    FS.mkdirTree(name.slice(0, name.lastIndexOf("/")) || "/");
    FS.writeFile(name, content);
  }
}

/**
 * words: the command line; files: absolute names to contents, text or bytes; folder: where it runs.
 * Answers { code, output, errors }: the exit code, and both standard streams as text.
 */
export async function run(compiled, { words, files, folder }) {
  const bytes = { output: [], errors: [] };
  let code = 1;
  const module = await program({
    instantiateWasm(imports, receive) {
      WebAssembly.instantiate(compiled, imports).then((instance) => receive(instance, compiled));
      return {};
    },
    preRun: [
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
      bytes.errors.push(...new TextEncoder().encode(`verify-certificate: ${error?.message ?? error}\n`));
    }
  }
  const text = (list) => new TextDecoder().decode(Uint8Array.from(list));
  return { code, output: text(bytes.output), errors: text(bytes.errors) };
}
