// Pictures of an answer of check-properties with --curves: what `gpe plot` draws, by Chart.js.
/* global Chart */

const number = (text) => (text === null || text === undefined ? null : Number(text));
const distance = (n) => (typeof n === "object" ? 10 ** Number(n.log10) : Number(n));
const line = (label, color, data, more = {}) => ({ label, data, borderColor: color, backgroundColor: color, borderWidth: 2, pointRadius: 0, spanGaps: false, ...more });
const points = (curves, value) => curves.map((point) => ({ x: distance(point.n) + 1, y: number(value(point)) }));

function band(name, color, curves) {
  const edge = { borderWidth: 0, backgroundColor: `${color}33` };
  return [line(`${name}: least`, color, points(curves, (p) => p.lower[0]), { ...edge, is_edge: true }),
    line(`${name}: for |c(n)| ≤ B`, color, points(curves, (p) => p.upper[0]), { ...edge, fill: "-1" })];
}

const dashed = { borderDash: [6, 4], borderWidth: 1.5 };
const PICTURES = [
  { id: "score", title: "score A(n), and its range for |c(n)| ≤ B", x: "n + 1",
    lines: (name, color, curves) => [line(name, color, points(curves, (p) => p.A)), ...band(name, color, curves)] },
  { id: "weights", title: "weight of the key at distance n, and of all keys up to it", x: "n + 1",
    lines: (name, color, curves) => [line(name, color, points(curves, (p) => p.weight)), line(`${name}: up to n`, color, points(curves, (p) => p.mass), dashed)] },
  { id: "entropy", title: "entropy H_L in a context of L + 1 keys", x: "L + 1",
    lines: (name, color, curves) => [line(name, color, points(curves, (p) => p.H)), line(`${name}: growth law`, color, points(curves, (p) => p.H_law), dashed)] },
  { id: "normalizer", title: "normalizer Z_L in a context of L + 1 keys", x: "L + 1", is_log: true,
    lines: (name, color, curves) => [line(name, color, points(curves, (p) => p.Z)), line(`${name}: growth law`, color, points(curves, (p) => p.Z_law), dashed)] },
];

const charts = new Map();

function options(picture, color) {
  const axis = (title, more) => ({ title: { display: title !== "", text: title, color: color("--text") }, ticks: { color: color("--text"), maxTicksLimit: 7 },
                                   grid: { color: color("--faint") }, ...more });
  return {
    animation: false, maintainAspectRatio: false, parsing: false, normalized: true, interaction: { mode: "nearest", axis: "x", intersect: false },
    scales: { x: axis(picture.x, { type: "logarithmic" }), y: axis("", { type: picture.is_log ? "logarithmic" : "linear" }) },
    plugins: { legend: { labels: { color: color("--text"), boxHeight: 2, filter: (item, data) => !data.datasets[item.datasetIndex].is_edge } } },
  };
}

/** Draws into `parent`, or changes what is drawn there. Each picture has in its name what it shows at the last distance. */
export function draw(parent, encodings) {
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  for (const picture of PICTURES) {
    const datasets = encodings.flatMap((e, i) => picture.lines(e.name, color(`--line-${i % 4 + 1}`), e.curves ?? []))
      .filter((one) => one.is_edge || one.data.some(({ y }) => y !== null));
    if (!charts.has(picture.id)) {
      const figure = document.createElement("figure");
      const box = document.createElement("div");
      const canvas = document.createElement("canvas");
      const caption = document.createElement("figcaption");
      caption.textContent = picture.title;
      canvas.setAttribute("role", "img");
      box.append(canvas);
      figure.append(caption, box);
      parent.append(figure);
      charts.set(picture.id, new Chart(canvas, { type: "line", data: { datasets: [] }, options: {} }));
    }
    const chart = charts.get(picture.id);
    chart.canvas.setAttribute("aria-label", `${picture.title}: ${encodings.map((e) => e.name).join(", ")}; the numbers are in the table`);
    chart.data.datasets = datasets;
    chart.options = options(picture, color);
    chart.update();
  }
}
