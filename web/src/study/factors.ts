// Bayes factors of one model against the others, on the scale of Kass and Raftery.

import { axis, chartFigure, hint } from "../common/chart";
import { select } from "../common/dom";
import { isNumber, kMissing, type Num, num, powerOfTen } from "../common/format";
import type { Theme } from "../common/theme";
import type { ModelData, StudyData } from "./data";

const kMostRows = 20;
const kMostDecades = 6; // a Bayes factor of a million is as good as any larger one

/** "positive" and so on, for a natural logarithm of any sign. */
export function words(data: StudyData, log: Num | undefined): string {
  if (!isNumber(log)) return kMissing;
  const found = data.strengths.filter((s) => Math.abs(log) >= Math.log(s.above)).at(-1) ?? data.strengths[0];
  return found?.words ?? "";
}

export function factorText(log: Num | undefined): string {
  if (!isNumber(log)) return kMissing;
  if (Math.abs(log) > 690) return `10^${num(log / Math.LN10, 3)}`;
  return num(Math.exp(log), log > -2.3 && log < 7 ? 3 : 2);
}

/** Half the length of the 95 % interval of a log Bayes factor: the two log evidences err independently. */
function reach(a: ModelData, b: ModelData): Num {
  const half = (m: ModelData) => {
    const ends = m.log_evidence_interval;
    return ends && isNumber(ends[0]) && isNumber(ends[1]) ? (ends[1] - ends[0]) / 2 : null;
  };
  const [x, y] = [half(a), half(b)];
  return x === null || y === null ? null : Math.hypot(x, y);
}

export function factorFigure(data: StudyData): HTMLElement {
  let reference = data.best;
  const rows = () =>
    data.models
      .map((m, i) => ({ m, i, log: data.log_bayes_factors[reference]?.[i] ?? null, reach: reach(data.models[reference] as ModelData, m) }))
      .filter((r) => r.i !== reference)
      .sort((a, b) => (b.m.probability ?? 0) - (a.m.probability ?? 0))
      .slice(0, kMostRows);
  const choose = select("Compare", data.models.map((m) => m.name), (i) => ((reference = i), figure.update()), data.best);
  const sentence = (r: ReturnType<typeof rows>[number]) =>
    !isNumber(r.log) ? "not known" : `${r.log < 0 ? "against it: " : ""}${words(data, r.log)}`;
  const figure = chartFigure({
    title: "Bayes factors against the other models",
    caption:
      "How many times better the chosen model predicted the data than each other one; the bars are 95 % intervals. To the left of 1 " +
      "the other model did better. Words: Kass and Raftery, Journal of the American Statistical Association 90 (1995).",
    height: 96 + 34 * Math.min(kMostRows, data.models.length - 1),
    controls: [choose],
    describe: () =>
      rows().map((r) => `${name()} against ${r.m.name}: ${factorText(r.log)}, ${sentence(r)}.`).join(" "),
    option: (t) => option(t),
    table: () => ({
      columns: [{ name: "Against" }, { name: "Bayes factor", numeric: true }, { name: "Log", numeric: true }, { name: "95 % interval of the log", numeric: true }, { name: "Evidence" }],
      rows: rows().map((r) => [
        r.m.name,
        factorText(r.log),
        num(r.log),
        isNumber(r.log) && isNumber(r.reach) ? `${num(r.log - r.reach)} to ${num(r.log + r.reach)}` : kMissing,
        sentence(r),
      ]),
    }),
  });
  return figure.element;

  function name(): string {
    return data.models[reference]?.name ?? "";
  }

  function option(t: Theme): Record<string, unknown> {
    const all = rows();
    const decades = (log: number) => Math.max(-kMostDecades, Math.min(kMostDecades, log / Math.LN10));
    const values = all.map((r) => (isNumber(r.log) ? decades(r.log) : 0));
    const edges = data.strengths.map((s) => Math.log10(s.above));
    const high = Math.max(edges.at(-1) ?? 2, ...values) + 0.6;
    const low = Math.min(0, ...values) - (Math.min(...values, 0) < 0 ? 0.6 : 0.25);
    const whole = Array.from({ length: Math.floor(high) - Math.ceil(low) + 1 }, (_, i) => Math.ceil(low) + i);
    return {
      legend: { show: false },
      grid: { left: 12, right: 26, top: 34, bottom: 46, containLabel: true },
      xAxis: axis(t, "x", "Bayes factor", {
        min: low, max: high,
        axisTick: { lineStyle: { color: t.muted }, customValues: whole },
        axisLabel: { color: t.muted, customValues: whole, formatter: powerOfTen },
      }),
      yAxis: {
        type: "category", inverse: true, data: all.map((r) => r.m.name), axisTick: { show: false },
        axisLine: { lineStyle: { color: t.line } },
        axisLabel: { color: t.ink, fontSize: 13, width: innerWidth < 600 ? 96 : 170, overflow: "truncate" },
      },
      tooltip: {
        trigger: "item", confine: true, backgroundColor: t.surface, borderColor: t.line, textStyle: { color: t.ink, fontSize: 13 },
        formatter: (item: { dataIndex: number }) => {
          const r = all[item.dataIndex];
          if (!r) return "";
          return hint(`${name()} against ${r.m.name}`, [
            { name: "Bayes factor", value: factorText(r.log) },
            { name: "Log", value: isNumber(r.reach) ? `${num(r.log)} ± ${num(r.reach)}` : num(r.log) },
            { name: "Evidence", value: sentence(r) },
          ]);
        },
      },
      series: [
        zones(t, edges, low, high),
        {
          type: "custom", silent: true, encode: { x: [0, 1], y: 2 }, clip: true, z: 3,
          data: all.flatMap((r, i) => (isNumber(r.log) && isNumber(r.reach) ? [[decades(r.log - r.reach), decades(r.log + r.reach), i]] : [])),
          renderItem: (_: unknown, api: any) => {
            const [a, b] = [api.coord([api.value(0), api.value(2)]), api.coord([api.value(1), api.value(2)])];
            return { type: "line", shape: { x1: a[0], y1: a[1], x2: b[0], y2: b[1] }, style: { stroke: t.series[0], lineWidth: 3, opacity: 0.55 } };
          },
        },
        {
          type: "scatter", symbolSize: 11, z: 4, itemStyle: { color: t.series[0] },
          data: all.map((r, i) => ({
            value: [isNumber(r.log) ? values[i] : null, i],
            label: { position: (values[i] ?? 0) > low + 0.75 * (high - low) ? "left" : "right" },
          })),
          label: {
            show: true, position: "right", color: t.ink, fontSize: 12.5, distance: 14, textBorderColor: t.surface, textBorderWidth: 3,
            formatter: (item: { dataIndex: number }) => labelText(all[item.dataIndex]?.log ?? null),
          },
        },
      ],
    };
  }

  function labelText(log: Num): string {
    return isNumber(log) && Math.abs(log) > kMostDecades * Math.LN10 ? `${log > 0 ? "→" : "←"} ${factorText(log)}` : factorText(log);
  }
}

/** The regions of the words, as faint bands with their names above. */
function zones(t: Theme, edges: number[], low: number, high: number): object {
  const names = ["bare mention", "positive", "strong", "very strong"];
  const parts = edges.map((from, i) => ({ from, to: edges[i + 1] ?? high, name: names[i] ?? "", shade: 0.03 + 0.05 * i }));
  if (low < -0.3) parts.push({ from: low, to: 0, name: "against", shade: 0 });
  return {
    type: "custom", silent: true, clip: false, z: 0, data: parts.map((_, i) => [i]),
    renderItem: (params: { dataIndex: number; coordSys: { x: number; y: number; width: number; height: number } }, api: any) => {
      const part = parts[params.dataIndex];
      if (!part) return null;
      const box = params.coordSys;
      const [x1, x2] = [api.coord([part.from, 0])[0], api.coord([Math.min(high, part.to), 0])[0]];
      return {
        type: "group",
        children: [
          { type: "rect", shape: { x: x1, y: box.y, width: x2 - x1, height: box.height }, style: { fill: t.dark ? "#ffffff" : "#000000", opacity: part.shade } },
          { type: "text", style: { text: x2 - x1 > 56 ? part.name : "", x: (x1 + x2) / 2, y: box.y - 8, align: "center", verticalAlign: "bottom", fill: t.muted, fontSize: 12 } },
        ],
      };
    },
  };
}
