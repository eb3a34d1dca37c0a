// The page's parts that need no browser: reading what the verifier says, and links.
import assert from "node:assert/strict";
import test from "node:test";

import { read_answer, summary } from "../../page/web/answer.js";
import { hash_of, state_of } from "../../page/web/link.js";

const answer = (code, output, errors = "") => read_answer({ code, output, errors }, ["1.json", "2.json"]);

test("a proved claim is split from its proof", () => {
  const { lines, trouble } = answer(0, "1.json: proved: ape, gps norm: holds; claim: {}; law: {}\n1 of 1 proved\n");
  assert.deepEqual(lines, [{ file: "1.json", proved: true, claim: "ape, gps norm: holds", details: "claim: {}; law: {}" }]);
  assert.deepEqual(trouble, []);
  assert.equal(summary(lines, trouble), "Proved");
});

test("what is not valid is not proved, whatever it says", () => {
  const { lines, trouble } = answer(4, "1.json: not valid: proved: nothing\n2.json: proved: x; claim: {}\n");
  assert.deepEqual(lines.map((line) => line.proved), [false, true]);
  assert.equal(lines[0].claim, "proved: nothing");
  assert.equal(summary(lines, trouble), "1 of 2 proved");
});

test("a program that broke down proves nothing, even what it printed before", () => {
  const { lines, trouble } = answer(1, "1.json: proved: x\n", "verify-certificate: memory access out of bounds\n");
  assert.deepEqual(lines, []);
  assert.deepEqual(trouble, ["verify-certificate: memory access out of bounds"]);
  assert.equal(summary(lines, trouble), "Not verified");
  assert.equal(summary([], answer(1, "").trouble), "Not verified");
});

test("a line of another file is trouble and no answer", () => {
  const { lines, trouble } = answer(0, "3.json: proved: x\n");
  assert.deepEqual(lines, []);
  assert.deepEqual(trouble, ["3.json: proved: x"]);
});

test("a link holds all of the state, and what is not a link holds none", () => {
  const state = { certificate: "{\"é\": \"≤ ∞ 𝛼\"}".repeat(1000), encoding: "ape.toml" };
  assert.deepEqual(state_of(hash_of(state)), state);
  for (const hash of ["", "#", "#%%%", "#bm90IGpzb24", hash_of(1), hash_of([]), hash_of(null)])
    assert.equal(state_of(hash), null, hash);
});
