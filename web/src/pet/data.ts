// What the PET report reads: the JSON that the program puts into the page. Fields marked `?` may be missing, and any number
// may be null where it was not finite; the page leaves out what it has no data for.

import type { Num } from "../common/format";

export interface PetData {
  title: string;
  subject?: string;
  version?: string; ///< of evident
  command?: string;
  seed?: number | string; ///< as text when it has more than 53 bits
  verdict?: string; ///< one or two sentences
  settings?: [string, string | number][];
  notes?: string[];
  warnings?: string[];
  models: string[]; ///< names in order; label n of the map "order" is models[n - 1]
  unit?: string; ///< of activity
  input?: InputFunction;
  frames?: Frames;
  mean_curve?: { activity: Num[]; models: CurveModel[] };
  residuals?: Residuals[];
  maps?: Maps;
  histograms?: Histogram[];
  status?: { name: string; count: number; meaning: string }[];
  curves?: Curve[];
  regions?: Region[];
}

/** All times in seconds from the injection. */
export interface InputFunction {
  time: number[];
  plasma: Num[];
  whole_blood?: Num[] | null;
  parent_fraction?: Num[] | null; ///< 0 to 1
  samples?: { time: number; value: Num; kind: string }[];
}

export interface Frames {
  start: number[];
  duration: number[];
  mid: number[];
}

export interface CurveModel {
  name: string;
  probability?: Num;
  log_evidence?: Num;
  log_evidence_se?: Num;
  VT?: Num;
  VT_sd?: Num;
  fit?: Num[]; ///< per frame
}

/** Standardised residuals over all voxels, per frame. */
export interface Residuals {
  name: string; ///< of the model
  mean: Num[];
  q05?: Num[];
  q95?: Num[];
}

export interface Maps {
  shape: [number, number, number];
  voxel_mm?: [number, number, number];
  first?: [number, number, number]; ///< indices in the image of the first voxel here; 0 when missing
  step?: number; ///< every so many voxels of the image are here; 1 when missing
  axes?: string; ///< where the axes point, "RAS" say; labels the sides when given
  layers: Layer[];
}

/** One byte a voxel, x fastest: 0 is outside; 1 to 255 are min to max, or for labels the label itself. */
export interface Layer {
  name: string; ///< "order", "VT", ...; the mosaics show these two
  label: string;
  kind: "labels" | "values";
  unit?: string;
  min?: number;
  max?: number;
  labels?: string[]; ///< names of label 1, 2, ...; the models when missing
  bytes: string; ///< base64
}

export interface Histogram {
  name: string;
  model?: string;
  edges: number[]; ///< one more than counts
  counts: number[];
}

export interface Curve {
  label: string;
  voxel?: [number, number, number] | null;
  region?: string | null;
  activity: Num[];
  models: CurveModel[];
  best?: string;
}

export interface Region {
  name: string;
  voxels: number;
  VT?: Num;
  VT_sd?: Num;
  order_shares?: Num[]; ///< one a model
}
