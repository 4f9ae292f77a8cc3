// One model: its fit to the data, its parameters, and what its runs warned of.

import { h } from "../common/dom";
import { count, fixed, isNumber, probability } from "../common/format";
import type { ModelData } from "./data";
import { pairFigure } from "./pairs";
import { densityFigure, parameterTable } from "./parameters";
import { predictiveFigures } from "./predictive";

export function modelPanel(m: ModelData, index: number): HTMLElement {
  const facts = [
    m.kind ? `kind ${m.kind}` : "",
    isNumber(m.probability) ? `probability ${probability(m.probability)}` : "",
    isNumber(m.log_evidence) ? `log evidence ${fixed(m.log_evidence, 2)}` : "",
    m.parameters.length > 0 ? `${count(m.parameters.length)} parameters and derived numbers` : "",
  ].filter(Boolean);
  return h(
    "div",
    {},
    h("p", { class: "muted" }, facts.join(", ") + "." + (m.modes ? " " + m.modes : "")),
    reasons(m),
    ...(m.predictive ? predictiveFigures(m.predictive, index) : [h("p", { class: "muted" }, "No predictions of this model.")]),
    densityFigure(m, index),
    pairFigure(m, index),
    m.parameters.length > 0 ? parameterTable(m) : h("p", { class: "muted" }, "No posterior of this model: the method keeps no draws."),
  );
}

function reasons(m: ModelData): HTMLElement | null {
  const all = [...m.reasons.map((r) => r.text), ...m.warnings];
  if (all.length === 0) return null;
  const serious = !m.dropped && m.verdict !== undefined && m.verdict !== "" && m.verdict !== "trust";
  const title = m.verdict === "unjudged" ? "Not judged" : serious ? "Alarms" : "Notes of the runs";
  return h("div", { class: serious ? "notice" : "notice mild", role: "note" }, h("b", {}, title), h("ul", {}, ...all.map((text) => h("li", {}, text))));
}
