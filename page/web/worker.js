// The worker: a compiled module once, then one question after the other, each answered under its number.
import { run } from "./verifier.js";

let compiled;

onmessage = async ({ data }) => {
  if (data.compiled) {
    compiled = data.compiled;
    return;
  }
  try {
    postMessage({ number: data.number, answer: await run(compiled, data.question) });
  } catch (error) {
    postMessage({ number: data.number, failure: String(error?.message ?? error) });
  }
};
