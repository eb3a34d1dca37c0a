// How the page of a report looks.
#pragma once

namespace gpe::probes {

inline constexpr const char* kPageStyle = R"(
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --card: #ffffff; --ink: #1c232b; --faint: #5d6875; --edge: #dde2e8;
  --measured: #0072b2; --predicted: #c04f00; --row: #1c232b; --ranges: #bcdcf0; --bound: #eceff2;
  --wrong: #b3261e; --look: #8a5a00; --good: #1b6e3c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161b; --card: #1b2128; --ink: #e6eaef; --faint: #9aa7b4; --edge: #323b46;
    --measured: #58b4ea; --predicted: #f0954a; --row: #e6eaef; --ranges: #24455c; --bound: #262e37;
    --wrong: #ff8a80; --look: #e8b452; --good: #6cc98c;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 20px 16px 48px; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 36px 0 8px; }
h3 { font-size: 1rem; margin: 0 0 4px; }
p { margin: 0 0 8px; }
.faint { color: var(--faint); }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 8px; margin: 16px 0 0; padding: 0; list-style: none; }
.facts li { background: var(--card); border: 1px solid var(--edge); border-radius: 8px; padding: 8px 12px; }
.facts span { display: block; color: var(--faint); font-size: 0.8rem; }
.facts b { font-weight: 600; overflow-wrap: anywhere; }
.finding { background: var(--card); border: 1px solid var(--edge); border-left: 4px solid var(--look); border-radius: 8px; padding: 10px 14px; margin: 0 0 10px; }
.finding.wrong { border-left-color: var(--wrong); }
.finding.good { border-left-color: var(--good); }
.finding .kind { color: var(--look); font-size: 0.75rem; font-weight: 600; letter-spacing: 0.06em; text-transform: uppercase; }
.finding.wrong .kind { color: var(--wrong); }
.finding.good .kind { color: var(--good); }
.finding p { margin: 2px 0 0; }
.heads { display: flex; flex-wrap: wrap; gap: 4px; margin: 6px 0 0; }
.heads span { background: var(--ground); border: 1px solid var(--edge); border-radius: 5px; padding: 0 6px; font-size: 0.8rem; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--edge); border-radius: 8px; }
table { border-collapse: collapse; width: 100%; font-size: 0.87rem; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 10px; text-align: right; white-space: nowrap; border-top: 1px solid var(--edge); }
thead th { border-top: 0; color: var(--faint); font-weight: 600; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: var(--card); }
.map td { padding: 6px 4px; min-width: 43px; text-align: center; border: 2px solid var(--card);
  background: color-mix(in srgb, var(--measured) calc(var(--share) * 100%), var(--card)); }
.map td.dark { color: #ffffff; }
@media (prefers-color-scheme: dark) { .map td.dark { color: #0b1117; } }

.map th { border: 0; font-weight: 600; color: var(--faint); text-align: center; }
.map th:first-child { width: 1%; text-align: left; }
.yes { color: var(--good); } .no { color: var(--wrong); } .open { color: var(--look); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 0 0 8px; font-size: 0.83rem; color: var(--faint); }
.legend i { display: inline-block; width: 14px; height: 9px; border-radius: 2px; margin-right: 6px; }
details { background: var(--card); border: 1px solid var(--edge); border-radius: 8px; margin: 0 0 8px; }
summary { cursor: pointer; padding: 8px 12px; font-weight: 600; }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(158px, 1fr)); gap: 8px; padding: 4px 12px 12px; }
.panels figure { margin: 0; min-width: 0; }
.panels figcaption { font-size: 0.78rem; color: var(--faint); padding-left: 17%; }
.panels svg { width: 100%; height: auto; display: block; }
svg text { fill: var(--faint); }
svg line { stroke: var(--ink); }
svg > rect { stroke: var(--edge); }
pre { margin: 0; padding: 4px 12px 12px; overflow-x: auto; font-size: 0.82rem; line-height: 1.45; }
.bar { height: 12px; border-radius: 6px; background: var(--bound); overflow: hidden; margin: 4px 0 12px; }
.bar i { display: block; height: 100%; background: var(--measured); }
@media print { body { background: #ffffff; } details { break-inside: avoid; } }
)";

}  // namespace gpe::probes
