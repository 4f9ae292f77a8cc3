// The maps and the curves together: choosing a voxel shows the curve kept nearest to it, choosing a region shows the region's.

import { type Child, fill, h, select } from "../common/dom";
import { fixed } from "../common/format";
import { curveFigure, modelTable } from "./curve";
import type { Curve, PetData } from "./data";
import { type Viewer, viewer } from "./viewer";
import { Volume, type Voxel } from "./volume";

export interface Explorer {
  children: Child[];
  showRegion: ((name: string) => void) | null; ///< null when no region has a curve
  regions: Set<string>;
}

export function explorer(data: PetData, volumes: Volume[]): Explorer {
  const curves = data.frames ? (data.curves ?? []) : [];
  const panel = curves.length > 0 ? curvePanel(data, curves, (voxel) => view?.moveTo(voxel)) : null;
  const kept = curves.flatMap((c) => (c.voxel ? [c.voxel] : []));
  const size = data.maps?.voxel_mm ?? [1, 1, 1];
  const view: Viewer | null =
    data.maps && volumes.length > 0 ? viewer(data.maps, volumes, kept, (voxel) => panel?.showNearest(voxel, size)) : null;
  if (view) panel?.showNearest([...view.voxel], size);
  return {
    children: [view?.element, panel?.element],
    showRegion: panel ? panel.showRegion : null,
    regions: new Set(curves.flatMap((c) => (c.region ? [c.region] : []))),
  };
}

function curvePanel(data: PetData, curves: Curve[], moveTo: (voxel: Voxel) => void) {
  let current = curves[0] as Curve;
  const says = h("p", { "aria-live": "polite", class: "curve-says" });
  const models = h("div");
  const figure = curveFigure(data, "Curve and fits", () => current);
  const list = select("Curve", curves.map((c) => c.label), (i) => choose(curves[i] as Curve));
  const box = list.querySelector("select") as HTMLSelectElement;
  const head = h("div", { class: "figure-head" }, says, list);
  const element = h("div", { class: "curve-panel", id: "curve" }, head, figure.element, models);
  show(current, "");
  return { element, showRegion, showNearest };

  function show(curve: Curve, how: string): void {
    const same = curve === current;
    current = curve;
    box.selectedIndex = curves.indexOf(curve);
    fill(says, "Shown: ", h("b", {}, curve.label), how, curve.best ? `. Best model: ${curve.best}.` : ".");
    if (same && models.firstChild) return;
    fill(models, modelTable(`Models of ${curve.label}`, curve.models));
    figure.update();
  }

  function choose(curve: Curve): void {
    if (curve.voxel) moveTo(curve.voxel);
    show(curve, "");
  }

  function showRegion(name: string): void {
    const curve = curves.find((c) => c.region === name);
    if (!curve) return;
    show(curve, "");
    element.scrollIntoView({ block: "start" });
  }

  function showNearest(voxel: Voxel, size: readonly number[]): void {
    const distance = (c: Curve) => Math.hypot(...voxel.map((v, a) => (v - (c.voxel?.[a] ?? Infinity)) * (size[a] ?? 1)));
    const nearest = curves.filter((c) => c.voxel).sort((a, b) => distance(a) - distance(b))[0];
    if (!nearest) return;
    const mm = distance(nearest);
    const from = `${fixed(mm, 1)} mm from voxel ${voxel.join(", ")}`;
    show(nearest, mm === 0 ? ", the chosen voxel" : `, the nearest with a kept curve, ${from}`);
  }
}
