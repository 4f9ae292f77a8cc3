// Probabilities of the models: a bar each, with its interval, beside the numbers behind it.

import { h } from "../common/dom";
import { count, fixed, isNumber, kMissing, probability } from "../common/format";
import { s } from "../common/svg";
import { table } from "../common/table";
import { seriesVariable } from "../common/theme";
import type { Interval, ModelData, StudyData } from "./data";

export function probabilityTable(data: StudyData): HTMLElement {
  const hidden = data.model_count - data.models.length;
  const some = (has: (m: ModelData) => boolean) => data.models.some(has);
  const intervals = some((m) => m.probability_interval !== null);
  const evidences = some((m) => isNumber(m.log_evidence));
  const verdicts = some((m) => !!m.verdict);
  return h(
    "div",
    { class: "probabilities" },
    table({
      caption: "Probability of each model given the data" + (intervals ? ", with its 95 % interval" : ""),
      sortable: true,
      columns: [
        { name: "Model" },
        { name: "Probability" },
        ...(intervals ? [{ name: "95 % interval", numeric: true }] : []),
        ...(evidences ? [{ name: "Log evidence", numeric: true }] : []),
        { name: "Prior", numeric: true },
        ...(verdicts ? [{ name: "Verdict" }] : []),
      ],
      rows: data.models.map((m, i) => [
        { text: nameCell(m, i, i === data.best && data.models.length > 1), sort: m.name },
        { text: bar(m, i), sort: m.probability },
        ...(intervals ? [{ text: intervalText(m.probability_interval), sort: m.probability_interval?.[0] ?? null }] : []),
        ...(evidences ? [{ text: evidenceText(m), sort: m.log_evidence }] : []),
        { text: probability(m.weight), sort: m.weight },
        ...(verdicts ? [{ text: verdictChip(m), sort: m.verdict ?? null }] : []),
      ]),
    }),
    hidden > 0 ? h("p", { class: "muted" }, `${count(hidden)} less probable models are not listed.`) : null,
  );
}

function nameCell(m: ModelData, index: number, best: boolean): HTMLElement {
  const mark = h("span", { class: "dot" });
  mark.style.background = seriesVariable(index);
  return h("span", { class: "model-name" }, mark, best ? h("b", {}, m.name) : m.name);
}

function intervalText(i: Interval): string {
  if (!i) return kMissing;
  const [low, high] = i.map(probability);
  return low === high ? (low ?? "") : `${low} to ${high}`;
}

function evidenceText(m: ModelData): string {
  if (!isNumber(m.log_evidence)) return kMissing;
  const digits = Math.abs(m.log_evidence) >= 1e5 ? 1 : isNumber(m.log_evidence_se) && m.log_evidence_se < 0.005 ? 3 : 2;
  const error = isNumber(m.log_evidence_se) ? ` ± ${m.log_evidence_se < 0.0005 ? "<0.001" : fixed(m.log_evidence_se, digits)}` : "";
  return fixed(m.log_evidence, digits) + error;
}

export function verdictChip(m: ModelData): HTMLElement | string {
  if (!m.verdict) return kMissing;
  const kind = m.verdict === "trust" ? "good" : m.dropped || m.verdict === "unjudged" ? "plain" : m.verdict === "run longer" ? "warn" : "bad";
  const why = m.dropped ? "too improbable to matter, so not refined any further" : m.reasons.map((r) => r.text).join(" ");
  return h("span", { class: `chip ${kind}`, title: why || "no alarm" }, m.dropped ? "set aside" : m.verdict);
}

function bar(m: ModelData, index: number): HTMLElement {
  const p = m.probability ?? 0;
  const x = (v: number) => 100 * Math.min(1, Math.max(0, v));
  const ends = m.probability_interval;
  const whisker =
    ends && isNumber(ends[0]) && isNumber(ends[1]) && ends[1] - ends[0] > 0.004
      ? s("path", { d: `M${x(ends[0])} 8H${x(ends[1])}M${x(ends[0])} 4.5V11.5M${x(ends[1])} 4.5V11.5`, class: "whisker" })
      : null;
  const drawing = s(
    "svg",
    { viewBox: "0 0 100 16", preserveAspectRatio: "none", class: "bar", role: "img", "aria-label": `${m.name}: ${probability(m.probability)}` },
    s("rect", { x: 0, y: 2, width: 100, height: 12, class: "bar-room" }),
    s("rect", { x: 0, y: 2, width: x(p), height: 12, fill: seriesVariable(index) }),
    whisker,
  );
  const box = h("div", { class: "bar-box" });
  box.append(drawing, h("span", { class: "bar-number" }, probability(m.probability)));
  return box;
}
