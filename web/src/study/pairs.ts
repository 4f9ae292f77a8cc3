// Pairs of parameters: posterior draws of each against each, with their correlations.

import { fill, h } from "../common/dom";
import { fixed, isNumber, type Num, num } from "../common/format";
import { dots, s, scale } from "../common/svg";
import { table } from "../common/table";
import { seriesVariable } from "../common/theme";
import type { ModelData } from "./data";

const kCell = 112, kGap = 8, kLeft = 12, kAtFirst = 6;

export function correlation(a: Num[], b: Num[]): number {
  const both = a.map((v, i) => [v, b[i]]).filter((p): p is [number, number] => isNumber(p[0]) && isNumber(p[1]));
  const mean = (k: 0 | 1) => both.reduce((sum, p) => sum + p[k], 0) / both.length;
  const [ma, mb] = [mean(0), mean(1)];
  const sum = (f: (p: [number, number]) => number) => both.reduce((total, p) => total + f(p), 0);
  return sum((p) => (p[0] - ma) * (p[1] - mb)) / Math.sqrt(sum((p) => (p[0] - ma) ** 2) * sum((p) => (p[1] - mb) ** 2));
}

/** Null when there are fewer than two parameters with draws. */
export function pairFigure(model: ModelData, index: number): HTMLElement | null {
  const names = model.parameters.slice(0, model.draws.length).map((p) => p.name);
  if (names.length < 2) return null;
  const chosen = new Set(names.map((_, i) => i).slice(0, kAtFirst));
  const place = h("div", { class: "pairs" });
  const numbers = h("details", { class: "numbers" }, h("summary", {}, "Correlations as a table"));
  const boxes = names.map((name, i) =>
    h("label", { class: "tick-box" }, h("input", { type: "checkbox", checked: chosen.has(i), change: () => toggle(i) }), h("span", {}, name)),
  );
  draw();
  return h(
    "figure",
    {},
    h("div", { class: "figure-head" }, h("h4", {}, "Pairs of parameters")),
    names.length > 2 ? h("fieldset", { class: "tick-boxes screen-only" }, h("legend", {}, "Parameters shown"), ...boxes) : null,
    place,
    h("figcaption", {}, `${model.draws[0]?.length ?? 0} draws from the posterior; the number in a corner is the correlation.`),
    numbers,
  );

  function toggle(i: number): void {
    if (!chosen.delete(i)) chosen.add(i);
    draw();
  }

  function draw(): void {
    const shown = [...chosen].sort((a, b) => a - b);
    fill(place, shown.length > 1 ? matrix(model, names, shown, index) : h("p", { class: "muted" }, "Choose at least two parameters."));
    numbers.querySelector(".table-frame")?.remove();
    numbers.append(
      table({
        caption: "Correlations in the posterior",
        columns: [{ name: "" }, ...shown.map((i) => ({ name: names[i] ?? "", numeric: true }))],
        rows: shown.map((a) => [names[a] ?? "", ...shown.map((b) => (a === b ? "1" : fixed(correlation(model.draws[a] ?? [], model.draws[b] ?? []), 2)))]),
      }),
    );
  }
}

function ends(values: Num[]): [number, number] {
  const sorted = values.filter(isNumber).sort((a, b) => a - b);
  const at = (p: number) => sorted[Math.round(p * (sorted.length - 1))] ?? 0;
  const [low, high] = [at(0.003), at(0.997)];
  const room = 0.06 * (high - low || 1);
  return [low - room, high + room];
}

/** The lower triangle; names on the diagonal. */
function matrix(model: ModelData, names: string[], shown: number[], index: number): SVGElement {
  const n = shown.length;
  const size = kLeft + n * (kCell + kGap);
  const at = (k: number) => kLeft + k * (kCell + kGap);
  const ranges = shown.map((i) => ends(model.draws[i] ?? []));
  const parts: SVGElement[] = [];
  for (let row = 0; row < n; ++row) {
    const mid = at(row) + kCell / 2;
    const [low, high] = ranges[row] as [number, number];
    const text = names[shown[row] as number] ?? "";
    parts.push(
      s("text", { x: mid, y: mid - 4, class: "pair-name", "textLength": text.length > 14 ? kCell - 6 : undefined, lengthAdjust: "spacingAndGlyphs" }, text.length > 26 ? `${text.slice(0, 25)}…` : text),
      s("text", { x: mid, y: mid + 15, class: "tick" }, `${num(low, 2)} to ${num(high, 2)}`),
    );
    for (let column = 0; column < row; ++column) parts.push(panel(row, column));
  }
  const label = `Pairs of ${shown.map((i) => names[i]).join(", ")}`;
  const svg = s("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label }, ...parts);
  svg.style.maxWidth = `${Math.min(1040, 190 * n)}px`;
  return svg;

  function panel(row: number, column: number): SVGElement {
    const [a, b] = [model.draws[shown[column] as number] ?? [], model.draws[shown[row] as number] ?? []];
    const x = scale(ranges[column] as [number, number], [at(column), at(column) + kCell]);
    const y = scale(ranges[row] as [number, number], [at(row) + kCell, at(row)]);
    const [ra, rb] = [ranges[column] as [number, number], ranges[row] as [number, number]];
    const points = a.flatMap((v, i): [number, number][] => {
      const w = b[i];
      const inside = isNumber(v) && isNumber(w) && v >= ra[0] && v <= ra[1] && w >= rb[0] && w <= rb[1];
      return inside ? [[x(v), y(w)]] : [];
    });
    const r = correlation(a, b);
    return s(
      "g",
      {},
      s("title", {}, `${names[shown[row] as number]} against ${names[shown[column] as number]}: correlation ${fixed(r, 2)}`),
      s("rect", { x: at(column), y: at(row), width: kCell, height: kCell, class: "pair-room" }),
      s("path", { d: dots(points), stroke: seriesVariable(index), class: "pair-dots" }),
      s("text", { x: at(column) + kCell - 5, y: at(row) + 14, class: "pair-r" }, fixed(r, 2)),
    );
  }
}
