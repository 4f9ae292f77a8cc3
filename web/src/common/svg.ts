// Small drawings by hand: many of them on a page cost little, and their colours follow the style sheet by themselves.

type Attributes = Record<string, string | number | undefined>;

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string | null | false)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, String(value));
  for (const child of children) if (child) element.append(child);
  return element;
}

/** From numbers to pixels, along one axis. */
export function scale(from: [number, number], to: [number, number]): (value: number) => number {
  const width = from[1] - from[0] || 1;
  return (value) => to[0] + ((value - from[0]) / width) * (to[1] - to[0]);
}

/** About `count` round numbers inside a range. */
export function ticks(low: number, high: number, count: number): number[] {
  const rough = (high - low) / Math.max(1, count);
  if (!(rough > 0) || !Number.isFinite(rough)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((m) => m * power >= rough) ?? 10) * power;
  const out: number[] = [];
  for (let i = Math.ceil(low / step); i * step <= high + 1e-9 * step; ++i) out.push(Math.abs(i * step) < 1e-9 * step ? 0 : i * step);
  return out;
}

const short = (v: number): string => String(Number(v.toFixed(1)));

/** The outline of a curve over the points. */
export function outline(points: [number, number][]): string {
  return points.map(([x, y], i) => `${i ? "L" : "M"}${short(x)} ${short(y)}`).join("");
}

/** Dots as one path: a line of no length with round ends is a dot. */
export function dots(points: [number, number][]): string {
  return points.map(([x, y]) => `M${short(x)} ${short(y)}h0`).join("");
}
