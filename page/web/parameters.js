// Which parameters of an encoding file can be moved, and between which values. Nothing is decided here: the program refuses a value that its domain excludes.

const NUMBER = String.raw`[-+]?[\d.]+(?:/\d+)?`;

/** A decimal or a fraction as a number; NaN for any other text. */
function number_of(text) {
  const [, top, bottom] = /^([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?:\/(\d+))?$/i.exec(text.trim()) ?? [];
  return top === undefined ? NaN : Number(top) / Number(bottom ?? 1);
}

/** { name: { range, domain, doc } } of the tables [parameters] and [parameters.NAME]. */
function declared(toml) {
  const found = {};
  const texts = (body) => Object.fromEntries(Array.from(body.matchAll(/\b(range|domain|doc)\s*=\s*(?:"([^"\n]*)"|'([^'\n]*)')/g), (m) => [m[1], m[2] ?? m[3]]));
  const tables = toml.replace(/^\s*#.*$/gm, "").split(/^\s*(?=\[)/m);
  for (const table of tables) {
    const one = /^\[parameters\.([A-Za-z_]\w*)\]/.exec(table);
    if (one) found[one[1]] = texts(table);
    if (!/^\[parameters\]/.test(table)) continue;
    for (const [, name, body] of table.matchAll(/^\s*([A-Za-z_]\w*)\s*=\s*\{([^\n]*)\}/gm)) found[name] = texts(body);
  }
  return found;
}

/** The bounds that a domain states of a name by itself: { low, high, is_low_in, is_high_in }. */
function bounds_of(name, { range, domain }) {
  const [, low, high] = new RegExp(`^\\s*(${NUMBER})\\s*\\.\\.\\s*(${NUMBER})\\s*$`).exec(range ?? "") ?? [];
  if (low !== undefined) return { low: number_of(low), high: number_of(high), is_low_in: true, is_high_in: true };
  const bounds = { low: -Infinity, high: Infinity, is_low_in: false, is_high_in: false };
  for (const [, number, sign] of (domain ?? "").matchAll(new RegExp(`(?<![\\w.])(${NUMBER})\\s*(<=?)\\s*${name}\\b`, "g")))
    Object.assign(bounds, { low: number_of(number), is_low_in: sign === "<=" });
  for (const [, sign, number] of (domain ?? "").matchAll(new RegExp(`\\b${name}\\s*([<>]=?)\\s*(${NUMBER})(?![\\w.])`, "g"))) {
    if (sign[0] === ">") Object.assign(bounds, { low: number_of(number), is_low_in: sign === ">=" });
    else Object.assign(bounds, { high: number_of(number), is_high_in: sign === "<=" });
  }
  return bounds;
}

const STEPS = 32;  // to either side
const short = (x) => String(Number(x.toPrecision(4)));

/** The values of a slider, as exact decimals; that of the file, as it stands there, is among them. */
function values_of(text, { low, high, is_low_in, is_high_in }) {
  const own = number_of(text);
  const at = [];
  const steps = Array.from({ length: STEPS }, (_, i) => i + 1);
  const low_end = Number.isFinite(low) ? low : own - Math.max(1, Math.abs(own));
  const high_end = Number.isFinite(high) ? high : Number.isFinite(low) && own > low ? NaN : own + Math.max(1, Math.abs(own));
  if (Number.isNaN(high_end)) {  // by equal factors of what is above the lower end, an eighth of an octave apart
    if (is_low_in) at.push(low);
    for (const i of steps.slice().reverse()) at.push(low + (own - low) * 2 ** (-i / 8));
    for (const i of steps) at.push(low + (own - low) * 2 ** (i / 8));
  } else {
    for (let i = is_low_in || low === -Infinity ? 0 : 1; i <= 2 * STEPS - (is_high_in || high === Infinity ? 0 : 1); ++i) at.push(low_end + (high_end - low_end) * i / (2 * STEPS));
  }
  const others = [...new Set(at.map(short))].filter((value) => Number(value) !== own);
  return [...others, text].sort((a, b) => number_of(a) - number_of(b));
}

/**
 * toml: the file; values: of its parameters, exact texts, as a report has them. An entry for each that has a range or a domain, and a number as value:
 * { name, doc, values, own }, `own` being the index of the file's.
 */
export function sliders_of(toml, values) {
  const result = [];
  for (const [name, one] of Object.entries(declared(toml))) {
    const text = values[name];
    if ((one.range === undefined && one.domain === undefined) || text === undefined || Number.isNaN(number_of(text))) continue;
    const all = values_of(text, bounds_of(name, one));
    result.push({ name, doc: one.doc ?? "", values: all, own: all.indexOf(text) });
  }
  return result;
}
