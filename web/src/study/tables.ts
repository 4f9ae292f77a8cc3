// Tables of the study report: alarms, estimates, settings, cost.

import { type Child, h } from "../common/dom";
import { count, fixed, isNumber, kMissing, type Num, num, percent } from "../common/format";
import { table } from "../common/table";
import type { StudyData } from "./data";

/** Alarms of the models that matter, at the top of the page. */
export function alarms(data: StudyData): Child {
  const found = data.models.flatMap((m) =>
    m.dropped ? [] : m.reasons.filter((r) => r.level !== "trust").map((r) => ({ name: m.name, text: r.text })),
  );
  if (found.length === 0) return null;
  return h("div", { class: "notice", role: "note" }, h("b", {}, "Please note"), h("ul", {}, ...found.map((f) => h("li", {}, h("b", {}, f.name), `: ${f.text}`))));
}

/** The evidence in the several ways in which it was estimated. */
export function estimateTable(data: StudyData): Child {
  const names = [...new Set(data.models.flatMap((m) => m.estimates.map((e) => e.name)))];
  const models = data.models.filter((m) => m.estimates.length > 0);
  if (models.length === 0) return null;
  return table({
    caption: "The log evidence, estimated in several ways; they should agree",
    columns: [{ name: "Model" }, { name: "Log evidence", numeric: true }, ...names.map((name) => ({ name, numeric: true }))],
    rows: models.map((m) => [
      m.name,
      valueText(m.log_evidence, m.log_evidence_se),
      ...names.map((name) => {
        const e = m.estimates.find((x) => x.name === name);
        return e ? valueText(e.value, e.error) : kMissing;
      }),
    ]),
  });
}

const valueText = (value: Num, error: Num): string => (isNumber(error) ? `${fixed(value, 3)} ± ${fixed(error, 3)}` : fixed(value, 3));

export function settingsTable(data: StudyData): HTMLElement {
  const rows = data.settings.map(([name, value]) => [name, value]);
  if (!data.settings.some(([name]) => name === "Method")) rows.unshift(["Method", data.method]);
  if (data.seed && !data.settings.some(([name]) => name === "Seed")) rows.push(["Seed", data.seed]);
  if (isNumber(data.rounds) && data.rounds > 1) rows.push(["Rounds", count(data.rounds)]);
  if (data.version) rows.push(["evident", data.version]);
  if (isNumber(data.seconds)) rows.push(["Time in all", seconds(data.seconds)]);
  return table({ caption: "Settings of the run; the same study and seed give the same numbers", columns: [{ name: "Setting" }, { name: "Value" }], rows });
}

export function costTable(data: StudyData): Child {
  const models = data.models.filter((m) => isNumber(m.likelihood_evaluations) || isNumber(m.steps));
  if (models.length === 0) return null;
  return table({
    caption: "Cost and course of the runs",
    sortable: true,
    columns: [
      { name: "Model" },
      ...["Runs", "Particles", "Steps", "Mean acceptance", "Likelihood evaluations", "Time"].map((name) => ({ name, numeric: true })),
    ],
    rows: models.map((m) => [
      m.name,
      { text: count(m.runs), sort: m.runs },
      { text: count(m.particles), sort: m.particles ?? null },
      { text: count(m.steps), sort: m.steps ?? null },
      { text: percent(m.acceptance), sort: m.acceptance ?? null },
      { text: count(m.likelihood_evaluations), sort: m.likelihood_evaluations ?? null },
      { text: seconds(m.seconds), sort: m.seconds ?? null },
    ]),
  });
}

function seconds(value: Num | undefined): string {
  if (!isNumber(value) || value === 0) return kMissing;
  if (value < 60) return `${num(value, 2)} s`;
  const whole = Math.round(value);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (v: number | undefined) => String(v).padStart(2, "0");
  return parts[0] ? `${parts[0]}:${two(parts[1])}:${two(parts[2])} h` : `${parts[1]}:${two(parts[2])} min`;
}
