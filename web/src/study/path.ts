// From prior to posterior: the path whose area is the log evidence, and what the sampler did along it.

import { axis, chartFigure, hint, legend, tooltip, zoom } from "../common/chart";
import { type Child, choice, h } from "../common/dom";
import { count, fixed, isNumber, type Num, num, powerOfTen } from "../common/format";
import { ticks } from "../common/svg";
import { dashes, type Theme } from "../common/theme";
import type { StudyData, Trace } from "./data";

interface Run {
  name: string;
  index: number; ///< of its colour
  trace: Trace;
  area: Num; ///< log evidence by path sampling
}

const kShownAtFirst = 6; // lines; the legend brings the others

function runsOf(data: StudyData): Run[] {
  const runs = data.models.flatMap((m, index) => {
    const area = m.estimates.find((e) => e.name.startsWith("Path"))?.value ?? m.log_evidence;
    return m.trace ? [{ name: m.name, index, trace: m.trace, area, probability: m.probability ?? 0 }] : [];
  });
  runs.sort((a, b) => b.probability - a.probability);
  if (data.union_trace) return [{ name: "all models", index: 0, trace: data.union_trace, area: null }, ...runs];
  return runs;
}

export function pathFigures(data: StudyData): Child[] {
  const runs = runsOf(data);
  if (runs.length === 0) return [];
  const halves = h(
    "div",
    { class: "halves two" },
    byStep(runs, "Schedule", "α", (t) => t.alpha, { type: "log", from: 1e-12, caption: "The tempering parameter at each step." }),
    byStep(runs, "Effective sample size", "ESS / particles", (t) => t.ess, { caption: "Before resampling; it falls until the particles are resampled." }),
    byStep(runs, "Conditional effective sample size", "CESS / particles", (t) => t.cess, { caption: "How much one step wears out the particles; an adaptive schedule holds it." }),
    byStep(runs, "Acceptance", "Accepted share", (t) => t.acceptance, { caption: "Share of the proposed moves that were accepted." }),
  );
  return [pathFigure(runs), halves];
}

const line = (t: Theme, run: Run, i: number) => {
  const colour = t.series[run.index % t.series.length] as string;
  return { name: run.name, type: "line", symbol: "none", itemStyle: { color: colour }, lineStyle: { color: colour, width: 2, type: dashes[i % dashes.length] } };
};

const selected = (runs: Run[], most: number): Record<string, boolean> => Object.fromEntries(runs.map((r, i) => [r.name, i < most]));

function pathFigure(runs: Run[]): HTMLElement {
  let logarithmic = false;
  const points = (run: Run): [number, number][] =>
    run.trace.path.alpha.flatMap((a, i): [number, number][] => {
      const u = run.trace.path.mean[i];
      if (!isNumber(a) || !isNumber(u)) return [];
      if (!logarithmic) return [[a, u]];
      return a > 0 ? [[a, a * u]] : [];
    });
  const figure = chartFigure({
    title: "Evidence path",
    caption:
      "The mean log likelihood on the way from the prior (α = 0) to the posterior (α = 1). The shaded area " +
      "between the curve and zero is the log evidence, here of the most probable model. The logarithmic axis shows the beginning, where the steps are small; there the height is α times the mean, which " +
      "keeps areas as they are. The linear axis leaves out the steep fall at the beginning.",
    height: 380,
    controls: [choice("Axis of α", ["α", "log α"], (i) => ((logarithmic = i === 1), figure.update()))],
    describe: () =>
      runs.map((r) => {
        const means = r.trace.path.mean.filter(isNumber);
        const area = isNumber(r.area) ? `; the area is ${fixed(r.area, 2)}` : "";
        return `${r.name}: ${count(r.trace.steps)} steps, mean log likelihood from ${num(means[0], 4)} to ${num(means.at(-1), 4)}${area}.`;
      }).join(" "),
    option: (t) => {
      const shown = runs.map(points);
      const range = heights(shown, logarithmic);
      const from = Math.min(...shown.flatMap((p) => p.slice(0, 1).map(([a]) => a)), 1);
      return {
        legend: legend(t, { data: runs.map((r) => r.name), selected: selected(runs, kShownAtFirst) }),
        xAxis: axis(t, "x", "α, from prior to posterior", logarithmic ? { type: "log", min: 10 ** Math.floor(Math.log10(Math.max(1e-14, from))), max: 1, axisLabel: { color: t.muted, hideOverlap: true, formatter: decade } } : { min: 0, max: 1, axisLabel: { color: t.muted } }),
        yAxis: axis(t, "y", logarithmic ? "α · mean log likelihood" : "Mean log likelihood", { ...range, nameGap: 48 }),
        ...zoom(t, "none"),
        tooltip: tooltip(t, (found) =>
          hint(
            "On the path",
            found.flatMap((p) => {
              const run = runs.findIndex((r) => r.name === p.series);
              const point = shown[run]?.[p.index];
              if (!point) return [];
              const u = logarithmic ? point[1] / point[0] : point[1];
              return [{ name: `${p.series}, α = ${num(point[0])}`, value: num(u, 4), colour: t.series[(runs[run] as Run).index % t.series.length] }];
            }),
          ),
        ),
        series: runs.map((run, i) => ({ ...line(t, run, i), data: shown[i], clip: true, ...(i === 0 ? { areaStyle: { opacity: 0.16, origin: "auto" } } : {}) })),
      };
    },
    table: () => ({
      columns: [{ name: "Model" }, { name: "α", numeric: true }, { name: "Mean log likelihood", numeric: true }],
      rows: runs.flatMap((r) => r.trace.path.alpha.map((a, i) => [r.name, num(a, 4), num(r.trace.path.mean[i], 6)])),
    }),
  });
  return figure.element;
}

/** The range of the axis: all of the curve but the first fall from the prior, which would flatten the rest. */
function heights(curves: [number, number][][], logarithmic: boolean): { min?: number; max?: number; interval?: number } {
  if (logarithmic) return {};
  const late = curves.flatMap((c) => c.filter(([a]) => a >= 0.1).map(([, u]) => u));
  const all = curves.flatMap((c) => c.map(([, u]) => u));
  if (late.length < 2) return {};
  const [low, high] = [Math.min(...late), Math.max(...all)];
  const least = Math.min(...all);
  if (low - least < 1.5 * (high - low)) return {}; // nothing to cut
  const marks = ticks(low, high, 5);
  const step = (marks[1] ?? high) - (marks[0] ?? low) || 1;
  return { min: step * Math.floor(low / step), max: step * Math.ceil(high / step + 0.3), interval: step };
}

const decade = (v: number): string => powerOfTen(Math.round(Math.log10(v)));

interface StepOptions {
  caption: string;
  type?: "log";
  from?: number; ///< least value of a logarithmic axis
}

function byStep(runs: Run[], title: string, name: string, values: (t: Trace) => Num[], options: StepOptions): HTMLElement {
  const logarithmic = options.type === "log";
  const value = (run: Run, i: number): Num => {
    const v = values(run.trace)[i];
    return isNumber(v) && (!logarithmic || v > (options.from ?? 0)) ? v : null;
  };
  return chartFigure({
    title,
    caption: options.caption,
    height: 260,
    half: true,
    describe: () =>
      runs.map((r) => {
        const known = values(r.trace).slice(1).filter(isNumber);
        return known.length ? `${r.name}: from ${num(Math.min(...known))} to ${num(Math.max(...known))} over ${count(r.trace.steps)} steps.` : "";
      }).join(" "),
    option: (t) => ({
      legend: legend(t, { show: runs.length > 1, selected: selected(runs, kShownAtFirst) }),
      xAxis: axis(t, "x", "Step", { min: 0, minInterval: 1 }),
      yAxis: axis(t, "y", name, logarithmic ? { type: "log", max: 1, axisLabel: { color: t.muted, formatter: decade }, nameGap: 44 } : { min: 0, max: 1 }),
      tooltip: tooltip(t, (found) =>
        hint(
          name,
          found.flatMap((p) => {
            const run = runs.find((r) => r.name === p.series);
            if (!run) return [];
            return [{ name: `${p.series}, step ${run.trace.step[p.index]}`, value: num(values(run.trace)[p.index]), colour: t.series[run.index % t.series.length] }];
          }),
        ),
      ),
      // The first entry is the start, where nothing has moved yet.
      series: runs.map((run, i) => ({ ...line(t, run, i), lineStyle: { ...line(t, run, i).lineStyle, width: 1.5 }, data: run.trace.step.map((step, k) => [step, k === 0 && !logarithmic ? null : value(run, k)]) })),
    }),
    table: () => ({
      columns: [{ name: "Model" }, { name: "Step", numeric: true }, { name, numeric: true }],
      rows: runs.flatMap((r) => r.trace.step.map((step, i) => [r.name, String(step), num(values(r.trace)[i], 4)])),
    }),
  }).element;
}
