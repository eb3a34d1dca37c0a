// From what verify-certificate prints to what the page shows. Nothing is decided here: the words are the program's.

/** { file, proved, claim, details } of a line "FILE: proved: CLAIM; claim: …; proof: …; law: …" or "FILE: not valid: WHY"; null of any other. */
function read_line(line, files) {
  const file = files.find((name) => line.startsWith(`${name}: `));
  if (file === undefined) return null;
  const said = line.slice(file.length + 2);
  for (const [start, proved] of [["proved: ", true], ["not valid: ", false]]) {
    if (!said.startsWith(start)) continue;
    const whole = said.slice(start.length);
    const end = proved ? whole.indexOf("; claim: ") : -1;
    return { file, proved, claim: end < 0 ? whole : whole.slice(0, end), details: end < 0 ? "" : whole.slice(end + 2) };
  }
  return null;
}

/** { lines, trouble }: an entry for every certificate, and what else was said. Nothing is proved where the program did not end with 0 or 4. */
export function read_answer({ code, output, errors }, files) {
  const all = output.split("\n").filter((line) => line !== "" && !/^\d+ of \d+ proved$/.test(line));
  const lines = all.map((line) => read_line(line, files));
  const trouble = [...all.filter((_, i) => lines[i] === null), ...errors.split("\n").filter((line) => line !== "")];
  if (code !== 0 && code !== 4 && trouble.length === 0) trouble.push(`the verifier ended with exit code ${code}`);
  return { lines: code === 0 || code === 4 ? lines.filter((line) => line !== null) : [], trouble };
}

/** One sentence about all of them. */
export function summary(lines, trouble) {
  const proved = lines.filter((line) => line.proved).length;
  if (lines.length === 0) return trouble.length > 0 ? "Not verified" : "Nothing to verify";
  if (lines.length === 1) return proved === 1 ? "Proved" : "Not proved";
  return `${proved} of ${lines.length} proved`;
}
