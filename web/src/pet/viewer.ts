// Three slices through the chosen voxel. A click, the arrow keys or the sliders move the voxel; `chosen` hears of it.

import { fill, h, named, select } from "../common/dom";
import { drawWithTheme, type Theme, theme } from "../common/theme";
import type { Maps } from "./data";
import { legend } from "./legend";
import { type Axis, bounds, type Plane, planes, type Volume, type Voxel } from "./volume";

export interface Viewer {
  element: HTMLElement;
  voxel: Readonly<Voxel>; ///< the chosen one
  moveTo: (voxel: Voxel) => void;
}

const opposite: Record<string, string> = { R: "L", L: "R", A: "P", P: "A", S: "I", I: "S" };

export function viewer(maps: Maps, volumes: Volume[], kept: Voxel[], chosen: (voxel: Voxel) => void): Viewer {
  let volume = volumes[0] as Volume;
  const box = bounds(volume) ?? [[0, 0, 0], volume.shape.map((n) => n - 1) as Voxel];
  const voxel = [0, 1, 2].map((a) => Math.round(((box[0][a] ?? 0) + (box[1][a] ?? 0)) / 2)) as Voxel;

  const canvases = planes.map((plane, p) => {
    const canvas = h("canvas", {
      tabindex: 0,
      role: "img",
      click: (e: MouseEvent) => moveTo(under(e, p)),
      mousemove: (e: MouseEvent) => showHover(under(e, p)),
      mouseleave: () => fill(hover, kHoverHelp),
      keydown: (e: KeyboardEvent) => key(e, p),
    });
    // Same millimetres, same length on the screen; the tallest plane sets the height.
    const ratio = mm(plane.across) / mm(plane.up);
    canvas.style.aspectRatio = String(ratio);
    canvas.dataset.plane = plane.name;
    return canvas;
  });
  const sliders = ([0, 1, 2] as Axis[]).map((a) =>
    h("input", { type: "range", min: 0, max: volume.shape[a] - 1, step: 1, "aria-label": `${"xyz"[a]} index`,
      input: (e: Event) => move(a, Number((e.target as HTMLInputElement).value) - voxel[a]) }),
  );
  const kHoverHelp = "Point at a voxel for its value; click, or use the arrow keys, to choose one.";
  const hover = h("p", { class: "hover muted screen-only" }, kHoverHelp);
  const values = h("div", { class: "values", "aria-live": "polite" });
  const title = h("h3", { class: "print-only" });
  const meaning = h("div", { class: "legend" });
  const choice = select("Map", volumes.map((v) => v.layer.label), (i) => ((volume = volumes[i] as Volume), draw(theme())));

  const element = h(
    "div",
    { class: "viewer" },
    h("div", { class: "viewer-head" }, choice, title, meaning),
    h("div", { class: "slices" }, ...planes.map((plane, p) => sliceElement(plane.name, p))),
    hover,
    values,
  );
  drawWithTheme(draw);
  return { element, voxel, moveTo };

  function mm(a: Axis): number {
    return volume.shape[a] * volume.size[a];
  }

  function sliceElement(name: string, p: number): HTMLElement {
    const normal = (planes[p] as Plane).normal;
    const item = h("div", { class: "slice" }, canvases[p], h("div", { class: "slice-name" }, name, sliders[normal]));
    item.style.flexGrow = String(mm((planes[p] as Plane).across));
    return item;
  }

  function under(e: MouseEvent, p: number): Voxel {
    const plane = planes[p] as Plane;
    const place = (e.currentTarget as HTMLElement).getBoundingClientRect();
    const at: Voxel = [...voxel];
    const clip = (x: number, a: Axis) => Math.min(volume.shape[a] - 1, Math.max(0, Math.floor(x * volume.shape[a])));
    at[plane.across] = clip((e.clientX - place.left) / place.width, plane.across);
    at[plane.up] = clip(1 - (e.clientY - place.top) / place.height, plane.up);
    return at;
  }

  function key(e: KeyboardEvent, p: number): void {
    const { across, up, normal } = planes[p] as Plane;
    const steps: Record<string, [Axis, number]> = {
      ArrowLeft: [across, -1], ArrowRight: [across, 1], ArrowUp: [up, 1], ArrowDown: [up, -1],
      PageUp: [normal, 1], PageDown: [normal, -1],
    };
    const step = steps[e.key];
    if (!step) return;
    e.preventDefault();
    move(step[0], step[1]);
  }

  function move(a: Axis, by: number): void {
    const to: Voxel = [...voxel];
    to[a] = Math.min(volume.shape[a] - 1, Math.max(0, to[a] + by));
    moveTo(to);
  }

  function moveTo(to: Voxel): void {
    voxel.splice(0, 3, ...to);
    draw(theme());
    chosen([...voxel]);
  }

  function showHover(at: Voxel): void {
    const byte = volume.at(at);
    fill(hover, `${volume.name(at)}: ${byte === 0 ? "outside" : `${volume.layer.label} ${volume.text(byte)}`}`);
  }

  function draw(t: Theme): void {
    canvases.forEach((canvas, p) => drawSlice(canvas, p, t));
    sliders.forEach((slider, a) => (slider.value = String(voxel[a])));
    fill(title, ...named(volume.layer.label));
    fill(meaning, legend(volume, t));
    const inside = volume.at(voxel) !== 0;
    fill(
      values,
      h("p", {}, h("b", {}, volume.name(voxel)), inside ? "" : ": outside of what was fitted"),
      inside && h("dl", {}, ...volumes.map((v) => h("div", {}, h("dt", {}, ...named(v.layer.label)), h("dd", {}, v.text(v.at(voxel)))))),
    );
  }

  function drawSlice(canvas: HTMLCanvasElement, p: number, t: Theme): void {
    const plane = planes[p] as Plane;
    const scale = 560 / Math.max(mm(0), mm(1), mm(2));
    const width = (canvas.width = Math.round(mm(plane.across) * scale));
    const height = (canvas.height = Math.round(mm(plane.up) * scale));
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    context.fillStyle = t.outside;
    context.fillRect(0, 0, width, height);
    context.imageSmoothingEnabled = false;
    context.drawImage(volume.slice(plane, voxel[plane.normal], t), 0, 0, width, height);
    const x = (v: Voxel) => ((v[plane.across] + 0.5) / volume.shape[plane.across]) * width;
    const y = (v: Voxel) => (1 - (v[plane.up] + 0.5) / volume.shape[plane.up]) * height;
    for (const k of kept) if (k[plane.normal] === voxel[plane.normal]) ring(context, x(k), y(k));
    crosshair(context, x(voxel), y(voxel), width, height);
    sides(context, plane, width, height, t);
    canvas.setAttribute(
      "aria-label",
      `${plane.name} slice ${voxel[plane.normal]} of ${volume.layer.label}. Chosen voxel ${voxel.join(", ")}: ` +
        `${volume.text(volume.at(voxel))}. Arrow keys move it, Page Up and Page Down change the slice.`,
    );
  }

  function sides(context: CanvasRenderingContext2D, plane: Plane, width: number, height: number, t: Theme): void {
    const axes = maps.axes?.toUpperCase();
    if (!axes || !/^[RLAPSI]{3}$/.test(axes)) return;
    const [right, up] = [axes[plane.across] as string, axes[plane.up] as string];
    context.font = "600 22px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 5;
    context.strokeStyle = t.surface;
    context.fillStyle = t.ink;
    const write = (text: string | undefined, x: number, y: number) => {
      context.strokeText(text ?? "", x, y);
      context.fillText(text ?? "", x, y);
    };
    write(right, width - 16, height / 2);
    write(opposite[right], 16, height / 2);
    write(up, width / 2, 16);
    write(opposite[up], width / 2, height - 16);
  }
}

// White within black can be seen on every colour of a map.
function twice(context: CanvasRenderingContext2D, path: () => void): void {
  for (const [colour, width] of [["rgba(0,0,0,0.75)", 4], ["#ffffff", 1.6]] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    path();
    context.stroke();
  }
}

function crosshair(context: CanvasRenderingContext2D, x: number, y: number, width: number, height: number): void {
  const gap = 12;
  twice(context, () => {
    for (const [x0, y0, x1, y1] of [[0, y, x - gap, y], [x + gap, y, width, y], [x, 0, x, y - gap], [x, y + gap, x, height]]) {
      context.moveTo(x0 as number, y0 as number);
      context.lineTo(x1 as number, y1 as number);
    }
  });
}

function ring(context: CanvasRenderingContext2D, x: number, y: number): void {
  twice(context, () => context.arc(x, y, 5, 0, 2 * Math.PI));
}
