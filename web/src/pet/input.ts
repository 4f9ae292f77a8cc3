// The input function: the curves that the models are driven by, and the blood samples behind them.

import { axis, chartFigure, hint, kGridWithoutLegend, tooltip, zoom } from "../common/chart";
import { type Child, choice } from "../common/dom";
import { count, type Num, num } from "../common/format";
import type { InputFunction } from "./data";

const symbols = ["circle", "diamond", "triangle", "rect"];

export function inputFigures(input: InputFunction, unit: string): Child[] {
  return [curves(input, unit), input.parent_fraction ? parentFraction(input, input.parent_fraction) : null];
}

function curves(input: InputFunction, unit: string): HTMLElement {
  let logarithmic = false;
  const lines: { name: string; values: Num[] }[] = [{ name: "Plasma", values: input.plasma }];
  if (input.whole_blood) lines.push({ name: "Whole blood", values: input.whole_blood });
  const samples = input.samples ?? [];
  const kinds = [...new Set(samples.map((s) => s.kind))];
  // A logarithmic axis has no place for zero.
  const shown = (v: Num | undefined) => (typeof v === "number" && (!logarithmic || v > 0) ? v : null);
  const figure = chartFigure({
    title: "Activity in blood",
    caption: "Lines: the input that the models use. Marks: the samples.",
    controls: [choice("Axis of activity", ["Linear", "Logarithmic"], (i) => ((logarithmic = i === 1), figure.update()))],
    describe: () => {
      const height = (i: number) => input.plasma[i] ?? -Infinity;
      const peak = input.plasma.reduce<number>((best, _, i) => (height(i) > height(best) ? i : best), 0);
      return (
        `Plasma activity peaks at ${num(input.plasma[peak])} ${unit}, ${num(input.time[peak])} seconds after injection. ` +
        `${count(samples.length)} samples.`
      );
    },
    option: (t) => ({
      xAxis: axis(t, "x", "Time / min", { min: 0 }),
      yAxis: axis(t, "y", `Activity / ${unit}`, { type: logarithmic ? "log" : "value" }),
      ...zoom(t),
      tooltip: tooltip(t, (points) => {
        const line = points.find((p) => lines.some((l) => l.name === p.series));
        const sample = points.find((p) => kinds.includes(p.series));
        const sampled = sample && samples.filter((s) => s.kind === sample.series)[sample.index];
        const seconds = line ? input.time[line.index] : sampled?.time;
        return hint(`${num(seconds, 4)} s`, [
          ...(line ? lines.map((l, i) => ({ name: l.name, value: num(l.values[line.index], 4), colour: t.series[i] })) : []),
          ...(sampled ? [{ name: sampled.kind, value: num(sampled.value, 4), colour: t.ink }] : []),
        ]);
      }),
      series: [
        ...lines.map((l, i) => ({
          name: l.name,
          type: "line",
          symbol: "none",
          itemStyle: { color: t.series[i] },
          lineStyle: { width: 2, color: t.series[i], type: i === 0 ? "solid" : [7, 4] },
          data: input.time.map((s, j) => [s / 60, shown(l.values[j])]),
        })),
        ...kinds.map((kind, i) => ({
          name: kind,
          type: "scatter",
          symbol: symbols[i % symbols.length],
          symbolSize: 7,
          itemStyle: { color: "transparent", borderColor: t.ink, borderWidth: 1.4 },
          data: samples.filter((s) => s.kind === kind).map((s) => [s.time / 60, shown(s.value)]),
        })),
      ],
    }),
    table: () => ({
      columns: [{ name: "Time / s", numeric: true }, { name: "What" }, { name: `Activity / ${unit}`, numeric: true }],
      rows: [
        ...samples.map((s) => [num(s.time, 4), `sample: ${s.kind}`, num(s.value, 4)]),
        ...lines.flatMap((l) => input.time.map((s, i) => [num(s, 4), l.name, num(l.values[i], 4)])),
      ],
    }),
  });
  return figure.element;
}

function parentFraction(input: InputFunction, fraction: Num[]): HTMLElement {
  return chartFigure({
    title: "Parent fraction",
    caption: "The share of the activity in plasma that is still the tracer.",
    height: 220,
    describe: () => `Falls to ${num(fraction.at(-1))} at ${num((input.time.at(-1) ?? 0) / 60)} minutes.`,
    option: (t) => ({
      grid: kGridWithoutLegend,
      legend: { show: false },
      xAxis: axis(t, "x", "Time / min", { min: 0 }),
      yAxis: axis(t, "y", "Fraction", { min: 0, max: 1 }),
      tooltip: tooltip(t, (points) => {
        const i = points[0]?.index ?? 0;
        return hint(`${num(input.time[i], 4)} s`, [{ name: "Parent fraction", value: num(fraction[i]), colour: t.series[0] }]);
      }),
      series: [
        { type: "line", symbol: "none", lineStyle: { width: 2 }, data: input.time.map((s, i) => [s / 60, fraction[i] ?? null]) },
      ],
    }),
    table: () => ({
      columns: [{ name: "Time / s", numeric: true }, { name: "Parent fraction", numeric: true }],
      rows: input.time.map((s, i) => [num(s, 4), num(fraction[i])]),
    }),
  }).element;
}
