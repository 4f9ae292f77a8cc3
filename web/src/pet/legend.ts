// What the colours of a map mean: a bar for numbers, swatches for labels.

import { css, scaleColour } from "../common/colour_map";
import { h } from "../common/dom";
import { num } from "../common/format";
import type { Theme } from "../common/theme";
import type { Volume } from "./volume";

export function legend(volume: Volume, t: Theme): HTMLElement {
  return volume.layer.kind === "labels" ? swatches(volume, t) : colourBar(volume);
}

function swatches(volume: Volume, t: Theme): HTMLElement {
  const items = volume.labelCounts().map(({ label, name }) => {
    const mark = h("span", { class: "dot" });
    mark.style.background = volume.colour(label, t);
    return h("li", {}, mark, name);
  });
  return h("ul", { class: "swatches" }, ...items);
}

function colourBar(volume: Volume): HTMLElement {
  const { min = 0, max = 1, unit } = volume.layer;
  const bar = h("div", { class: "colour-bar" });
  const stops = Array.from({ length: 21 }, (_, i) => css(scaleColour(i / 20)));
  bar.style.background = `linear-gradient(to right, ${stops.join(",")})`;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((s) => h("span", {}, num(min + s * (max - min))));
  return h(
    "div",
    { class: "colour-scale", role: "img", "aria-label": `Colours from ${num(min)} to ${num(max)} ${unit ?? ""}` },
    bar,
    h("div", { class: "ticks" }, ...ticks),
    unit ? h("div", { class: "muted" }, unit) : null,
  );
}
