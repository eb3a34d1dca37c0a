// The worker of one program: its compiled module once, then one question after the other, each answered under its number.
import { run } from "./program.js";

let name, compiled;

onmessage = async ({ data }) => {
  if (data.compiled) {
    ({ name, compiled } = data);
    return;
  }
  try {
    postMessage({ number: data.number, answer: await run(name, compiled, data.question) });
  } catch (error) {
    postMessage({ number: data.number, failure: String(error?.message ?? error) });
  }
};
