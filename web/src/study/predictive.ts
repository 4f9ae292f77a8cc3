// What a model would observe anew, beside what was observed.

import { axis, bandSeries, chartFigure, hint, legend, tooltip, zoom } from "../common/chart";
import { type Child, h } from "../common/dom";
import { count, fixed, isNumber, type Num, num } from "../common/format";
import { table } from "../common/table";
import type { Theme } from "../common/theme";
import type { Predictive, Series } from "./data";

const k90 = "90 % of new data", k50 = "50 % of new data", kMean = "Mean", kData = "Data", kNew = "Some new data sets";

/** `index` is that of the colour. */
export function predictiveFigures(p: Predictive, index: number): Child[] {
  return [
    ...p.series.flatMap((one): Child[] => {
      const colour = (t: Theme) => t.series[index % t.series.length] as string;
      if (one.axis.length > 0) return [alongAxis(one, colour)];
      return [one.histogram ? counts(one, colour) : null, againstMean(one, colour)];
    }),
    checkTable(p),
  ];
}

const left = (one: Series): string => (one.values.length < one.count ? ` Shown are ${count(one.values.length)} of ${count(one.count)} observations.` : "");

/** Share of the observations inside the 90 % band, which should be about 0.9. */
function coverage(one: Series): number {
  const inside = one.values.map((v, i) => isNumber(v) && (one.band.q05[i] ?? Infinity) <= v && v <= (one.band.q95[i] ?? -Infinity));
  return inside.filter(Boolean).length / inside.length;
}

const coverWords = (one: Series): string =>
  `The 90 % band holds ${Math.round(100 * coverage(one))} % of the ${count(one.values.length)} observations.`;

function sorted(one: Series, by: Num[]): number[] {
  return one.values.map((_, i) => i).sort((a, b) => (by[a] ?? 0) - (by[b] ?? 0));
}

function dataSeries(t: Theme, points: [Num, Num][]): object {
  const size = points.length > 300 ? 4 : 6.5;
  return { name: kData, type: "scatter", symbolSize: size, z: 5, itemStyle: { color: t.surface, borderColor: t.ink, borderWidth: points.length > 300 ? 1 : 1.4 }, data: points };
}

const lineSeries = (name: string, colour: string, data: [Num, Num][], width: number, opacity = 1): object => ({
  name, type: "line", symbol: "none", silent: true, itemStyle: { color: colour }, lineStyle: { color: colour, width, opacity }, data,
});

function alongAxis(one: Series, colour: (t: Theme) => string): HTMLElement {
  const order = sorted(one, one.axis);
  const pick = (values: Num[]): Num[] => order.map((i) => values[i] ?? null);
  const x = pick(one.axis);
  const [q05, q25, q50, q75, q95, y, mean] = [one.band.q05, one.band.q25, one.band.q50, one.band.q75, one.band.q95, one.values, one.mean].map(pick) as [Num[], Num[], Num[], Num[], Num[], Num[], Num[]];
  const centre = mean.some(isNumber) ? mean : q50;
  const line = (values: Num[]): [Num, Num][] => x.map((v, i) => [v, values[i] ?? null]);
  return chartFigure({
    title: `${one.name} against ${one.axis_name || "order"}`,
    caption: `${coverWords(one)}${left(one)}`,
    height: 360,
    describe: () => `${count(one.values.length)} observations of ${one.name} with the predictions. ${coverWords(one)}`,
    option: (t) => ({
      legend: legend(t, { data: [kData, kMean, k50, k90, ...(one.replicates.length ? [kNew] : [])], selected: { [kNew]: false } }),
      xAxis: axis(t, "x", one.axis_name, ends(x)),
      yAxis: axis(t, "y", one.name, { scale: true, nameGap: 48 }),
      ...zoom(t, "none"),
      tooltip: tooltip(t, (points) => {
        const i = points[0]?.index ?? 0;
        return hint(`${one.axis_name} ${num(x[i], 4)}`, [
          { name: kData, value: num(y[i], 4), colour: t.ink },
          { name: kMean, value: num(centre[i], 4), colour: colour(t) },
          { name: "50 %", value: `${num(q25[i])} to ${num(q75[i])}` },
          { name: "90 %", value: `${num(q05[i])} to ${num(q95[i])}` },
        ]);
      }),
      series: [
        dataSeries(t, line(y)),
        bandSeries({ name: k90, x, low: q05, high: q95, colour: colour(t), opacity: 0.16 }),
        bandSeries({ name: k50, x, low: q25, high: q75, colour: colour(t), opacity: 0.3 }),
        lineSeries(kMean, colour(t), line(centre), 2.2),
        ...one.replicates.map((r) => lineSeries(kNew, t.muted, line(pick(r)), 0.8, 0.5)),
      ],
    }),
    table: () => bandTable(one, order, one.axis_name),
  }).element;
}

/** An axis that ends with the data, and begins at zero when they begin near it. */
function ends(x: Num[]): { min: number; max: number } | { scale: boolean } {
  const known = x.filter(isNumber);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  if (!(high > low)) return { scale: true };
  return { min: low >= 0 && low < 0.15 * high ? 0 : low, max: high };
}

function bandTable(one: Series, order: number[], name: string): { columns: { name: string; numeric: boolean }[]; rows: string[][] } {
  const at = (values: Num[], i: number) => num(values[i], 4);
  return {
    columns: [name || "Number", kData, "Mean", "5 %", "25 %", "50 %", "75 %", "95 %"].map((n) => ({ name: n, numeric: true })),
    rows: order.map((i) => [
      one.axis.length ? at(one.axis, i) : String(i + 1),
      ...[one.values, one.mean, one.band.q05, one.band.q25, one.band.q50, one.band.q75, one.band.q95].map((v) => at(v, i)),
    ]),
  };
}

/** For observations without an axis: how many fall where. */
function counts(one: Series, colour: (t: Theme) => string): HTMLElement {
  const g = one.histogram as NonNullable<Series["histogram"]>;
  const steps = (values: Num[]): [Num, Num][] => g.edges.map((e, i) => [e, values[Math.min(i, values.length - 1)] ?? null]);
  const outside = g.observed.filter((v, i) => v < (g.band.q05[i] ?? 0) || v > (g.band.q95[i] ?? Infinity)).length;
  const says = `In ${g.observed.length - outside} of ${g.observed.length} intervals the count lies within the 90 % band.`;
  return chartFigure({
    title: `Distribution of ${one.name}`,
    caption: `How many of the ${count(one.count)} observations lie in each interval, and how many would in new data sets. ${says}`,
    height: 340,
    describe: () => says,
    option: (t) => ({
      legend: legend(t, { data: [kData, "Median of new data", k50, k90] }),
      xAxis: axis(t, "x", one.name, { min: g.edges[0], max: g.edges.at(-1), axisLabel: { color: t.muted, hideOverlap: true, showMinLabel: false, showMaxLabel: false } }),
      yAxis: axis(t, "y", "Observations", { min: 0 }),
      ...zoom(t, "none"),
      tooltip: tooltip(t, (points) => {
        const i = Math.min(points[0]?.index ?? 0, g.observed.length - 1);
        return hint(`${one.name} from ${num(g.edges[i])} to ${num(g.edges[i + 1])}`, [
          { name: kData, value: num(g.observed[i]), colour: t.ink },
          { name: "Median", value: num(g.band.q50[i]), colour: colour(t) },
          { name: "50 %", value: `${num(g.band.q25[i])} to ${num(g.band.q75[i])}` },
          { name: "90 %", value: `${num(g.band.q05[i])} to ${num(g.band.q95[i])}` },
        ]);
      }),
      series: [
        { ...lineSeries(kData, t.ink, steps(g.observed), 1.8), step: "end", silent: false, z: 5 },
        bandSeries({ name: k90, x: g.edges, low: g.band.q05, high: g.band.q95, colour: colour(t), opacity: 0.16, steps: true }),
        bandSeries({ name: k50, x: g.edges, low: g.band.q25, high: g.band.q75, colour: colour(t), opacity: 0.3, steps: true }),
        { ...lineSeries("Median of new data", colour(t), steps(g.band.q50), 2), step: "end" },
      ],
    }),
    table: () => ({
      columns: ["From", "To", kData, "5 %", "25 %", "50 %", "75 %", "95 %"].map((n) => ({ name: n, numeric: true })),
      rows: g.observed.map((v, i) => [g.edges[i], g.edges[i + 1], v, g.band.q05[i], g.band.q25[i], g.band.q50[i], g.band.q75[i], g.band.q95[i]].map((c) => num(c, 4))),
    }),
  }).element;
}

/** Observed against predicted; null when all observations have the same mean, or none. */
function againstMean(one: Series, colour: (t: Theme) => string): HTMLElement | null {
  const known = one.mean.filter(isNumber);
  if (known.length < 2 || Math.max(...known) - Math.min(...known) < 1e-9 * Math.max(...known.map(Math.abs))) return null;
  const order = sorted(one, one.mean).filter((i) => isNumber(one.mean[i]));
  const ends = [Math.min(...known), Math.max(...known)];
  return chartFigure({
    title: `${one.name}: observed against predicted`,
    caption: `Each observation at the mean that the model predicts for it; the lines hold 90 % of new data. ${coverWords(one)}${left(one)}`,
    height: 360,
    describe: () => coverWords(one),
    option: (t) => ({
      legend: legend(t, { data: [kData, k90, "Observed = predicted"] }),
      xAxis: axis(t, "x", `Predicted ${one.name}`, { scale: true }),
      yAxis: axis(t, "y", `Observed ${one.name}`, { scale: true, nameGap: 48 }),
      ...zoom(t, "none"),
      tooltip: tooltip(t, (points) => {
        const i = order[points[0]?.index ?? 0] ?? 0;
        return hint(`Observation ${i + 1}`, [
          { name: "Predicted", value: num(one.mean[i], 4), colour: colour(t) },
          { name: "Observed", value: num(one.values[i], 4), colour: t.ink },
          { name: "90 %", value: `${num(one.band.q05[i])} to ${num(one.band.q95[i])}` },
        ]);
      }),
      series: [
        dataSeries(t, order.map((i) => [one.mean[i] ?? null, one.values[i] ?? null])),
        {
          name: k90, type: "custom", silent: true, clip: true, itemStyle: { color: colour(t) }, encode: { x: 0, y: [1, 2] },
          data: order.map((i) => [one.mean[i], one.band.q05[i], one.band.q95[i]]),
          renderItem: (_: unknown, api: any) => {
            const [a, b] = [api.coord([api.value(0), api.value(1)]), api.coord([api.value(0), api.value(2)])];
            return { type: "line", shape: { x1: a[0], y1: a[1], x2: b[0], y2: b[1] }, style: { stroke: colour(t), lineWidth: 3, opacity: 0.28 } };
          },
        },
        lineSeries("Observed = predicted", t.muted, ends.map((v) => [v, v]), 1.2),
      ],
    }),
    table: () => bandTable(one, order, ""),
  }).element;
}

/** Numbers that the model should reproduce. */
function checkTable(p: Predictive): HTMLElement | null {
  if (p.checks.length === 0) return null;
  const odd = (v: Num) => isNumber(v) && (v < 0.025 || v > 0.975);
  const several = new Set(p.checks.map((c) => c.observed)).size > 1;
  const found = p.checks.filter((c) => odd(c.p_value)).length;
  return h(
    "div",
    { class: "checks keep" },
    table({
      caption: `Can it reproduce the data? Numbers of the data beside those of ${count(p.draws)} new data sets.`,
      columns: [
        ...(several ? [{ name: "Of" }] : []), { name: "Number" }, { name: "In the data", numeric: true },
        { name: "In new data, 90 %", numeric: true }, { name: "Share that is larger", numeric: true }, { name: "" },
      ],
      rows: p.checks.map((c) => [
        ...(several ? [c.observed] : []), c.statistic, num(c.value), `${num(c.q05)} to ${num(c.q95)}`, fixed(c.p_value, 3),
        odd(c.p_value) ? h("span", { class: "chip warn" }, "unlike the data") : h("span", { class: "chip good" }, "as the data"),
      ]),
    }),
    found > 0 ? h("p", { class: "muted" }, "A share below 0.025 or above 0.975 marks something in the data that the model does not describe.") : null,
  );
}
