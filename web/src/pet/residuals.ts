// Residuals by frame, one chart a model, all with the same axis: a pattern here is what no model explains.

import { axis, chartFigure, hint, kGridWithoutLegend, tooltip } from "../common/chart";
import { h } from "../common/dom";
import { fixed, num } from "../common/format";
import type { Frames, PetData, Residuals } from "./data";

export function residualFigures(data: PetData, residuals: Residuals[]): HTMLElement {
  const all = residuals.flatMap((r) => [...r.mean, ...(r.q05 ?? []), ...(r.q95 ?? [])]);
  const widest = Math.max(2.5, ...all.map((v) => Math.abs(v ?? 0)));
  return h("div", { class: "halves" }, ...residuals.map((r) => one(data, r, Math.ceil(widest))));
}

function one(data: PetData, r: Residuals, limit: number): HTMLElement {
  const frames = data.frames as Frames;
  const at = Math.max(0, data.models.indexOf(r.name));
  return chartFigure({
    title: r.name,
    height: 250,
    half: true,
    describe: () => `Mean standardised residual of ${r.mean.length} frames, from ${least(r.mean)} to ${most(r.mean)}.`,
    option: (t) => {
      const colour = t.series[at % t.series.length] as string;
      return {
        grid: kGridWithoutLegend,
        legend: { show: false },
        xAxis: axis(t, "x", "Frame", { min: 0, max: r.mean.length + 1, minInterval: 1, axisTick: { show: false } }),
        yAxis: axis(t, "y", "Standardised residual", { min: -limit, max: limit }),
        tooltip: tooltip(t, (points) => {
          const i = points[0]?.index ?? 0;
          return hint(`Frame ${i + 1}, middle at ${num((frames.mid[i] ?? 0) / 60)} min`, [
            { name: "Mean", value: fixed(r.mean[i], 2), colour },
            { name: "5 % to 95 %", value: `${fixed(r.q05?.[i], 2)} to ${fixed(r.q95?.[i], 2)}` },
          ]);
        }),
        series: [
          {
            name: "5 % to 95 %",
            type: "custom",
            silent: true,
            encode: { x: 0, y: [1, 2] },
            data: r.mean.map((_, i) => [i + 1, r.q05?.[i] ?? null, r.q95?.[i] ?? null]),
            renderItem: (_: unknown, api: any) => {
              const [low, high] = [api.coord([api.value(0), api.value(1)]), api.coord([api.value(0), api.value(2)])];
              if (![low[1], high[1]].every(Number.isFinite)) return null;
              const shape = { x1: low[0], y1: low[1], x2: high[0], y2: high[1] };
              return { type: "line", shape, style: { stroke: colour, lineWidth: 5, opacity: 0.3, lineCap: "round" } };
            },
          },
          {
            name: "Mean",
            type: "scatter",
            symbolSize: 6,
            itemStyle: { color: colour },
            data: r.mean.map((v, i) => [i + 1, v]),
          },
        ],
      };
    },
    table: () => ({
      columns: ["Frame", "Mean", "5 %", "95 %"].map((name) => ({ name, numeric: true })),
      rows: r.mean.map((v, i) => [String(i + 1), fixed(v, 3), fixed(r.q05?.[i], 3), fixed(r.q95?.[i], 3)]),
    }),
  }).element;
}

const numbers = (values: (number | null)[]): number[] => values.filter((v): v is number => typeof v === "number");
const least = (values: (number | null)[]): string => fixed(Math.min(...numbers(values)), 2);
const most = (values: (number | null)[]): string => fixed(Math.max(...numbers(values)), 2);
