// Histograms over voxels: one chart a quantity, one outline a model.

import { axis, chartFigure, hint, kGridWithoutLegend, legend, tooltip } from "../common/chart";
import { dashes } from "../common/theme";
import { h } from "../common/dom";
import { count, num } from "../common/format";
import type { Histogram } from "./data";

export function histogramFigures(histograms: Histogram[], models: string[]): HTMLElement {
  const names = [...new Set(histograms.map((g) => g.name))];
  return h("div", { class: "halves" }, ...names.map((name) => one(name, histograms.filter((g) => g.name === name), models)));
}

function one(name: string, parts: Histogram[], models: string[]): HTMLElement {
  const label = (g: Histogram) => g.model ?? name;
  const colourOf = (g: Histogram) => Math.max(0, models.indexOf(g.model ?? ""));
  return chartFigure({
    title: name,
    height: 260,
    half: true,
    describe: () => parts.map((g) => `${label(g)}: ${count(total(g))} voxels, most near ${num(mode(g))}.`).join(" "),
    option: (t) => ({
      legend: legend(t, { show: parts.length > 1 }),
      ...(parts.length > 1 ? {} : { grid: kGridWithoutLegend }),
      xAxis: axis(t, "x", name, { scale: true }),
      yAxis: axis(t, "y", "Voxels", { min: 0, minInterval: 1 }),
      tooltip: tooltip(t, (points) =>
        hint(
          name,
          points.flatMap((p) => {
            const g = parts.find((x) => label(x) === p.series);
            if (!g || p.index >= g.counts.length) return [];
            const range = `${num(g.edges[p.index])} to ${num(g.edges[p.index + 1])}`;
            const colour = t.series[colourOf(g) % t.series.length];
            return [{ name: `${label(g)}, ${range}`, value: count(g.counts[p.index]), colour }];
          }),
        ),
      ),
      series: parts.map((g, i) => {
        const colour = t.series[colourOf(g) % t.series.length];
        return {
          name: label(g),
          type: "line",
          step: "end",
          symbol: "none",
          itemStyle: { color: colour },
          lineStyle: { color: colour, width: 1.8, type: dashes[i % dashes.length] },
          areaStyle: { color: colour, opacity: 0.15 },
          // The last edge closes the outline.
          data: g.edges.map((edge, i) => [edge, g.counts[Math.min(i, g.counts.length - 1)] ?? 0]),
        };
      }),
    }),
    table: () => ({
      columns: [{ name: "Model" }, ...["From", "To", "Voxels"].map((name) => ({ name, numeric: true }))],
      rows: parts.flatMap((g) => g.counts.map((c, i) => [label(g), num(g.edges[i]), num(g.edges[i + 1]), count(c)])),
    }),
  }).element;
}

const total = (g: Histogram): number => g.counts.reduce((a, b) => a + b, 0);

function mode(g: Histogram): number {
  const i = g.counts.indexOf(Math.max(...g.counts));
  return ((g.edges[i] ?? 0) + (g.edges[i + 1] ?? 0)) / 2;
}
