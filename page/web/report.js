// What check-properties answers as JSON, as a table. Nothing is decided here: the words and the digits are the program's.

/** The digits that both ends share, or both ends; the infinite, and why a number is not there. */
export function number_text(number) {
  if (number === null || number === undefined) return "not known";
  if (number.finite === false) return "∞";
  const { lower, upper } = number;
  if (lower === undefined) return number.reason ?? "undecided";
  if (lower === upper) return lower;
  let same = 0;
  while (same < lower.length && lower[same] === upper[same]) same += 1;
  const digits = lower.slice(0, same).replace(/^[-0.]*/, "").replace(".", "").length;
  return digits >= 4 && !/e/i.test(lower + upper) && lower.length === upper.length ? `${lower.slice(0, same)}…` : `${lower} to ${upper}`;
}

/** A count: a number, a text, { log10 }, or null where there is none. */
export function count_text(count) {
  if (count === null || count === undefined) return "none";
  return typeof count === "object" ? `10^${count.log10}` : String(count);
}

/** Rows [title, a text for each encoding] of the numbers. */
export function number_rows(encodings) {
  const row = (title, text) => [title, encodings.map(text)];
  const first = encodings[0];
  return [
    row("Z, the normalizer of an endless context", (e) => number_text(e.sums.Z)),
    row("H, its entropy in nats", (e) => number_text(e.sums.H)),
    row("mean distance", (e) => number_text(e.sums.mean_distance)),
    row("growth of Z_L", (e) => e.growth.Z ?? (e.sums.Z.finite ? "it converges" : "not known")),
    row("growth of H_L", (e) => e.growth.H ?? (e.sums.H.finite ? "it converges" : "not known")),
    ...first.entropy_band.map((band, i) => row(`least and greatest H for |c| ≤ ${band.content_bound}`,
      (e) => `${number_text(e.entropy_band[i]?.lower)}; ${number_text(e.entropy_band[i]?.upper)}`)),
    ...first.effective_windows.map((one) => row(`window: all but ${one.epsilon} of the weight, |c| ≤ ${one.content_bound}`, (e) => {
      const same = e.effective_windows.find((w) => w.epsilon === one.epsilon && w.content_bound === one.content_bound);
      return same ? count_text(same.W) : "not known";
    })),
    ...first.reach.map((one, i) => row(`reach: weight ${one.weight}, |c| ≤ ${one.content_bound}`, (e) => count_text(e.reach[i]?.n))),
    row(`local range: |b(n)| ≤ ${first.local_range.threshold}`, (e) => count_text(e.local_range.within)),
  ];
}

/** What the numbers are of, where there are gates, queries or another normalizer, and what is assumed of the formulas. */
export function remarks(encoding) {
  const { normalizer, gates, query, assumed = [] } = encoding;
  return [
    ...(normalizer ? [`normalizer ${normalizer}`] : []),
    ...(gates ? [`gates ${gates}: numbers are those of the constant gate at its upper end`] : []),
    ...(query ? [`${query}: numbers are those of r = 0`] : []),
    ...assumed,
  ].join("; ");
}

function element(tag, text = "", name = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (name) made.className = name;
  return made;
}

function title_of(encoding) {
  const places = [encoding.layer ? `layer ${encoding.layer}` : "", encoding.head ? `head ${encoding.head}` : ""].filter(Boolean);
  return [encoding.name, ...places].join(", ");
}

function verdict_cell({ verdict, region, reason }) {
  const cell = element("td");
  cell.append(element("strong", verdict, verdict));
  if (region) cell.append(element("span", /^(always|never)$/.test(region) ? `holds ${region}` : `holds where ${region}`, "region"));
  cell.append(element("span", reason, "reason"));
  return cell;
}

/** Fills a table: the verdicts of each encoding, with regions and reasons, and its numbers. */
export function show_report(table, encodings) {
  const head = element("tr");
  head.append(element("th", "property, reading"), ...encodings.map((e) => element("th", title_of(e))));
  const line = (title, cells) => {
    const made = element("tr");
    const th = element("th", title);
    th.scope = "row";
    made.append(th, ...cells);
    return made;
  };
  const over = (v) => v.gates === "random" ? ", random gates" : v.gates ? `, ${v.gates} gate` : v.query ? `, ${v.query} query` : "";
  const verdicts = encodings[0].verdicts.map((v, i) => line(`${v.property}, ${v.reading}${over(v)}`, encodings.map((e) => verdict_cell(e.verdicts[i]))));
  const numbers = number_rows(encodings).map(([title, texts]) => line(title, texts.map((text) => element("td", text, "number"))));
  const remarked = encodings.map(remarks);
  const last = remarked.some(Boolean) ? [line("of these formulas", remarked.map((text) => element("td", text)))] : [];
  table.replaceChildren(head, ...verdicts, ...numbers, ...last);
}
