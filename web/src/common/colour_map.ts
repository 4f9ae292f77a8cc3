// Colours of numbers: a scale from dark violet over green to yellow whose lightness rises evenly (after "viridis"), readable
// with any colour vision and in grey.

export type Rgb = [number, number, number];

const stops: Rgb[] = [
  [68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142], [31, 158, 137], [53, 183, 121],
  [109, 205, 89], [180, 222, 44], [253, 231, 37],
];

/** `share` from 0 to 1. */
export function scaleColour(share: number): Rgb {
  const place = Math.min(1, Math.max(0, share)) * (stops.length - 1);
  const below = Math.min(stops.length - 2, Math.floor(place));
  const a = stops[below] as Rgb;
  const b = stops[below + 1] as Rgb;
  return [0, 1, 2].map((i) => Math.round((a[i] as number) + (place - below) * ((b[i] as number) - (a[i] as number)))) as Rgb;
}

export function rgb(hex: string): Rgb {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)) as Rgb;
}

export const css = (c: Rgb): string => `rgb(${c.join(" ")})`;
