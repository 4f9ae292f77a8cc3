// The study report: which model the data favour, how surely, what each model says, and whether to believe it.

import "./study.css";
import { type Child, h } from "../common/dom";
import { type Page, type Section, show } from "../common/page";
import { tabs } from "../common/tabs";
import { seriesVariable } from "../common/theme";
import { citations } from "./cite";
import type { StudyData } from "./data";
import { factorFigure } from "./factors";
import { modelPanel } from "./model";
import { pathFigures } from "./path";
import { averagedTable } from "./parameters";
import { predictiveFigures } from "./predictive";
import { probabilityTable } from "./probabilities";
import { alarms, costTable, estimateTable, settingsTable } from "./tables";

const kAveragedColour = 6; // grey: that of no model

show<StudyData>((data): Page => {
  const { averaged } = data;
  const detailed = data.models.map((m, i) => ({ m, i })).filter(({ m }) => m.parameters.length > 0 || m.predictive || m.trace);
  const first = Math.max(0, detailed.findIndex(({ i }) => i === data.best));
  return {
    title: data.title,
    subtitle: data.method,
    lead: [
      h("div", { class: "verdict" }, ...data.verdict.map((text, i) => h("p", { class: i > 0 ? `trust ${trustClass(data)}` : undefined }, text))),
      alarms(data),
    ],
    made: `Made by evident ${data.version ?? ""}`.trim(),
    sections: [
      section("Which model?", [probabilityTable(data), data.models.length > 1 && factorFigure(data)]),
      section("Predictions of all models together", averaged
        ? [h("p", { class: "muted" }, averagedWords(averaged.models, averaged.probability)),
           ...predictiveFigures(averaged.predictive, kAveragedColour)]
        : []),
      section("Model by model", detailed.length > 0
        ? [tabs("Model", detailed.map(({ m, i }) => ({ name: m.name, mark: seriesVariable(i), panel: () => modelPanel(m, i) })), first)]
        : []),
      section("Parameters averaged over models", [data.averaged_parameters.length > 0 && averagedTable(data.averaged_parameters)]),
      section("How the evidence came about", [...pathFigures(data), estimateTable(data)]),
      section("Settings and cost", [settingsTable(data), costTable(data), notes(data)]),
      section("What to cite", citations(data)),
    ],
  };
});

function trustClass(data: StudyData): string {
  return data.trust === "trust" ? "good" : "doubtful";
}

/** Null when there is nothing to show, so that the page has no empty section. */
function section(title: string, children: Child[]): Section | null {
  return children.some((c) => c) ? { title, children } : null;
}

function averagedWords(models: string[], probability: number | null): string {
  const share = typeof probability === "number" && probability < 0.999 ? ` They hold ${(100 * probability).toFixed(1)} % of the probability.` : "";
  return `What new data would look like when nobody knows which model is true: the predictions of ${models.length} models that ` +
    `describe the same observations, each as often as it is probable.${share}`;
}

function notes(data: StudyData): Child {
  const all = [...data.missing, ...data.notes];
  return all.length > 0 && h("div", { class: "left-out" }, h("h3", {}, "Not in this report"), h("ul", {}, ...all.map((n) => h("li", {}, n))));
}
