// The PET report: which model describes each voxel, how much it binds, and whether to believe it.

import "./pet.css";
import { type Child, h, named } from "../common/dom";
import { count, percent } from "../common/format";
import { type Page, type Section, show } from "../common/page";
import { curveFigure, modelTable } from "./curve";
import type { PetData } from "./data";
import { explorer } from "./explorer";
import { histogramFigures } from "./histograms";
import { inputFigures } from "./input";
import { mosaic } from "./mosaic";
import { residualFigures } from "./residuals";
import { regionTable, settingsTable, shareBar, statusTable } from "./tables";
import { Volume } from "./volume";

show<PetData>((data): Page => {
  const { maps } = data;
  const volumes = maps ? maps.layers.map((layer) => new Volume(maps, layer, data.models)) : [];
  const explore = explorer(data, volumes);
  const order = volumes.find((v) => v.layer.name === "order");
  const mosaics = ["order", "VT"].map((name) => volumes.find((v) => v.layer.name === name));
  const { mean_curve: mean, frames } = data;
  return {
    title: data.title,
    subtitle: data.subject ?? "",
    lead: [h("p", { class: "verdict" }, ...named(data.verdict ?? "")), order ? orderCounts(order) : null, warnings(data)],
    made: `Made by evident ${data.version ?? ""}`.trim(),
    sections: [
      section("Maps and curves", explore.children),
      section("All slices", mosaics.map((v) => (v ? mosaic(v) : null))),
      section("Regions", [(data.regions ?? []).length > 0 && regionTable(data, data.regions ?? [], explore)]),
      section("Input function", data.input ? inputFigures(data.input, data.unit ?? "activity") : []),
      section("Mean curve", mean && frames ? [
        curveFigure(data, "Mean over all voxels, and fits", () => mean).element,
        modelTable("Models of the mean curve", mean.models),
      ] : []),
      section("Residuals", frames && data.residuals?.length ? [
        h("p", { class: "muted" }, "Mean over voxels and the range from 5 % to 95 %. Means that stay off zero over several ",
          "frames show what a model misses."),
        residualFigures(data, data.residuals),
      ] : []),
      section("Histograms", data.histograms?.length ? [histogramFigures(data.histograms, data.models)] : []),
      section("Status", data.status?.length ? [statusTable(data.status)] : []),
      section("Settings", [settingsTable(data), notes(data), command(data)]),
      section("What to cite", [
        h("p", {}, "Zhou, Y., Johansen, A. M. and Aston, J. A. D. (2016). Towards Automatic Model Comparison: An Adaptive ",
          "Sequential Monte Carlo Approach. ", h("cite", {}, "Journal of Computational and Graphical Statistics"), " 25(3)."),
      ]),
    ],
  };
});

/** Null when there is nothing to show, so that the page has no empty section. */
function section(title: string, children: Child[]): Section | null {
  return children.some((c) => c) ? { title, children } : null;
}

function orderCounts(order: Volume): HTMLElement {
  const counts = order.labelCounts();
  const total = counts.reduce((sum, c) => sum + c.count, 0);
  const shares = counts.map((c) => c.count / Math.max(1, total));
  const words = counts.map((c, i) => `${c.name} ${count(c.count)} (${percent(shares[i])})`).join(", ");
  return h("div", { class: "order-counts" },
    h("p", {}, `Best model by voxel, of ${count(total)} fitted: ${words}.`), shareBar(shares, counts.map((c) => c.name)));
}

function warnings(data: PetData): Child {
  if (!data.warnings?.length) return null;
  const list = h("ul", {}, ...data.warnings.map((w) => h("li", {}, w)));
  return h("div", { class: "notice", role: "note" }, h("b", {}, "Please note"), list);
}

function notes(data: PetData): Child {
  return data.notes?.length ? h("ul", {}, ...data.notes.map((n) => h("li", {}, n))) : null;
}

function command(data: PetData): Child {
  return data.command ? h("p", {}, "Command: ", h("code", {}, data.command)) : null;
}
