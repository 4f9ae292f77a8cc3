// All axial slices of a map side by side, at most 30 of them: the picture to print.

import { fill, h, named } from "../common/dom";
import { drawWithTheme, isPrinting, type Theme, theme } from "../common/theme";
import { legend } from "./legend";
import { bounds, type Plane, planes, type Volume } from "./volume";

const kMost = 30;
const kWidth = 1400; // pixels of the picture; the page makes it narrower

export function mosaic(volume: Volume): HTMLElement | null {
  const box = bounds(volume);
  if (!box) return null;
  const [low, high] = box;
  const slices = spread(low[2], high[2], kMost);
  const title = volume.layer.label;
  const canvas = h("canvas", {
    role: "img",
    "aria-label": `${title}: ${slices.length} axial slices, from index ${slices[0]} to ${slices.at(-1)}`,
  });
  const key = h("div", { class: "legend" });
  drawWithTheme((t) => {
    fill(key, legend(volume, t));
    draw(t);
  });
  addEventListener("resize", () => draw(theme()));
  const leftOut = high[2] - low[2] + 1 - slices.length;
  return h(
    "figure",
    { class: "mosaic keep" },
    h("div", { class: "figure-head" }, h("h3", {}, ...named(title)), key),
    canvas,
    h("figcaption", {}, `Axial slices by index${leftOut > 0 ? `; ${leftOut} of the slices between are left out` : ""}.`),
  );

  function draw(t: Theme): void {
    const columns = Math.min(Math.max(slices.length, 6), isPrinting() || innerWidth > 640 ? 10 : 4);
    const rows = Math.ceil(slices.length / columns);
    const [w, ht] = [high[0] - low[0] + 1, high[1] - low[1] + 1];
    const [gap, text] = [10, 24];
    const cell = (kWidth - (columns - 1) * gap) / columns;
    const tall = Math.min((cell * ht * volume.size[1]) / (w * volume.size[0]), 2 * cell);
    canvas.width = kWidth;
    canvas.height = Math.ceil(rows * (tall + text + gap) - gap);
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    context.imageSmoothingEnabled = false;
    context.font = "17px system-ui, sans-serif";
    context.textBaseline = "top";
    slices.forEach((index, i) => {
      const [x, y] = [(i % columns) * (cell + gap), Math.floor(i / columns) * (tall + text + gap)];
      const picture = volume.slice(planes[0] as Plane, index, t);
      context.fillStyle = t.outside;
      context.fillRect(x, y, cell, tall);
      context.drawImage(picture, low[0], volume.shape[1] - 1 - high[1], w, ht, x, y, cell, tall);
      context.fillStyle = t.muted;
      context.fillText(String(index), x + 2, y + tall + 4);
    });
  }
}

/** Up to `most` whole numbers from `low` to `high`, evenly spread. */
function spread(low: number, high: number, most: number): number[] {
  const n = Math.min(most, high - low + 1);
  return Array.from({ length: n }, (_, i) => (n === 1 ? low : Math.round(low + (i * (high - low)) / (n - 1))));
}
