// A time-activity curve with the fits of the models, and what each model says of it.

import { axis, type ChartFigure, chartFigure, hint, tooltip, zoom } from "../common/chart";
import { h } from "../common/dom";
import { count, fixed, kMissing, num, plusMinus, probability } from "../common/format";
import { table } from "../common/table";
import { dashes, type Theme } from "../common/theme";
import type { CurveModel, Frames, PetData } from "./data";

export interface CurveData {
  activity: (number | null)[];
  models: CurveModel[];
}

export function curveFigure(data: PetData, title: string, current: () => CurveData, caption?: string): ChartFigure {
  const frames = data.frames as Frames;
  const minutes = frames.mid.map((s) => s / 60);
  const unit = data.unit ?? "activity";
  const colour = (t: Theme, name: string) => t.series[Math.max(0, data.models.indexOf(name)) % t.series.length] as string;
  return chartFigure({
    title,
    caption,
    describe: () => {
      const curve = current();
      const best = bestOf(curve.models);
      return (
        `Activity in ${unit} over ${count(frames.mid.length)} frames with the fits of ${curve.models.length} models.` +
        (best ? ` The most probable is ${best.name}, with probability ${probability(best.probability)}.` : "")
      );
    },
    option: (t) => ({
      xAxis: axis(t, "x", "Time / min", { min: 0, max: frameEnd(frames) / 60 }),
      yAxis: axis(t, "y", `Activity / ${unit}`),
      ...zoom(t),
      tooltip: tooltip(t, (points) => frameHint(points[0]?.index ?? 0, t)),
      series: [
        {
          name: "Measured",
          type: "scatter",
          symbolSize: 7,
          itemStyle: { color: t.surface, borderColor: t.ink, borderWidth: 1.5 },
          z: 3,
          data: minutes.map((m, i) => [m, current().activity[i] ?? null]),
        },
        ...current().models.map((m, i) => ({
          name: m.name,
          type: "line",
          symbol: "none",
          itemStyle: { color: colour(t, m.name) },
          lineStyle: { color: colour(t, m.name), width: 2, type: dashes[i % dashes.length] },
          data: minutes.map((x, j) => [x, m.fit?.[j] ?? null]),
        })),
      ],
    }),
    table: () => ({
      columns: [
        { name: "Frame", numeric: true },
        { name: "Start / s", numeric: true },
        { name: "Length / s", numeric: true },
        { name: "Measured", numeric: true },
        ...current().models.map((m) => ({ name: m.name, numeric: true })),
      ],
      rows: frames.mid.map((_, i) => [
        String(i + 1),
        num(frames.start[i]),
        num(frames.duration[i]),
        num(current().activity[i], 4),
        ...current().models.map((m) => num(m.fit?.[i], 4)),
      ]),
    }),
  });

  function frameHint(i: number, t: Theme): HTMLElement {
    const curve = current();
    const from = num(frames.start[i]);
    return hint(`Frame ${i + 1}, from ${from} s for ${num(frames.duration[i])} s`, [
      { name: "Measured", value: num(curve.activity[i], 4), colour: t.ink },
      ...curve.models.map((m) => ({ name: m.name, value: num(m.fit?.[i], 4), colour: colour(t, m.name) })),
    ]);
  }
}

export function frameEnd(frames: Frames): number {
  return Math.max(...frames.start.map((s, i) => s + (frames.duration[i] ?? 0)));
}

export function bestOf(models: CurveModel[]): CurveModel | undefined {
  const told = models.filter((m) => typeof m.probability === "number");
  return told.sort((a, b) => (b.probability as number) - (a.probability as number))[0];
}

/** Probability, evidence and V_T by model. */
export function modelTable(caption: string, models: CurveModel[]): HTMLElement {
  const best = bestOf(models);
  return table({
    caption,
    columns: [
      { name: "Model" },
      { name: "Probability", numeric: true },
      { name: "Log evidence", numeric: true },
      { name: "V_T / mL cm⁻³", numeric: true },
    ],
    rows: models.map((m) => [
      m === best ? h("b", {}, `${m.name} (best)`) : m.name,
      probability(m.probability),
      m.log_evidence === undefined ? kMissing : plusMinus(m.log_evidence, m.log_evidence_se),
      m.VT_sd === undefined ? fixed(m.VT, 2) : plusMinus(m.VT, m.VT_sd),
    ]),
  });
}
