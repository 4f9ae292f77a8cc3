// Parameters: a table, and small densities of posterior and prior side by side.

import { choice, h } from "../common/dom";
import { num } from "../common/format";
import { outline, s, scale, ticks } from "../common/svg";
import { table } from "../common/table";
import { seriesVariable } from "../common/theme";
import type { ModelData, Parameter, Summary } from "./data";

const kWidth = 240, kHeight = 104, kFloor = 82, kTop = 8;

const columns = ["Mean", "Sd", "5 %", "50 %", "95 %"].map((name) => ({ name, numeric: true }));
const cells = (p: Summary) => [p.mean, p.sd, p.q05, p.q50, p.q95].map((v) => ({ text: num(v, 4), sort: v }));

/** Six digits are enough for the numbers of a prior that the data decided. */
const shortened = (text: string): string => text.replace(/\d+\.\d{6,}(e[-+]?\d+)?/g, (m) => String(Number(Number(m).toPrecision(6))));

export function parameterTable(model: ModelData): HTMLElement {
  const priors = model.parameters.some((p) => p.prior);
  return table({
    caption: `Parameters of ${model.name}: posterior summaries${priors ? ", and the priors" : ""}`,
    sortable: true,
    columns: [{ name: "Parameter" }, ...columns, ...(priors ? [{ name: "Prior" }] : [])],
    rows: model.parameters.map((p) => [p.name, ...cells(p), ...(priors ? [shortened(p.prior ?? "derived")] : [])]),
  });
}

export function averagedTable(parameters: Summary[]): HTMLElement {
  return table({
    caption: "Parameters that at least two models share, averaged over those models by their probabilities",
    sortable: true,
    columns: [{ name: "Parameter" }, ...columns],
    rows: parameters.map((p) => [p.name, ...cells(p)]),
  });
}

/** Null when no parameter has a density. */
export function densityFigure(model: ModelData, index: number): HTMLElement | null {
  const drawn = model.parameters.filter((p) => p.density);
  if (drawn.length === 0) return null;
  const grid = h("div", { class: "densities" });
  const withPrior = drawn.some((p) => p.density?.prior);
  show(false);
  const controls = withPrior ? choice("Range", ["Posterior", "Prior too"], (i) => show(i === 1)) : null;
  const key = h("span", { class: "key posterior" });
  key.style.setProperty("--own", seriesVariable(index));
  return h(
    "figure",
    { class: "densities-figure" },
    h("div", { class: "figure-head" }, h("h4", {}, withPrior ? "Posterior against prior" : "Posterior"), controls),
    grid,
    h("figcaption", {}, key, " posterior", ...(withPrior ? [" ", h("span", { class: "key prior" }), " prior"] : []),
      "; the bar below holds 90 % of the posterior, the dot is its mean. A posterior that looks like its prior means that the data say nothing of that parameter."),
  );

  function show(wide: boolean): void {
    grid.replaceChildren(...drawn.map((p) => cell(p, wide, index)));
  }
}

function cell(p: Parameter, wide: boolean, index: number): HTMLElement {
  const says = h("div", { class: "density-says" }, `${num(p.mean)} (${num(p.q05)} to ${num(p.q95)})`);
  const box = h("div", { class: "density" }, h("div", { class: "density-name" }, h("b", {}, p.name), says));
  box.append(drawing(p, wide, index, (text) => (says.textContent = text ?? `${num(p.mean)} (${num(p.q05)} to ${num(p.q95)})`)));
  return box;
}

function drawing(p: Parameter, wide: boolean, index: number, say: (text: string | null) => void): SVGElement {
  const d = p.density as NonNullable<Parameter["density"]>;
  const range = wide ? d.wide : d.near;
  const inside = d.x.map((_, i) => i).filter((i) => (d.x[i] as number) >= range[0] && (d.x[i] as number) <= range[1]);
  const most = (values: number[] | undefined) => Math.max(...inside.map((i) => values?.[i] ?? 0), 1e-300);
  const highest = Math.max(most(d.posterior), Math.min(most(d.prior), (wide ? 4 : 1.6) * most(d.posterior)));
  const x = scale(range, [6, kWidth - 6]);
  const y = scale([0, highest], [kFloor, kTop]);
  const curve = (values: number[]): [number, number][] =>
    inside.map((i) => [x(d.x[i] as number), Math.max(kTop - 6, y(values[i] ?? 0))]);
  const area = (values: number[]) => `M${x(range[0])} ${kFloor}${outline(curve(values)).replace("M", "L")}L${x(range[1])} ${kFloor}Z`;
  const colour = seriesVariable(index);
  const cross = s("line", { y1: kTop - 4, y2: kFloor, class: "cross", x1: -9, x2: -9 });
  const bar = (v: number | null) => Math.min(kWidth - 6, Math.max(6, x(v ?? 0)));
  const label = `${p.name}: posterior mean ${num(p.mean)}, 90 % between ${num(p.q05)} and ${num(p.q95)}`;
  const svg = s(
    "svg",
    { viewBox: `0 0 ${kWidth} ${kHeight}`, role: "img", "aria-label": label },
    s("path", { d: area(d.posterior), fill: colour, "fill-opacity": 0.28 }),
    d.prior ? s("path", { d: outline(curve(d.prior)), class: "prior-line" }) : null,
    s("path", { d: outline(curve(d.posterior)), fill: "none", stroke: colour, "stroke-width": 1.8 }),
    s("line", { x1: 4, x2: kWidth - 4, y1: kFloor, y2: kFloor, class: "axis-line" }),
    s("line", { x1: bar(p.q05), x2: bar(p.q95), y1: kFloor, y2: kFloor, stroke: colour, "stroke-width": 4, "stroke-linecap": "round" }),
    s("circle", { cx: bar(p.mean), cy: kFloor, r: 3.6, class: "mean-dot", stroke: colour }),
    ...ticks(range[0], range[1], 4).filter((v) => x(v) > 14 && x(v) < kWidth - 14).map((v) =>
      s("text", { x: x(v), y: kHeight - 4, class: "tick" }, num(v, 3).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, ""))),
    cross,
  );
  svg.addEventListener("pointermove", (event) => {
    const place = svg.getBoundingClientRect();
    const at = ((event.clientX - place.left) / place.width) * kWidth;
    const nearest = inside.reduce((best, i) => (Math.abs(x(d.x[i] as number) - at) < Math.abs(x(d.x[best] as number) - at) ? i : best), inside[0] ?? 0);
    cross.setAttribute("x1", String(x(d.x[nearest] as number)));
    cross.setAttribute("x2", String(x(d.x[nearest] as number)));
    const prior = d.prior ? `, prior ${num(d.prior[nearest], 2)}` : "";
    say(`at ${num(d.x[nearest])}: ${num(d.posterior[nearest], 2)}${prior}`);
  });
  svg.addEventListener("pointerleave", () => (cross.setAttribute("x1", "-9"), cross.setAttribute("x2", "-9"), say(null)));
  return svg;
}
