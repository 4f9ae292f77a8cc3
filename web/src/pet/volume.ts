// The maps as volumes: bytes, what a byte means, its colour, and slices as pictures.

import { css, rgb, scaleColour } from "../common/colour_map";
import { kMissing, num } from "../common/format";
import type { Theme } from "../common/theme";
import type { Layer, Maps } from "./data";

export type Voxel = [number, number, number];
export type Axis = 0 | 1 | 2;

/** The slice across `normal` has `across` to the right and `up` upwards. */
export interface Plane {
  name: string;
  normal: Axis;
  across: Axis;
  up: Axis;
}

export const planes: Plane[] = [
  { name: "Axial", normal: 2, across: 0, up: 1 },
  { name: "Coronal", normal: 1, across: 0, up: 2 },
  { name: "Sagittal", normal: 0, across: 1, up: 2 },
];

export class Volume {
  readonly shape: Voxel;
  readonly size: Voxel; ///< of a voxel, mm
  private readonly first: Voxel;
  private readonly step: number;
  private decoded?: Uint8Array;

  constructor(maps: Maps, readonly layer: Layer, private readonly models: string[]) {
    this.shape = maps.shape;
    this.first = maps.first ?? [0, 0, 0];
    this.step = maps.step ?? 1;
    this.size = maps.voxel_mm ?? [1, 1, 1];
  }

  /** Decoded when first asked for. */
  get bytes(): Uint8Array {
    if (!this.decoded) {
      const bytes = decode(this.layer.bytes);
      const wanted = this.shape[0] * this.shape[1] * this.shape[2];
      if (bytes.length !== wanted) throw new Error(`map '${this.layer.name}' has ${bytes.length} voxels, not ${wanted}`);
      this.decoded = bytes;
    }
    return this.decoded;
  }

  /** A voxel's name: its indices in the image. */
  name(v: Voxel): string {
    return `Voxel ${v.map((i, a) => (this.first[a] as number) + i * this.step).join(", ")}`;
  }

  at(v: Voxel): number {
    const i = v[0] + this.shape[0] * (v[1] + this.shape[1] * v[2]);
    if (this.decoded) return this.decoded[i] ?? 0;
    // One voxel of a map that nobody has looked at yet: four characters are three bytes.
    const group = 4 * Math.floor(i / 3);
    return atob(this.layer.bytes.slice(group, group + 4)).charCodeAt(i % 3) || 0;
  }

  get labels(): string[] {
    return this.layer.labels ?? this.models;
  }

  /** The labels that occur, with the number of voxels of each. */
  labelCounts(): { label: number; name: string; count: number }[] {
    const counts = new Array<number>(256).fill(0);
    for (const b of this.bytes) counts[b] = (counts[b] ?? 0) + 1;
    return counts.flatMap((count, label) =>
      label > 0 && (count > 0 || label <= this.labels.length) ? [{ label, name: this.labelName(label), count }] : [],
    );
  }

  labelName(label: number): string {
    return this.labels[label - 1] ?? `label ${label}`;
  }

  valueOf(byte: number): number {
    const { min = 0, max = 1 } = this.layer;
    return min + ((byte - 1) / 254) * (max - min);
  }

  text(byte: number): string {
    if (byte === 0) return kMissing;
    if (this.layer.kind === "labels") return this.labelName(byte);
    return `${num(this.valueOf(byte))}${this.layer.unit ? ` ${this.layer.unit}` : ""}`;
  }

  colour(byte: number, t: Theme): string {
    if (byte === 0) return t.outside;
    if (this.layer.kind === "values") return css(scaleColour((byte - 1) / 254));
    return t.series[(byte - 1) % t.series.length] ?? t.ink;
  }

  /** One pixel a voxel, `up` pointing up; what is outside stays transparent. */
  slice(plane: Plane, index: number, t: Theme): HTMLCanvasElement {
    const [width, height] = [this.shape[plane.across], this.shape[plane.up]];
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = height;
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    const image = context.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const [table, bytes] = [colourTable(this, t), this.bytes];
    const step = [1, this.shape[0], this.shape[0] * this.shape[1]] as Voxel;
    for (let y = 0; y < height; ++y) {
      const row = index * step[plane.normal] + (height - 1 - y) * step[plane.up];
      for (let x = 0; x < width; ++x) pixels[y * width + x] = table[bytes[row + x * step[plane.across]] as number] as number;
    }
    context.putImageData(image, 0, 0);
    return canvas;
  }
}

function decode(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** The pixel of each byte. */
function colourTable(volume: Volume, t: Theme): Uint32Array {
  const table = new Uint8Array(4 * 256);
  for (let byte = 1; byte < 256; ++byte) {
    const [r, g, b] =
      volume.layer.kind === "values" ? scaleColour((byte - 1) / 254) : rgb(volume.colour(byte, t));
    table.set([r, g, b, 255], 4 * byte);
  }
  return new Uint32Array(table.buffer);
}

/** The smallest box around what is not outside: first and last index of each axis. */
export function bounds(volume: Volume): [Voxel, Voxel] | null {
  const low: Voxel = [Infinity, Infinity, Infinity];
  const high: Voxel = [-1, -1, -1];
  const [nx, ny] = volume.shape;
  volume.bytes.forEach((byte, i) => {
    if (byte === 0) return;
    const v = [i % nx, Math.floor(i / nx) % ny, Math.floor(i / (nx * ny))] as Voxel;
    for (const a of [0, 1, 2] as Axis[]) {
      low[a] = Math.min(low[a], v[a]);
      high[a] = Math.max(high[a], v[a]);
    }
  });
  return high[0] < 0 ? null : [low, high];
}
